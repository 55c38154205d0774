"""gather - print what the rows of scatter hold, as a loop would have printed it."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.values import json_of, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.interp.state.call import Call

FAILED_STATUS = 123
NO_ROW_STATUS = 2


@command
def gather(sh: Call, *, values: bool = False) -> Iterator[str]:
    """Print what the commands of a scatter have printed.

    --values  print the value of each item instead, as JSON: what its command
              printed as a value, else its output as text; null if it failed

    The rows of `scatter` come from the input. Errors go to standard error. With
    --values, `$(… | gather values=true)` is a list. The status is 123 if an item
    has failed.
    """
    failed = False
    for number, line in enumerate(sh.stdin.lines(), 1):
        row = row_of(sh, line, number)
        failed |= not row["ok"]
        if row["err"]:
            sh.err.write(row["err"])
        if values:
            value = row.get("data", row["out"].removesuffix("\n")) if row["ok"] else None
            sh.out.write_row(value, f"{json_of(value)}\n")
        elif row["out"]:
            yield row["out"]
    if values:
        sh.out.end_rows()
    sh.status = FAILED_STATUS if failed else 0


def row_of(sh: Call, line: str, number: int) -> dict[str, Any]:
    """Return the row of a line; fail if it is none."""
    try:
        row = value_of_json(line)
    except ValueError:
        row = None
    if (
        not isinstance(row, dict)
        or row.get("ok") not in (True, False)
        or not isinstance(row.get("out"), str)
        or not isinstance(row.get("err"), str)
    ):
        raise sh.fail(f"line {number} is not a row of scatter", NO_ROW_STATUS)
    return row
