"""A custom file system: each row of a database is a file that scripts can read."""

from __future__ import annotations

import errno
import io
import json
import sqlite3
import stat as kinds
from typing import TYPE_CHECKING

import keysh
from keysh.vfs.api import Entry, Stat, failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream


class TableFS(keysh.FileSystem):
    """A table of keys and documents as a read-only directory of `KEY.json` files."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def stat(self, path: str) -> Stat:
        if path == "/":
            return Stat(kinds.S_IFDIR | 0o555)
        return Stat(kinds.S_IFREG | 0o444, size=len(self._document(path)))

    def list(self, path: str) -> Iterator[Entry]:
        if path != "/":
            self._document(path)
            raise failure(errno.ENOTDIR, path)
        rows = self._database.execute("SELECT key FROM documents")
        return iter([Entry(f"{key}.json", kinds.S_IFREG) for (key,) in rows])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if access != "r":
            raise failure(errno.EROFS, path)
        if path == "/":
            raise failure(errno.EISDIR, path)
        return io.BytesIO(self._document(path))

    def _document(self, path: str) -> bytes:
        """Return the bytes of a file; only names that `list` yields exist."""
        key, dot, rest = path[1:].rpartition(".json")
        query = "SELECT document FROM documents WHERE key = ?"
        row = self._database.execute(query, (key,)).fetchone() if dot and not rest else None
        if row is None:
            raise failure(errno.ENOENT, path)
        return f"{row[0]}\n".encode()


def main() -> None:
    """Fill a table, and run scripts on it."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute("CREATE TABLE documents (key TEXT PRIMARY KEY, document TEXT)")
    for key, user in {"amy": {"age": 31}, "bob": {"age": 64}, "zoë": {"age": 8}}.items():
        database.execute("INSERT INTO documents VALUES (?, ?)", (key, json.dumps(user)))
    shell = keysh.Shell({"/users": TableFS(database)}, cwd="/users")
    print(shell.run("ls; cat bob.json; jq .age *.json | sort -n | tail lines=1").stdout, end="")
    print(shell.run("cp amy.json /tmp.json && cat /tmp.json; echo x > new.json").stderr, end="")
    print(shell.run("grep -l 8 $(find / -name 'z*.json')").stdout, end="")


if __name__ == "__main__":
    main()
