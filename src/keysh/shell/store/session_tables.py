"""The tables of a session, beside those of the files.

They are keysh's own, not keys of AgentFS's `kv_store`: that one belongs to hosts and agents, who
list and change its keys.

    keysh_session   one row: the format, the shell's dialect, how many changes were stored, the
                    present state
    keysh_state     states as the JSON of images
    keysh_run       the history: what ran, the states before and after it, whether it is undone

`version_tables` has what runs did to files. AgentFS's database knows no CHECK and no partial index.
"""

from __future__ import annotations

import json
import sqlite3

from keysh.diagnostics.dialect import DIALECTS
from keysh.diagnostics.exceptions import ImageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.shell.run_result import ReachedLimit
    from keysh.vfs.sqlite.database import Database

FORMAT = 1
TABLES = {
    "keysh_session": """
        id INTEGER PRIMARY KEY, format INTEGER NOT NULL, dialect TEXT, turn INTEGER NOT NULL,
        age INTEGER NOT NULL, state INTEGER NOT NULL, has_forgotten INTEGER NOT NULL""",
    "keysh_state": "id INTEGER PRIMARY KEY, record TEXT NOT NULL",
    "keysh_run": """
        number INTEGER PRIMARY KEY, place INTEGER NOT NULL, is_undone INTEGER NOT NULL,
        text TEXT NOT NULL, status INTEGER, time REAL NOT NULL, ms REAL NOT NULL,
        reached TEXT, programs TEXT NOT NULL, reasons TEXT NOT NULL, moves TEXT NOT NULL,
        before INTEGER NOT NULL, after INTEGER NOT NULL""",
    "keysh_change": "run INTEGER NOT NULL, before INTEGER, after INTEGER",
    "keysh_version": """
        id INTEGER PRIMARY KEY, match TEXT NOT NULL, more TEXT NOT NULL, file INTEGER NOT NULL,
        content INTEGER""",
    "keysh_file": "id INTEGER PRIMARY KEY, identity TEXT NOT NULL, changed INTEGER NOT NULL",
    "keysh_content": """
        id INTEGER PRIMARY KEY, digest TEXT, size INTEGER NOT NULL, is_kept INTEGER NOT NULL,
        live TEXT, lost TEXT NOT NULL""",
    "keysh_part": """
        digest TEXT NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (digest, part)""",
}
INDEXES = (
    "keysh_change(run)", "keysh_version(match)", "keysh_file(identity)", "keysh_content(digest)",
)  # fmt: skip


class StoredSession:
    """What a session was when it was stored.

    turn    the number of times that it has been stored
    age     nanoseconds since `$SECONDS` began
    state   the row of the state
    """

    __slots__ = ("age", "dialect", "record", "state", "turn")

    def __init__(self, dialect: str | None, turn: int, age: int, state: int, record: str) -> None:
        self.dialect, self.turn, self.age = dialect, turn, age
        self.state, self.record = state, record


def create_session(
    database: Database, dialect: str | None, turn: int, age: int, record: str
) -> int:
    """Create a session that has run nothing, within a change; return the row of its state."""
    for table, columns in TABLES.items():
        database.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
        database.execute(f"DELETE FROM {table}")
    for index in INDEXES:
        name = "idx_" + index.rstrip(")").replace("(", "_")
        database.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {index}")
    state = add_state(database, record)
    database.execute(
        "INSERT INTO keysh_session VALUES (1, ?, ?, ?, ?, ?, 0)",
        (FORMAT, dialect, turn, age, state),
    )
    return state


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
            """SELECT format, dialect, turn, age, s.state, record FROM keysh_session AS s
               JOIN keysh_state AS t ON t.id = s.state"""
        ).fetchone()
    except sqlite3.OperationalError as error:
        raise unusable(database, f"its session is not one of keysh: {error}") from None
    match row:
        case (int(version), *_) if version > FORMAT:
            raise unusable(database, f"its session has format {version}, this keysh reads {FORMAT}")
        case (int(), None | str() as dialect, int(turn), int(age), int(state), str(record)) if (
            dialect is None or dialect in DIALECTS
        ):
            return StoredSession(dialect, turn, age, state, record)
    raise unusable(database, "its session is damaged")


def store_turn(database: Database, turn: int, age: int, state: int) -> None:
    """Store the session after a run, whose state is in a row."""
    database.execute("UPDATE keysh_session SET turn = ?, age = ?, state = ?", (turn, age, state))


def add_state(database: Database, record: str) -> int:
    """Add a state and return its row."""
    row = database.execute("INSERT INTO keysh_state (record) VALUES (?)", (record,)).lastrowid
    assert row is not None
    return row


def state_record(database: Database, row: int) -> str:
    """Return a state that is stored."""
    found = database.execute("SELECT record FROM keysh_state WHERE id = ?", (row,)).fetchone()
    if found is None or not isinstance(found[0], str):
        raise unusable(database, "a state of its history is damaged")
    return str(found[0])


def text_of_limit(limit: ReachedLimit | None) -> str | None:
    """Return a limit as JSON."""
    if limit is None:
        return None
    values: list[Any] = [limit.kind, limit.used, limit.allowed, limit.place]
    return json.dumps([x if isinstance(x, int | float | None) else str(x) for x in values])


def unusable(database: Database, reason: str) -> ImageError:
    """Return the error for a file whose session cannot be used."""
    return ImageError(f"{database.path} cannot be used: {reason}")
