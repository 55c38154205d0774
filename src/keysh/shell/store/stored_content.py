"""StoredContent: the bytes of a version of a file, in parts that are rows of a database."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.sqlite.database import Database


class StoredContent:
    """A content that is kept in a database, which reads it when somebody asks."""

    __slots__ = ("_database", "_digest", "_size")

    def __init__(self, database: Database, digest: str, size: int) -> None:
        self._database, self._digest, self._size = database, digest, size

    def key(self) -> object:
        """Return what two objects with the same bytes have in common."""
        return self._digest

    def size(self) -> int:
        return self._size

    def charge(self, store: ContentStore) -> None:
        """Do nothing: it takes no memory."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes."""
        part = 0
        while True:
            with self._database.reading(self._database.path):
                row = self._database.execute(
                    "SELECT data FROM keysh_part WHERE digest = ? AND part = ?",
                    (self._digest, part),
                ).fetchone()
            if row is None:
                return
            yield row[0]
            part += 1


def add_parts(database: Database, digest: str, chunks: Iterable[bytes]) -> None:
    """Store bytes, unless they are there already."""
    query = "SELECT 1 FROM keysh_part WHERE digest = ? LIMIT 1"
    if database.execute(query, (digest,)).fetchone() is None:
        database.executemany(
            "INSERT INTO keysh_part VALUES (?, ?, ?)",
            ((digest, part, chunk) for part, chunk in enumerate(chunks)),
        )
