"""table - print records as a table."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.schema.value_operands import text_or_input
from keysh.text.gnu_quoting import quoted_name
from keysh.text.table import format_table
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
    """Print records as a table, and other values with one line for each element.

    value                the value to print; by default JSON or JSON lines from
                         standard input
    -c, --columns NAMES  print only these comma-separated columns, in this order
    -w, --width NUM      maximum line width; 0 is unlimited, the default except on a
                         terminal

    If lines are too long, the widest columns are cut and marked with an ellipsis.
    """
    if width is not None and width < 0:
        raise sh.fail(f"the width must be 0 or more, but is {width}", 2)
    rows = read_rows(sh) if value is None else value
    if columns is not None:
        rows = select_columns(sh, rows, columns.split(","))
    return format_table(rows, sh.out.width if width is None else width)


def read_rows(sh: Call) -> Any:
    """Parse standard input as JSON, or as JSON lines."""
    text = text_or_input(sh, ())
    try:
        value = value_of_json(text)
    except ValueError:
        pass
    else:
        return [value] if isinstance(value, dict) else value
    rows: list[object] = []
    for number, line in enumerate(text.split("\n"), 1):
        sh.tick()
        if not line.strip():
            continue
        try:
            rows.append(value_of_json(line))
        except ValueError as error:
            raise sh.fail(f"line {number} is not JSON: {error}") from None
    return rows


def select_columns(sh: Call, value: object, names: list[str]) -> list[dict[str, object]]:
    rows = value if isinstance(value, list) else [value]
    selected: list[dict[str, object]] = []
    missing = dict.fromkeys(names)
    for row in rows:
        sh.tick()
        if not isinstance(row, dict):
            raise sh.fail(f"--columns needs records, but a row is {type_with_article(row)}")
        selected.append({name: row.get(name) for name in names})
        for name in [name for name in missing if name in row]:
            del missing[name]
    if missing and rows:
        raise sh.fail(f"no row has a column {quoted_name(next(iter(missing)))}")
    return selected
