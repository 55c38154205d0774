"""The table of tool calls, to which rows are only added."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.vfs.sqlite.database import Database


def add_tool_call(
    database: Database,
    name: str,
    parameters: Any,
    result: Any,
    error: str | None,
    started_at: float,
    completed_at: float,
) -> int:
    """Add a row, within a change, and return its number. Times are seconds since 1970."""
    is_success = error is None
    values = {
        "name": name,
        "parameters": None if parameters is None else json.dumps(parameters, allow_nan=False),
        "result": json.dumps(result, allow_nan=False) if is_success else None,
        "error": error,
        "started_at": int(started_at),
        "completed_at": int(completed_at),
        "duration_ms": round((completed_at - started_at) * 1000),
        "status": "success" if is_success else "error",
    }
    columns = database.execute("PRAGMA table_info(tool_calls)").fetchall()
    if "status" not in [column[1] for column in columns]:
        del values["status"]  # a table of the specification, not of its SDKs
    cursor = database.execute(
        f"INSERT INTO tool_calls ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        tuple(values.values()),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid
