"""column - lines put side by side in columns, or fields lined up in a table."""

from __future__ import annotations

import re

from keysh.runtime.call import quoted
from keysh.schema.declare import command
from keysh.text.width import Widths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

TAB = 8
GAP = "  "  # between the columns of a table
FOR_TABLES = ("table_columns", "table_right", "table_hide", "table_order")


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
    table_hide: list[str] | None = None,
    table_order: list[str] | None = None,
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
    -R, --table-right NAMES           line these columns up at the right: names or numbers; 0 is all
    -H, --table-hide NAMES            do not print these columns; - is all that have no name
    -O, --table-order NAMES           print these columns first
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
    names = table_columns[-1].split(",") if table_columns else []
    if not (table or json):
        if any(name in FOR_TABLES for name, _ in sh.given):
            raise sh.fail("option --table required for all --table-*")
        yield from filled(entries, output_width, fillrows)
        return
    if json and not names:
        raise sh.fail("option --table-columns required for --json")
    for entry in entries:
        sh.tick()
        rows.append(fields_of(entry, separator, table_columns_limit))
    if not rows:
        return
    count = max(map(len, [names, *rows]))
    hidden = places(sh, table_hide, names, count, takes_unnamed=True)
    first = places(sh, table_order, names, count)
    order = [at for at in first | dict.fromkeys(range(count)) if at not in hidden]
    if json:
        for number, row in enumerate(rows, 2):  # the names count as a line
            if len(row) > len(names):
                says = f"for JSON the name of the column {len(names) + 1} is required"
                raise sh.fail(f"line {number}: {says}")
        for row in rows:
            yield {names[at]: (row[at] if at < len(row) else "") or None for at in order}
        return
    right = places(sh, table_right, names, count)
    heads = [names] if names and not table_noheadings else []
    shown = [*heads, *rows]
    if order != list(range(count)):
        shown = [in_order(row, order) for row in shown]
    yield from lined_up(shown, output_separator, [at in right for at in order])


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


def places(
    sh: Call,
    lists: Sequence[str] | None,
    names: Sequence[str],
    count: int,
    *,
    takes_unnamed: bool = False,
) -> dict[int, None]:
    """The columns that the last of some lists has, by their numbers or names; from 0."""
    found: dict[int, None] = {}  # in the order of the list, each once
    for name in lists[-1].split(",") if lists else ():
        sh.tick()
        if name.isascii() and name.isdecimal():
            number = int(name[:9])
            found |= dict.fromkeys(
                range(number - 1, min(number, count)) if number else range(count)
            )
        elif name in names:
            found[names.index(name)] = None
        elif name == "-" and takes_unnamed:
            found |= dict.fromkeys(range(len(names), count))
        else:
            raise sh.fail(f"undefined column name {quoted(name)}")
    return found


def in_order(row: list[str], order: list[int]) -> list[str]:
    """Some fields of a row, up to the last that it has."""
    found = [row[at] if at < len(row) else "" for at in order]
    while found and not found[-1]:
        found.pop()
    return found


def lined_up(rows: list[list[str]], gap: str, are_right: list[bool]) -> Iterator[str]:
    """Rows with fields of the same width below each other; the last one has no blanks behind it.

    A row may be short: one long row among many is not to make all of them long.
    """
    measure = Widths()
    sizes = [[sum(map(measure.__getitem__, map(ord, field))) for field in row] for row in rows]
    widths = [0] * len(are_right)
    for size in sizes:
        widths[: len(size)] = map(max, size, widths)
    for row, size in zip(rows, sizes, strict=True):
        pieces = []
        for i, width in enumerate(widths):
            field = row[i] if i < len(row) else ""
            blanks = " " * (width - (size[i] if i < len(size) else 0))
            is_last = i == len(widths) - 1
            if are_right[i] and (field or not is_last):
                field = blanks + field
            elif not is_last:
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
