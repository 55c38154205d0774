"""table - records as aligned columns, and other values as lines."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.schema.value_operands import text_or_input
from keysh.text.gnu_quoting import quoted_name
from keysh.text.table import format_table as shown
from keysh.values import type_with_article, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Json


@command
def table(
    sh: Call,
    value: Json | None = None,
    *,
    columns: str | None = None,
    width: int | None = None,
) -> str:
    """Print records as the rows of a table, and other values with a line for each element.

    value                what to print; without it the JSON, or lines of JSON, on standard input
    -c, --columns NAMES  these columns only, in this order, with commas between
    -w, --width NUM      how wide lines are at most; 0 for no limit, as it is but on a terminal

    Where lines are too long, the widest columns are cut, which … tells.
    """
    if width is not None and width < 0:
        raise sh.fail(f"the width must be 0 or more, but is {width}", 2)
    found = read_rows(sh) if value is None else value
    if columns is not None:
        found = select_columns(sh, found, columns.split(","))
    return shown(found, sh.out.width if width is None else width)


def read_rows(sh: Call) -> Any:
    """The rows on standard input: JSON, or JSON on each line, of which there may be only one."""
    text = text_or_input(sh, ())
    try:
        found = value_of_json(text)
    except (ValueError, RecursionError):
        pass
    else:
        return [found] if isinstance(found, dict) else found
    rows: list[object] = []
    for number, line in enumerate(text.split("\n"), 1):
        sh.tick()
        if not line.strip():
            continue
        try:
            rows.append(value_of_json(line))
        except (ValueError, RecursionError) as error:
            raise sh.fail(f"line {number} is no JSON: {error}") from None
    return rows


def select_columns(sh: Call, value: object, names: list[str]) -> list[dict[str, object]]:
    """Some columns of records."""
    rows = value if isinstance(value, list) else [value]
    made: list[dict[str, object]] = []
    missing = dict.fromkeys(names)
    for row in rows:
        sh.tick()
        if not isinstance(row, dict):
            raise sh.fail(f"columns are of records, but a row is {type_with_article(row)}")
        made.append({name: row.get(name) for name in names})
        for name in [name for name in missing if name in row]:
            del missing[name]
    if missing and rows:
        raise sh.fail(f"no row has a column {quoted_name(next(iter(missing)))}")
    return made
