"""Rows: what `scatter` prints of each item."""

from __future__ import annotations

from keysh.values import ABSENT, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keysh.interp.scatter.engine import ItemTask, TaskEnding

    Row: TypeAlias = dict[str, Any]


FAILED_STATUS = 123  # of a scatter with an item that failed


def row_of_line(line: str) -> Row | None:
    """Return the row that a line of JSON holds; None if it holds none."""
    try:
        row: Any = value_of_json(line)
    except ValueError:
        return None
    is_row = (
        isinstance(row, dict)
        and isinstance(row.get("i"), int)
        and isinstance(row.get("ok"), bool)
        and isinstance(row.get("out"), str)
        and isinstance(row.get("err"), str)
        and "item" in row
    )
    return row if is_row else None


def row_of(task: ItemTask, ending: TaskEnding) -> Row:
    """Return the row of a task that has ended."""
    row: Row = {
        "i": task.index, "item": task.item, "ok": not ending.code, "code": ending.code,
        "out": ending.out, "err": ending.err, "ms": round(ending.seconds * 1000, 3),
        "worker": ending.worker, "attempts": task.attempt,
    }  # fmt: skip
    if ending.data is not ABSENT:
        row["data"] = ending.data
    return row
