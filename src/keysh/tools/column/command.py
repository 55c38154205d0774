"""column - lines put side by side in columns, or fields lined up in a table."""

from __future__ import annotations

import re
from itertools import chain

from keysh.diagnostics.width import CharacterWidths
from keysh.schema.declare import command
from keysh.text.chunks import batch_lines
from keysh.text.gnu_quoting import quoted_name
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.column.layout import TableColumn, TableLayout
from keysh.tools.column.tree import Forest
from keysh.tools.column.written import json_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


# Filling: entries side by side, in as many columns as fit, with tabs between them.

TAB_COLUMNS = 8


def filled_lines(entries: list[str], width: int, by_rows: bool) -> Iterator[str]:
    """Entries in as many columns as fit, with tabs between them."""
    measure = CharacterWidths()
    sizes = [sum(map(measure.__getitem__, map(ord, entry))) for entry in entries]
    widest = max(sizes, default=0)
    each = (widest // TAB_COLUMNS + 1) * TAB_COLUMNS
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
            pieces.append("\t" * (end // TAB_COLUMNS - at // TAB_COLUMNS) + entries[i])
            at = end + sizes[i]
            end += each
        yield "".join(pieces) + "\n"


INVALID_BYTE = re.compile("[\udc80-\udcff]")  # bytes that are no UTF-8
HEX_ESCAPED = re.compile(
    r"[\udc80-\udcff]|\\(?=x)"
)  # what a line with such bytes shows by its number
DEFAULT_WIDTH, PAGE_LINES = 80, 24  # columns and lines of what is no terminal
BLANK_CHARACTERS = " \t\v\f\r"  # what an empty line may hold
COLUMN_GAP = "  "  # between the columns of a table
TABLE_OPTIONS = (
    "table_columns", "table_right", "table_hide", "table_order", "table_noextreme",
    "table_truncate", "table_wrap", "table_name",
)  # fmt: skip


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
    """Print lines in columns, or with -t their fields in a table.

    files ...                         files to read, - for standard input
    -t, --table                       line up the fields of each line
    -s, --separator CHARS             what ends a field; blanks without it
    -o, --output-separator TEXT       what stands between columns; two blanks without it
    -N, --table-columns NAMES         the columns' names, with commas between, printed first
    -l, --table-columns-limit NUM     no more columns than this; the last one takes what is left
    -R, --table-right NAMES           line these columns up at the right: names or numbers; 0 is all
    -T, --table-truncate NAMES        cut these columns where the table is too wide
    -W, --table-wrap NAMES            continue them in the next line there
    -E, --table-noextreme NAMES       let long fields of them not count for their width there
    -H, --table-hide NAMES            do not print these columns; - is all that have no name
    -O, --table-order NAMES           print these columns first
    -d, --table-noheadings            do not print the names
    -e, --table-header-repeat         print the names again after 24 lines
    -r, --tree NAME                   draw this column as a tree
    -i, --tree-id NAME                the column that says which line this is, for -r
    -p, --tree-parent NAME            the column that says which line is above it
    -J, --json                        with -N, print the table as one JSON object
    -n, --table-name NAME             the table's name in it
    -L, --keep-empty-lines            an empty line stays one
    -c, --output-width WIDTH          how wide all columns are together: as wide as the terminal,
                                      or as $COLUMNS says; 80 without them
    -x, --fillrows                    fill rows before columns
    -h, --help                        print this help
    -V, --version                     print which keysh this is
    """
    for other, is_given in (("table", table), ("json", json)):
        if fillrows and is_given:
            raise sh.fail(f"mutually exclusive arguments: --{other} --fillrows")
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
        sh, names, count, right=table_right, cut=table_truncate, folded=table_wrap,
        even=table_noextreme, hidden=table_hide,
    )  # fmt: skip
    lists = (tree, tree_id, tree_parent) if tree is not None else ()
    trunk = [[*column_indexes(sh, one, names, count)][:1] for one in lists]
    forest = Forest(rows, *chain(*trunk), tick=sh.tick) if trunk and all(trunk) else None
    first = column_indexes(sh, table_order, names, count)
    order = [columns[at] for at in first | dict.fromkeys(range(count))]
    if json:
        yield from batch_lines(json_chunks(rows, order, table_name, forest))
        return
    has_heads = bool(names) and not table_noheadings
    page = PAGE_LINES if table_header_repeat else 0
    shown = TableLayout(rows, order, output_separator, sh.tick, forest)
    yield from batch_lines(shown.lines(width, has_heads, page))


def terminal_width(sh: Call) -> int:
    """How wide the output is."""
    wanted = sh.env.get("COLUMNS", "")
    return sh.out.width or (bounded_number(wanted) if is_digits(wanted) else 0) or DEFAULT_WIDTH


def input_lines(sh: Call, files: Sequence[str], keeps_empty: bool) -> Iterator[str]:
    """The lines of the input, without their ends; of those that hold blanks only, nothing."""
    for source in sh.inputs(files, reading="read failed: {why}"):
        for line in source.lines():
            bare = line.removesuffix("\n")
            if not bare.isascii() and INVALID_BYTE.search(bare):
                bare = HEX_ESCAPED.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", bare)
            if bare.strip(BLANK_CHARACTERS):
                yield bare
            elif keeps_empty:
                yield ""


def table_rows(
    sh: Call, entries: Iterator[str], separator: str | None, limit: int, named: int | None
) -> list[list[str]]:
    """The fields of each line; no more than have names, where that is asked for."""
    rows = []
    for number, entry in enumerate(entries, 2):  # the names count as a line
        row = split_fields(entry, separator, limit)
        if named is not None and len(row) > named:
            says = f"for JSON the name of the column {named + 1} is required"
            raise sh.fail(f"line {number}: {says}")
        rows.append(row)
    return rows


def split_fields(line: str, separator: str | None, limit: int) -> list[str]:
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


def make_columns(
    sh: Call,
    names: Sequence[str],
    count: int,
    *,
    right: str | None,
    cut: str | None,
    folded: str | None,
    even: str | None,
    hidden: str | None,
) -> list[TableColumn]:
    """The columns, with what the options say of them."""
    made = [TableColumn(at, names[at] if at < len(names) else "") for at in range(count)]
    for at in column_indexes(sh, right, names, count):
        made[at].is_right = True
    for at in column_indexes(sh, cut, names, count):
        made[at].is_truncated = True
    for at in column_indexes(sh, even, names, count):
        made[at].ignores_extremes = True
    for at in column_indexes(sh, folded, names, count):
        made[at].is_wrapped = True
    for at in column_indexes(sh, hidden, names, count, takes_unnamed=True):
        made[at].is_hidden = True
    visible = [one for one in made if not one.is_hidden]
    if even is None and visible:
        visible[-1].ignores_extremes = True
    return made


def column_indexes(
    sh: Call,
    list_: str | None,
    names: Sequence[str],
    count: int,
    *,
    takes_unnamed: bool = False,
) -> dict[int, None]:
    """The columns that a list has, by their numbers or names; from 0."""
    found: dict[int, None] = {}  # in the order of the list, each once
    for name in list_.split(",") if list_ is not None else ():
        sh.tick()
        if is_digits(name):
            number = bounded_number(name)
            alone = range(count) if name == list_ else range(0)  # 0 is all of them, by itself
            found |= dict.fromkeys(range(number - 1, min(number, count)) if number else alone)
        elif name in names:
            found[names.index(name)] = None
        elif name == "-" and takes_unnamed:
            found |= dict.fromkeys(range(len(names), count))
        else:
            raise sh.fail(f"undefined column name {quoted_name(name)}")
    return found
