"""Rows: what `scatter` prints of each item."""

from __future__ import annotations

from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keysh.interp.scatter.engine import ItemTask, TaskEnding

    Row: TypeAlias = dict[str, Any]


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
