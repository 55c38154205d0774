"""gather - print what the rows of scatter hold, as a loop would have printed it."""

from __future__ import annotations

from keysh.interp.scatter.rows import FAILED_STATUS, row_of_line
from keysh.schema.declare import command
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

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
        row = row_of_line(line)
        if row is None:
            raise sh.fail(f"line {number} is not a row of scatter", NO_ROW_STATUS)
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
