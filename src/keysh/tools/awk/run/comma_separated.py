"""`--csv`: records and fields as CSV has them. A field in quotes may hold commas, newlines, and
quotes that are doubled.
"""

from __future__ import annotations

import re

# A field in quotes, with what stands behind them though nothing should; or one without.
FIELD_PATTERN = re.compile(r'"([^"]*(?:""[^"]*)*)"?([^,]*)|([^,]*)')


def split_record(record: str) -> list[str]:
    """The fields of a record."""
    if '"' not in record:
        return record.split(",") if record else []
    made: list[str] = []
    at = 0
    while True:
        found = FIELD_PATTERN.match(record, at)
        assert found is not None  # the pattern matches the empty text, too
        quoted, behind, bare = found.groups()
        made.append(bare if quoted is None else quoted.replace('""', '"') + behind)
        at = found.end() + 1
        if at > len(record):
            return made


def next_record_end(text: str, at: int, is_over: bool) -> tuple[int, int] | None:
    """The bounds of the next end of a record: a newline that no quotes are around, and the CR
    before it.
    """
    looked, is_inside = at, False
    while True:
        end = text.find("\n", looked)
        if end < 0:
            return None
        if text.count('"', looked, end) % 2:
            is_inside = not is_inside
        if not is_inside:
            return end - (end > at and text[end - 1] == "\r"), end + 1
        looked = end + 1
