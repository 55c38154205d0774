"""column - lines put side by side in columns, or fields lined up in a table."""

from __future__ import annotations

import re

from keysh.runtime.call import quoted
from keysh.schema.declare import command
from keysh.text.width import Widths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

TAB = 8
GAP = "  "  # between the columns of a table


@command(
    invalid={
        "output_width": "invalid columns argument",
        "table_columns_limit": "invalid columns limit argument",
    }
)
def column(
    sh: Call,
    *files: Path,
    table: bool = False,
    separator: str | None = None,
    output_separator: str = GAP,
    table_columns: list[str] | None = None,
    table_columns_limit: int = 0,
    table_right: list[str] | None = None,
    table_noheadings: bool = False,
    keep_empty_lines: bool = False,
    output_width: int = 80,
    fillrows: bool = False,
    json: bool = False,
) -> Iterator[Any]:
    """Print lines in columns, or with -t their fields in a table.

    files ...                         files to read, - for standard input
    -t, --table                       line up the fields of each line
    -s, --separator CHARS             what ends a field; blanks without it
    -o, --output-separator TEXT       what stands between columns; two blanks without it
    -N, --table-columns NAMES         the columns' names, with commas between, printed first
    -l, --table-columns-limit NUM     no more columns than this; the last one takes what is left
    -R, --table-right NAMES           line these columns up at the right: names or numbers
    -d, --table-noheadings            do not print the names
    -L, --keep-empty-lines            an empty line stays one
    -c, --output-width WIDTH          how wide all columns are together; 80 without it
    -x, --fillrows                    fill rows before columns
    -J, --json                        with -N, print rows: each field under its column's name
    """
    if fillrows and table:
        raise sh.fail("mutually exclusive arguments: --table --fillrows")
    rows: list[list[str]] = []
    entries: list[str] = []
    for source in sh.inputs(files, reading="read failed: {why}"):
        for line in source.lines():
            bare = line.removesuffix("\n")
            if not bare.strip(" \t") and not keep_empty_lines:
                continue
            entries.append(bare if bare.strip(" \t") else "")
    names = [name for text in table_columns or [] for name in text.split(",")]
    if not (table or json):
        yield from filled(entries, output_width, fillrows)
        return
    if json and not names:
        raise sh.fail("option --table-columns required for --json")
    limit = table_columns_limit
    for entry in entries:
        sh.tick()
        rows.append(fields_of(entry, separator, limit))
    if json:
        for row in rows:
            row += [""] * (len(names) - len(row))
            yield {name: field or None for name, field in zip(names, row, strict=False)}
        return
    right = {place(sh, name, names) for text in table_right or [] for name in text.split(",")}
    heads = [names] if names and not table_noheadings else []
    yield from lined_up([*heads, *rows], output_separator, right)


def fields_of(line: str, separator: str | None, limit: int) -> list[str]:
    """A line's fields; blanks that end one may be many, but only one before what is left over."""
    if limit == 1:
        return [line]
    if separator:
        return re.split(f"[{re.escape(separator)}]", line, maxsplit=max(0, limit - 1))
    if not limit:
        text = line.strip(" \t")
        return re.split(r"[ \t]+", text) if text else []
    fields = re.split(r"[ \t]+", line.lstrip(" \t"), maxsplit=limit - 2) if limit > 2 else [line]
    return [*fields[:-1], *re.split(r"[ \t]", fields[-1].lstrip(" \t"), maxsplit=1)]


def place(sh: Call, name: str, names: list[str]) -> int:
    """The column of a name or a number, from 0."""
    if name in names:
        return names.index(name)
    if name.isascii() and name.isdecimal() and int(name[:9]) > 0:
        return int(name[:9]) - 1
    raise sh.fail(f"undefined column name {quoted(name)}")


def lined_up(rows: list[list[str]], gap: str, right: set[int]) -> Iterator[str]:
    """Rows with fields of the same width below each other; the last one has no blanks behind it."""
    widths, measure = [], Widths()
    count = max(map(len, rows), default=0)
    sizes = [[sum(map(measure.__getitem__, map(ord, field))) for field in row] for row in rows]
    for i in range(count):
        column_sizes = [size[i] for size in sizes if i < len(size)]
        widths.append(max(column_sizes, default=0))
    for row, size in zip(rows, sizes, strict=True):
        pieces = []
        for i, width in enumerate(widths):
            field = row[i] if i < len(row) else ""
            blanks = " " * (width - (size[i] if i < len(size) else 0))
            if i in right:
                field = blanks + field
            elif i < count - 1:
                field += blanks
            pieces.append(field)
        yield gap.join(pieces) + "\n"


def filled(entries: list[str], width: int, by_rows: bool) -> Iterator[str]:
    """Entries in as many columns as fit, with tabs between them."""
    measure = Widths()
    sizes = [sum(map(measure.__getitem__, map(ord, entry))) for entry in entries]
    widest = max(sizes, default=0)
    each = (widest // TAB + 1) * TAB
    columns = 1 if widest >= width else max(1, width // each)
    height = -(-len(entries) // columns)
    for row in range(height):
        places = range(row * columns, (row + 1) * columns) if by_rows else range(
            row, len(entries), height
        )  # fmt: skip
        pieces, at, end = [], 0, 0
        for i in places:
            if i >= len(entries):
                break
            pieces.append("\t" * (end // TAB - at // TAB) + entries[i])
            at = end + sizes[i]
            end += each
        yield "".join(pieces) + "\n"
