"""Contents: the bytes of files, in chunks that are rows.

All chunks of a file but the last have the full size, as the specification demands, so a hole is
stored as zeros. Reading is not strict: of a foreign file a chunk may be missing or short.
"""

from __future__ import annotations

from itertools import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.sqlite.database import Database


class Contents:
    """The files of one pair of tables. Methods are called with the lock held."""

    __slots__ = (
        "_chunk_size", "_cut", "_database", "_delete", "_put", "_read", "_set_size", "_size",
    )  # fmt: skip

    def __init__(self, database: Database, inodes: str, chunks: str) -> None:
        self._database, self._chunk_size = database, database.chunk_size
        self._size = f"SELECT size FROM {inodes} WHERE ino = ?"
        self._set_size = f"""
            UPDATE {inodes} SET size = ?, mtime = ?, mtime_nsec = ?, ctime = ?, ctime_nsec = ?
            WHERE ino = ?"""
        self._read = f"""
            SELECT chunk_index, CAST(data AS BLOB) FROM {chunks}
            WHERE ino = ? AND chunk_index BETWEEN ? AND ? ORDER BY chunk_index"""
        self._put = f"""
            INSERT INTO {chunks} (ino, chunk_index, data) VALUES (?, ?, ?)
            ON CONFLICT (ino, chunk_index) DO UPDATE SET data = excluded.data"""
        self._cut = f"DELETE FROM {chunks} WHERE ino = ? AND chunk_index >= ?"
        self._delete = f"DELETE FROM {inodes} WHERE ino = ?"

    def size(self, inode: int) -> int | None:
        """Return the size of a file; None if these tables do not have it."""
        row = self._database.execute(self._size, (inode,)).fetchone()
        return row[0] if row else None

    def set_size(self, inode: int, size: int, now: int) -> None:
        """Record the size after a change, and its time."""
        self._database.execute(self._set_size, (size, *divmod(now, 10**9) * 2, inode))

    def delete(self, inode: int) -> None:
        """Delete a file."""
        self._database.execute(self._cut, (inode, 0))
        self._database.execute(self._delete, (inode,))

    def read(self, inode: int, start: int, end: int) -> bytes:
        """Return the bytes of a range that is not empty and within the file."""
        chunk_size = self._chunk_size
        first, skipped = divmod(start, chunk_size)
        last = (end - 1) // chunk_size
        rows = self._database.execute(self._read, (inode, first, last)).fetchall()
        length = end - start
        result = b"".join([data for _, data in rows])[skipped : skipped + length]
        if len(result) == length and len(rows) == last - first + 1:
            return result
        sparse = bytearray((last - first + 1) * chunk_size)
        for index, data in rows:
            place = (index - first) * chunk_size
            sparse[place : place + min(len(data), chunk_size)] = data[:chunk_size]
        return bytes(memoryview(sparse)[skipped : skipped + length])

    def write(self, inode: int, start: int, data: bytes, size: int) -> None:
        """Write bytes to a file of a size; between its end and the first byte come zeros."""
        if start > size:
            self.resize(inode, size, start)
        chunk_size = self._chunk_size
        first, skipped = divmod(start, chunk_size)
        end = start + len(data)
        last, rest = divmod(end, chunk_size)
        if skipped:
            data = self._chunk(inode, first).ljust(skipped, b"\0")[:skipped] + data
        if rest and end < size:
            data += self._chunk(inode, last)[rest:]
        if len(data) <= chunk_size:
            self._database.execute(self._put, (inode, first, data))
            return
        self._database.executemany(
            self._put,
            (
                (inode, first + place // chunk_size, data[place : place + chunk_size])
                for place in range(0, len(data), chunk_size)
            ),
        )

    def resize(self, inode: int, before: int, after: int) -> None:
        """Cut a file off or append zeros."""
        count, rest = divmod(after, self._chunk_size)
        if after > before:
            self._database.executemany(self._put, self._zeros(inode, before, count, rest))
        elif after < before:
            # Before it is deleted, since the deletion includes the chunk that is cut.
            kept = self._chunk(inode, count)[:rest] if rest else b""
            self._database.execute(self._cut, (inode, count))
            if rest:
                self._database.execute(self._put, (inode, count, kept.ljust(rest, b"\0")))

    def _zeros(
        self, inode: int, size: int, count: int, rest: int
    ) -> Iterator[tuple[int, int, bytes]]:
        """Yield the rows from the chunk with the end of a file to `count` chunks and a rest."""
        chunk_size = self._chunk_size
        first, kept = divmod(size, chunk_size)
        full = bytes(chunk_size)
        lengths = chain(((index, chunk_size) for index in range(first, count)), ((count, rest),))
        for index, length in lengths:
            if kept:
                yield inode, index, self._chunk(inode, index)[:kept].ljust(length, b"\0")
                kept = 0
            elif length:
                yield inode, index, full[:length]

    def _chunk(self, inode: int, index: int) -> bytes:
        row = self._database.execute(self._read, (inode, index, index)).fetchone()
        return row[1][: self._chunk_size] if row else b""
