"""The tables of a session, beside those of the files.

They are keysh's own, not keys of AgentFS's `kv_store`: that one belongs to hosts and agents, who
list and change its keys.

    keysh_session   one row: the format, the shell's dialect, how many changes were stored
    keysh_state     the state as the JSON of an image; one row
    keysh_run       the runs: text, status, when, how long, the limit that ended it
"""

from __future__ import annotations

import json
import sqlite3

from keysh.diagnostics.dialect import DIALECTS
from keysh.diagnostics.exceptions import ImageError
from keysh.vfs.sqlite.schema import stored_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.shell.run_result import ReachedLimit
    from keysh.vfs.sqlite.database import Database

FORMAT = 1
TABLES = (
    """CREATE TABLE IF NOT EXISTS keysh_session (
       id INTEGER PRIMARY KEY, format INTEGER NOT NULL, dialect TEXT,
       turn INTEGER NOT NULL, age INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS keysh_state (
       id INTEGER PRIMARY KEY, record TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS keysh_run (
       number INTEGER PRIMARY KEY, text TEXT NOT NULL, status INTEGER NOT NULL,
       started_at INTEGER NOT NULL, duration_ms REAL NOT NULL, "limit" TEXT)""",
)
TOOL_NAME = "keysh"


class StoredSession:
    """What a session was when it was stored.

    turn    the number of times that it has been stored
    age     nanoseconds since `$SECONDS` began
    """

    __slots__ = ("age", "dialect", "record", "turn")

    def __init__(self, dialect: str | None, turn: int, age: int, record: str) -> None:
        self.dialect, self.turn, self.age, self.record = dialect, turn, age, record


def create_session(database: Database, session: StoredSession) -> None:
    """Create the tables and a session that has run nothing, within a change."""
    for statement in TABLES:
        database.execute(statement)
    for table in ("keysh_session", "keysh_state", "keysh_run"):
        database.execute(f"DELETE FROM {table}")
    database.execute(
        "INSERT INTO keysh_session VALUES (1, ?, ?, ?, ?)",
        (FORMAT, session.dialect, session.turn, session.age),
    )
    database.execute("INSERT INTO keysh_state VALUES (1, ?)", (session.record,))


def has_session(database: Database) -> bool:
    """Whether the file has a session; within a change or a reading."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'keysh_session'"
    return database.execute(query).fetchone() is not None


def stored_turn(database: Database) -> int:
    """Return how many times the session has been stored."""
    row = database.execute("SELECT turn FROM keysh_session").fetchone()
    return int(row[0]) if row else -1


def stored_session(database: Database) -> StoredSession:
    """Return what is stored; ImageError if that is no session of this keysh."""
    try:
        row = database.execute(
            """SELECT format, dialect, turn, age, record FROM keysh_session AS s
               JOIN keysh_state AS t ON t.id = s.id"""
        ).fetchone()
    except sqlite3.OperationalError as error:
        raise unusable(database, f"its session is not one of keysh: {error}") from None
    match row:
        case (int(version), *_) if version > FORMAT:
            raise unusable(database, f"its session has format {version}, this keysh reads {FORMAT}")
        case (int(), None | str() as dialect, int(turn), int(age), str(record)) if (
            dialect is None or dialect in DIALECTS
        ):
            return StoredSession(dialect, turn, age, record)
    raise unusable(database, "its session is damaged")


def store_turn(database: Database, turn: int, age: int, record: str | None) -> None:
    """Store the session after a run; `record` is None if the state has not changed."""
    database.execute("UPDATE keysh_session SET turn = ?, age = ?", (turn, age))
    if record is not None:
        database.execute("UPDATE keysh_state SET record = ?", (record,))


def add_run(
    database: Database,
    text: str,
    status: int,
    started_at: int,
    duration_ms: float,
    limit: ReachedLimit | None,
) -> None:
    """Add a run; times are nanoseconds since 1970."""
    database.execute(
        """INSERT INTO keysh_run (text, status, started_at, duration_ms, "limit")
           VALUES (CAST(? AS TEXT), ?, ?, ?, ?)""",
        (stored_text(text), status, started_at, duration_ms, limit and json.dumps(limit_of(limit))),
    )


def limit_of(limit: ReachedLimit) -> dict[str, Any]:
    """Return the record of a limit."""
    used, allowed = (
        value if isinstance(value, int | float | None) else str(value)
        for value in (limit.used, limit.allowed)
    )
    return {"kind": limit.kind, "used": used, "allowed": allowed, "place": limit.place}


def unusable(database: Database, reason: str) -> ImageError:
    """Return the error for a file whose session cannot be used."""
    return ImageError(f"{database.path} cannot be used: {reason}")
