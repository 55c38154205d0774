"""Extract the text of a key from many lines.

-k2,2 without -t       "one  two three"      a field begins with the blanks before it
                           ^^^^^
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.sort.key import KeyPosition, SortKey

FIELD = re.compile(r"[ \t\n]*[^ \t\n]*")
BLANKS = re.compile(r"[ \t\n]*")
NUMBER_CHARACTERS = "-.0123456789 \t\n"
UNEVEN_BLANKS = "\t", "  ", "\n ", " \n"  # blanks other than a single one between fields
MAX_TABLE_COLUMNS = 6  # lines with more fields are faster to search by a pattern
MAX_PATTERN_FIELDS = 100  # fields a pattern may skip; keys further on are extracted line by line


def texts_of_keys(
    lines: Sequence[str], keys: Sequence[SortKey], separator: str, line_end: str
) -> list[Sequence[str]]:
    """Return for each key its text in each line."""
    fields = [only_field(key, separator) for key in keys]
    table = (
        field_table(lines, separator) if line_end == "\n" and max(fields, default=-1) >= 0 else []
    )
    return [
        table[field] if 0 <= field < len(table) else texts_of_key(key, lines, separator, line_end)
        for key, field in zip(keys, fields, strict=True)
    ]


def texts_of_key(
    key: SortKey, lines: Sequence[str], separator: str, line_end: str
) -> Sequence[str]:
    """Return the key's text in each line."""
    if key.is_whole_line:
        return lines
    field = only_field(key, separator)
    if separator and field >= 0:
        try:
            return [line.split(separator, field + 1)[field] for line in lines]
        except IndexError:  # a line with too few fields
            pass
    pattern = bulk_pattern(key, separator) if line_end == "\n" else None
    if pattern is not None:
        texts: list[str] = pattern.findall("\n".join(lines))
        return texts
    return [line_key_text(line, key, separator) for line in lines]


def only_field(key: SortKey, separator: str) -> int:
    """Return the number, from 0, of the field that is the whole key; -1 if there is none."""
    start, end = key.start, key.end
    # Versions and random order depend on the blanks before a field.
    cares = bool(separator) if start.skips_blanks else bool(not separator and key.order & {*"VR"})
    if start.chars or start.fields > MAX_PATTERN_FIELDS or cares:
        return -1
    if end is None:  # a number ends within its field
        is_only = key.order == {"n"} and (not separator or separator not in NUMBER_CHARACTERS)
    else:
        is_only = end.fields == start.fields + 1 and not end.chars
    return start.fields if is_only else -1


def field_table(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Return the columns of lines that all have the same small number of fields; else [].

    a:1        a : 1 : newline : b : 2       [["a", "b"], ["1", "2"]]
    b:2

    Without a separator, a single blank must separate fields. It is left out of the columns.
    """
    mark = separator or " "
    count = lines[0].count(mark) + 1
    if not 1 < count <= MAX_TABLE_COLUMNS or mark == "\n":
        return []
    text = "\n".join(["", *lines, ""])
    if not separator and any(blanks in text for blanks in UNEVEN_BLANKS):
        return []
    cells = text[1:].replace("\n", f"{mark}\n{mark}").split(mark)
    if cells[count :: count + 1] != ["\n"] * len(lines) or len(cells) % (count + 1) != 1:
        return []
    cells.pop()  # the text after the last newline
    return [cells[number :: count + 1] for number in range(count)]


def bulk_pattern(key: SortKey, separator: str) -> re.Pattern[str] | None:
    """Return a pattern that matches each line once, with the key as its group, or None."""
    start, end = key.start, key.end
    is_far = start.fields > MAX_PATTERN_FIELDS or (
        end is not None and end.fields > MAX_PATTERN_FIELDS
    )
    if is_far or start.chars or (end is not None and (end.chars or end.fields <= start.fields)):
        return None
    count = None if end is None else end.fields - start.fields
    skip = "[ \\t]*" if start.skips_blanks else ""
    if not separator:
        taken = ".*" if count is None else blank_fields(count)
        return line_pattern(f"{blank_fields(start.fields)}{skip}({taken})")
    if separator in " \t" and skip:  # the skipped blanks could be separators
        return None
    other, mark = f"[^{re.escape(separator)}\\n]*", re.escape(separator)
    taken = ".*" if count is None else f"{other}(?:{mark}{other}){{0,{count - 1}}}"
    # A line with too few fields has an empty key.
    return line_pattern(f"(?:(?:{other}{mark}){{{start.fields}}}{skip}({taken}))?")


def blank_fields(count: int) -> str:
    """Return the pattern of `count` blank-separated fields; `{1}` would make `re` slow."""
    field = "[ \\t]*[^ \\t\\n]*"
    return field * count if count < 2 else f"(?:{field}){{{count}}}"


def line_pattern(start: str) -> re.Pattern[str]:
    """Return a pattern that matches lines that begin with `start`."""
    return re.compile(f"^{start}.*", re.MULTILINE)


def line_key_text(line: str, key: SortKey, separator: str) -> str:
    """Return the key's text in one line."""
    start = find_position(line, key.start, separator, is_end=False)
    if key.end is None:
        return line[start:]
    return line[start : find_position(line, key.end, separator, is_end=True)]


def find_position(line: str, position: KeyPosition, separator: str, *, is_end: bool) -> int:
    """Return the offset of a position; an end without a character is before the separator."""
    offset, remaining = 0, position.fields
    while remaining and offset < len(line):
        remaining -= 1
        if not separator:
            match = FIELD.match(line, offset)
            offset = match.end() if match else offset
            continue
        offset = line.find(separator, offset)
        if offset < 0:
            offset = len(line)
        elif remaining or not is_end or position.chars:
            offset += 1
    if position.skips_blanks and (position.chars or not is_end):
        match = BLANKS.match(line, offset)
        offset = match.end() if match else offset
    return min(len(line), offset + position.chars)
