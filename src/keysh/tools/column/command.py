"""column - arrange lines in columns, or fields in a table."""

from __future__ import annotations

import re
from itertools import chain

from keysh.diagnostics.width import CharacterWidths
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import batch_lines
from keysh.text.gnu_quoting import quoted_name
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.column.json_output import json_chunks
from keysh.tools.column.layout import TableColumn, TableLayout
from keysh.tools.column.tree import Forest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


TAB_COLUMNS = 8
# What a field and a column take in memory; a line may have millions of either.
FIELD_BYTES, COLUMN_BYTES = 64, 256
MAX_FREE_CHARACTERS = 1 << 16  # of a line whose fields need no look at the memory
INVALID_BYTE = re.compile("[\udc80-\udcff]")  # not UTF-8
HEX_ESCAPED = re.compile(r"[\udc80-\udcff]|\\(?=x)")  # in a line with invalid bytes
DEFAULT_WIDTH, PAGE_LINES = 80, 24  # without a terminal
BLANK_CHARACTERS = " \t\v\f\r"  # a line of these counts as empty
COLUMN_GAP = "  "  # of a table
TABLE_OPTIONS = (
    "table_columns", "table_right", "table_hide", "table_order", "table_noextreme",
    "table_truncate", "table_wrap", "table_name",
)  # fmt: skip


@command(
    compatible="util-linux 2.38.1",
    refusals=Refusals(
        invalid_values={
            "output_width": "invalid columns argument",
            "table_columns_limit": "invalid columns limit argument",
        }
    ),
)
def column(
    sh: Call,
    *files: Path,
    table: bool = False,
    separator: str | None = None,
    output_separator: str = COLUMN_GAP,
    table_columns: str | None = None,
    table_columns_limit: int = 0,
    table_right: str | None = None,
    table_truncate: str | None = None,
    table_wrap: str | None = None,
    table_noextreme: str | None = None,
    table_hide: str | None = None,
    table_order: str | None = None,
    table_noheadings: bool = False,
    table_header_repeat: bool = False,
    table_name: str = "table",
    tree: str | None = None,
    tree_id: str | None = None,
    tree_parent: str | None = None,
    keep_empty_lines: bool = False,
    output_width: int | None = None,
    fillrows: bool = False,
    json: bool = False,
) -> Iterator[str]:
    """Arrange lines in columns, or with -t their fields in a table.

    files ...                    files to read, - for standard input
    -t, --table                  align the fields of each line in a table
    -s, --separator CHARS        characters that separate fields; blanks by default
    -o, --output-separator TEXT  text between the columns; two spaces by default
    -N, --table-columns NAMES    comma-separated column names, printed as a header
    -l, --table-columns-limit NUM
                                 split lines into at most NUM columns
    -R, --table-right NAMES      right-align these columns, given by name or number;
                                 0 means all
    -T, --table-truncate NAMES   truncate these columns if the table is too wide
    -W, --table-wrap NAMES       wrap these columns if the table is too wide
    -E, --table-noextreme NAMES  ignore unusually long fields when sizing these
                                 columns
    -H, --table-hide NAMES       do not print these columns; - means all unnamed
                                 ones
    -O, --table-order NAMES      print these columns first
    -d, --table-noheadings       do not print the header
    -e, --table-header-repeat    repeat the header every 24 lines
    -r, --tree NAME              draw this column as a tree
    -i, --tree-id NAME           the column with each line's ID, for -r
    -p, --tree-parent NAME       the column with the parent's ID, for -r
    -J, --json                   with -N, print the table as one JSON object
    -n, --table-name NAME        name of the table in the JSON output
    -L, --keep-empty-lines       keep empty lines
    -c, --output-width WIDTH     total width; the default is the terminal's width,
                                 $COLUMNS or 80
    -x, --fillrows               fill rows before columns
    -h, --help                   print this help
    -V, --version                print the version of keysh
    """
    for option, is_given in (("table", table), ("json", json)):
        if fillrows and is_given:
            raise sh.fail(f"mutually exclusive arguments: --{option} --fillrows")
    width = terminal_width(sh) if output_width is None else output_width
    table = table or tree is not None
    if not (table or json) and any(name in TABLE_OPTIONS for name, _ in sh.given):
        raise sh.fail("option --table required for all --table-*")
    names = [name for name in (table_columns or "").split(",") if name]
    if json and not names:
        raise sh.fail("option --table-columns required for --json")
    if tree is not None and None in (tree_id, tree_parent):
        raise sh.fail("options --tree-id and --tree-parent are required for tree formatting")
    entries = input_lines(sh, files, keep_empty_lines)
    if not (table or json):
        yield from filled_lines(list(entries), width, fillrows)
        return
    rows = table_rows(sh, entries, separator, table_columns_limit, len(names) if json else None)
    if not rows:
        return
    count = max(map(len, [names, *rows]))
    columns = make_columns(
        sh, names, count, right=table_right, truncated=table_truncate, wrapped=table_wrap,
        noextreme=table_noextreme, hidden=table_hide,
    )  # fmt: skip
    lists = (tree, tree_id, tree_parent) if tree is not None else ()
    tree_columns = [[*column_indexes(sh, column_name, names, count)][:1] for column_name in lists]
    forest = (
        Forest(rows, *chain(*tree_columns), tick=sh.tick)
        if tree_columns and all(tree_columns)
        else None
    )
    leading = column_indexes(sh, table_order, names, count)
    order = [columns[at] for at in leading | dict.fromkeys(range(count))]
    if json:
        yield from batch_lines(json_chunks(rows, order, table_name, forest))
        return
    has_heads = bool(names) and not table_noheadings
    page = PAGE_LINES if table_header_repeat else 0
    layout = TableLayout(rows, order, output_separator, sh.tick, forest)
    yield from batch_lines(layout.lines(width, has_heads, page))


def terminal_width(sh: Call) -> int:
    """Return the width of the output: the terminal's, $COLUMNS or the default."""
    columns = sh.env.get("COLUMNS", "")
    return sh.out.width or (bounded_number(columns) if is_digits(columns) else 0) or DEFAULT_WIDTH


def input_lines(sh: Call, files: Sequence[str], keeps_empty: bool) -> Iterator[str]:
    """Yield lines without their newlines; empty ones only with `keeps_empty`."""
    for source in sh.inputs(files, reading="read failed: {why}"):
        for line in source.lines():
            bare = line.removesuffix("\n")
            if not bare.isascii() and INVALID_BYTE.search(bare):
                bare = HEX_ESCAPED.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", bare)
            if bare.strip(BLANK_CHARACTERS):
                yield bare
            elif keeps_empty:
                yield ""


def table_rows(
    sh: Call, entries: Iterator[str], separator: str | None, limit: int, named: int | None
) -> list[list[str]]:
    """Split each line into fields; with JSON at most `named` of them."""
    rows = []
    separator = "".join(dict.fromkeys(separator)) if separator else separator  # each mark once
    for number, entry in enumerate(entries, 2):  # the header counts as a line
        if len(entry) > MAX_FREE_CHARACTERS:  # then its fields may need much more memory
            marks = separator or " \t"
            sh.reserve(sum(map(entry.count, marks)) * FIELD_BYTES)
            sh.tick()
        row = split_fields(entry, separator, limit)
        if named is not None and len(row) > named:
            message = f"for JSON the name of the column {named + 1} is required"
            raise sh.fail(f"line {number}: {message}")
        rows.append(row)
    return rows


def split_at_marks(line: str, marks: str, count: int) -> list[str]:
    """Split a line at any of the marks, at most `count` times; -1 for all."""
    if len(marks) == 1:
        return line.split(marks, count)
    mark = marks[0]
    fields = line.translate(dict.fromkeys(map(ord, marks), mark)).split(mark, count)
    if len(fields) == count + 1:  # the marks in the last one are its own
        fields[-1] = line[len(line) - len(fields[-1]) :]
    return fields


def split_fields(line: str, separator: str | None, limit: int) -> list[str]:
    """Split a line into at most `limit` fields; one blank precedes the rest of the line."""
    if limit == 1:
        return [line]
    if separator:
        return split_at_marks(line, separator, limit - 1 if limit else -1)
    if not limit:
        text = line.strip(" \t")
        return re.split(r"[ \t]+", text) if text else []
    fields = re.split(r"[ \t]+", line.lstrip(" \t"), maxsplit=limit - 2) if limit > 2 else [line]
    return [*fields[:-1], *re.split(r"[ \t]", fields[-1].lstrip(" \t"), maxsplit=1)]


def make_columns(
    sh: Call,
    names: Sequence[str],
    count: int,
    *,
    right: str | None,
    truncated: str | None,
    wrapped: str | None,
    noextreme: str | None,
    hidden: str | None,
) -> list[TableColumn]:
    """Build the columns with their options."""
    sh.reserve(count * COLUMN_BYTES)
    columns = [
        TableColumn(index, names[index] if index < len(names) else "") for index in range(count)
    ]
    for index in column_indexes(sh, right, names, count):
        columns[index].is_right = True
    for index in column_indexes(sh, truncated, names, count):
        columns[index].is_truncated = True
    for index in column_indexes(sh, noextreme, names, count):
        columns[index].ignores_extremes = True
    for index in column_indexes(sh, wrapped, names, count):
        columns[index].is_wrapped = True
    for index in column_indexes(sh, hidden, names, count, takes_unnamed=True):
        columns[index].is_hidden = True
    visible = [column for column in columns if not column.is_hidden]
    if noextreme is None and visible:
        visible[-1].ignores_extremes = True
    return columns


def column_indexes(
    sh: Call,
    list_: str | None,
    names: Sequence[str],
    count: int,
    *,
    takes_unnamed: bool = False,
) -> dict[int, None]:
    """Return the zero-based columns of a list of numbers and names, each once, in order."""
    indexes: dict[int, None] = {}  # an ordered set
    for name in list_.split(",") if list_ is not None else ():
        sh.tick()
        if is_digits(name):
            number = bounded_number(name)
            every = range(count) if name == list_ else range(0)  # 0 alone means all
            indexes |= dict.fromkeys(range(number - 1, min(number, count)) if number else every)
        elif name in names:
            indexes[names.index(name)] = None
        elif name == "-" and takes_unnamed:
            indexes |= dict.fromkeys(range(len(names), count))
        else:
            raise sh.fail(f"undefined column name {quoted_name(name)}")
    return indexes


def filled_lines(entries: list[str], width: int, by_rows: bool) -> Iterator[str]:
    """Arrange entries in as many columns as fit, separated by tabs."""
    measure = CharacterWidths()
    sizes = [sum(map(measure.__getitem__, map(ord, entry))) for entry in entries]
    widest = max(sizes, default=0)
    each = (widest // TAB_COLUMNS + 1) * TAB_COLUMNS
    columns = 1 if widest >= width else max(1, width // each)
    height = -(-len(entries) // columns)
    for row in range(height):
        indexes = range(row * columns, (row + 1) * columns) if by_rows else range(
            row, len(entries), height
        )  # fmt: skip
        parts, column, goal = [], 0, 0
        for i in indexes:
            if i >= len(entries):
                break
            parts.append("\t" * (goal // TAB_COLUMNS - column // TAB_COLUMNS) + entries[i])
            column = goal + sizes[i]
            goal += each
        yield "".join(parts) + "\n"
