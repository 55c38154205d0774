"""CSV records and fields, for `--csv`.

A quoted field may contain commas, newlines and doubled quotes.
"""

from __future__ import annotations

import re

# A quoted field, with any stray text after the quotes, or an unquoted one.
FIELD_PATTERN = re.compile(r'"([^"]*(?:""[^"]*)*)"?([^,]*)|([^,]*)')


def split_record(record: str) -> list[str]:
    """Return the fields of a record."""
    if '"' not in record:
        return record.split(",") if record else []
    fields: list[str] = []
    position = 0
    while True:
        match = FIELD_PATTERN.match(record, position)
        assert match is not None  # the pattern also matches the empty string
        quoted, rest, bare = match.groups()
        fields.append(bare if quoted is None else quoted.replace('""', '"') + rest)
        position = match.end() + 1
        if position > len(record):
            return fields


def next_record_end(text: str, position: int, is_over: bool) -> tuple[int, int] | None:
    """Return the bounds of the next newline outside quotes, including a CR before it."""
    searched_from, is_inside = position, False
    while True:
        end = text.find("\n", searched_from)
        if end < 0:
            return None
        if text.count('"', searched_from, end) % 2:
            is_inside = not is_inside
        if not is_inside:
            return end - (end > position and text[end - 1] == "\r"), end + 1
        searched_from = end + 1
