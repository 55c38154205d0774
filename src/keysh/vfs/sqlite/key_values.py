"""KeyValues: the key-value table of a database as a mapping."""

from __future__ import annotations

import json
from collections.abc import MutableMapping

from keysh.vfs.sqlite.schema import loaded_text, stored_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.vfs.sqlite.database import Database

PUT = """
    INSERT INTO kv_store (key, value, created_at, updated_at) VALUES (CAST(? AS TEXT), ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at"""


class KeyValues(MutableMapping[str, "Any"]):
    """Keys and JSON values, in the order of the keys; part of the file system's transactions.

    A value that is no JSON raises TypeError or ValueError, and changes nothing.
    """

    __slots__ = ("_clock", "_database")

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def __getitem__(self, key: str) -> Any:
        with self._database.reading(self._database.path):
            row = self._database.execute(
                "SELECT value FROM kv_store WHERE key = CAST(? AS TEXT)", (stored_key(key),)
            ).fetchone()
        if row is None:
            raise KeyError(key)
        return json.loads(row[0])

    def __setitem__(self, key: str, value: Any) -> None:
        text = json.dumps(value, allow_nan=False)
        seconds = self._clock() // 10**9
        with self._database.change(self._database.path):
            self._database.execute(PUT, (stored_key(key), text, seconds, seconds))

    def __delitem__(self, key: str) -> None:
        with self._database.change(self._database.path):
            cursor = self._database.execute(
                "DELETE FROM kv_store WHERE key = CAST(? AS TEXT)", (stored_key(key),)
            )
            if not cursor.rowcount:
                raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        with self._database.reading(self._database.path):
            rows = self._database.execute(
                "SELECT CAST(key AS BLOB) FROM kv_store ORDER BY key"
            ).fetchall()
        return (loaded_text(key) for (key,) in rows)

    def __len__(self) -> int:
        with self._database.reading(self._database.path):
            row = self._database.execute("SELECT count(*) FROM kv_store").fetchone()
        return int(row[0])


def stored_key(key: object) -> str | bytes:
    if not isinstance(key, str):
        raise TypeError(f"a key must be a str, but is {key!r}")
    return stored_text(key)
