"""DatabaseQuota: the limits of a SqliteFS and how much of them is used."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.vfs.api import failure
from keysh.vfs.sqlite.schema import KIND_BITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.memory.quota import Full
    from keysh.vfs.sqlite.database import Database

USE_QUERY = f"""
    SELECT (SELECT count(*) FROM fs_dentry) + (SELECT count(*) FROM removed_inode),
    (SELECT total(size) FROM fs_inode WHERE mode & {KIND_BITS} = {kinds.S_IFREG})
    + (SELECT total(size) FROM removed_inode)"""


class DatabaseQuota:
    """The limits and the use of a database. Methods are called with its lock held.

    The use is counted along. It is counted anew after another connection's changes, and after
    changes were taken back. Names in directories count as files, and open files without a name.
    """

    def __init__(
        self, database: Database, max_bytes: int | None, max_files: int | None, full: Full | None
    ) -> None:
        self._database, self._full = database, full
        self.max_bytes, self.max_files = max_bytes, max_files
        self._files = self._bytes = 0
        self._version = (0, 0)  # the use is known for this version, and is unknown for 0

    def use(self) -> tuple[int, int]:
        """Return the number of names, and of bytes."""
        data_version = self._database.execute("PRAGMA data_version").fetchone()[0]
        version = data_version, self._database.undo_count
        if version != self._version:
            files, size = self._database.execute(USE_QUERY).fetchone()
            self._files, self._bytes, self._version = files, int(size), version
        return self._files, self._bytes

    def require_bytes(self, count: int, *names: str) -> None:
        """Raise ENOSPC unless `count` more bytes fit."""
        if self.max_bytes is not None and count > 0:
            wanted = self.use()[1] + count
            if wanted > self.max_bytes:
                raise self._failure("file_bytes", wanted, self.max_bytes, names)

    def count_name(self, *names: str) -> None:
        """Count one more name; raise ENOSPC if there is no room."""
        if self.max_files is not None:
            wanted = self.use()[0] + 1
            if wanted > self.max_files:
                raise self._failure("files", wanted, self.max_files, names)
        self._files += 1

    def add_bytes(self, count: int) -> None:
        """Count bytes that were added, or, if negative, cut off."""
        self._bytes += count

    def release(self, files: int, size: int) -> None:
        """Count names and bytes that no longer exist."""
        self._files -= files
        self._bytes -= size

    def _failure(self, kind: str, used: int, allowed: int, names: tuple[str, ...]) -> BaseException:
        error = self._full(kind, used, allowed) if self._full is not None else None
        return error or failure(errno.ENOSPC, *names)
