"""OpenInodes: which files have streams, and the contents of those that were removed meanwhile.

The specification has no inode without a name. So a file that is removed while open is moved to
temporary tables of the connection: the database never has it, and a crash frees it.

    fs_inode, fs_data   --remove the last name-->   removed_inode, removed_data   --close-->  gone

Temporary tables take part in transactions: a rollback moves the file back.
"""

from __future__ import annotations

import errno

from keysh.vfs.api import failure
from keysh.vfs.sqlite.contents import Contents
from keysh.vfs.sqlite.schema import INODE_COLUMNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.sqlite.database import Database
    from keysh.vfs.sqlite.quota import DatabaseQuota

COLUMNS = ", ".join(INODE_COLUMNS)


class OpenInode:
    """A file with streams. Its inode is 0 once the transaction that created it was rolled back."""

    __slots__ = ("inode", "streams")

    def __init__(self, inode: int) -> None:
        self.inode, self.streams = inode, 0


class OpenInodes:
    """The open files of a database. Methods are called with its lock held."""

    def __init__(self, database: Database, quota: DatabaseQuota) -> None:
        self.database, self.quota = database, quota
        self.named = Contents(database, "fs_inode", "fs_data")
        self.removed = Contents(database, "removed_inode", "removed_data")
        # Files whose streams were collected without being closed. Collection may happen anywhere,
        # even with the lock held, so it only adds to this list.
        self.abandoned: list[OpenInode] = []
        self._files: dict[int, OpenInode] = {}
        self._created: set[int] = set()  # in the explicit transaction
        self._has_removed = False

    def add_stream(self, inode: int) -> OpenInode:
        """Count one more stream of a file."""
        file = self._files.setdefault(inode, OpenInode(inode))
        file.streams += 1
        return file

    def note_created(self, inode: int) -> None:
        """Note an inode that does not outlive a rollback."""
        if self.database.is_explicit:
            self._created.add(inode)

    def is_open(self, inode: int) -> bool:
        return inode in self._files

    def contents(self, file: OpenInode, path: str) -> tuple[Contents, int]:
        """Return the contents that a file is in, and its size; ESTALE if it is in none.

        That is so after a rollback, or if another process removed it.
        """
        for contents in (self.named, self.removed):
            size = contents.size(file.inode)
            if size is not None:
                return contents, size
        raise failure(errno.ESTALE, path)

    def keep(self, inode: int) -> None:
        """Keep a copy of an open file that is about to be deleted."""
        execute = self.database.execute
        execute(
            f"""INSERT INTO removed_inode ({COLUMNS}) SELECT {COLUMNS} FROM fs_inode
                WHERE ino = ?""",
            (inode,),
        )
        execute(
            """INSERT INTO removed_data (ino, chunk_index, data)
               SELECT ino, chunk_index, data FROM fs_data WHERE ino = ?""",
            (inode,),
        )
        self._has_removed = True

    def close(self, file: OpenInode, path: str) -> None:
        """Count one stream less; free a file that has neither a stream nor a name."""
        file.streams -= 1
        if file.streams or not file.inode:
            return
        del self._files[file.inode]
        if not self._has_removed or self.database.is_closed:
            return
        with self.database.reading(path):
            size = self.removed.size(file.inode)
            if size is not None:
                self.removed.delete(file.inode)
                self.quota.release(1, size)

    def close_abandoned(self) -> None:
        """Close streams that were collected without being closed; not within a change.

        If that were taken back, the files would be there again, without a stream.
        """
        while self.abandoned:
            with self.database.lock:
                self.close(self.abandoned.pop(), self.database.path)

    def forget_created(self) -> None:
        """Keep the files that were created: the transaction was committed."""
        self._created.clear()

    def after_rollback(self) -> None:
        """Disconnect streams from files that were created in a transaction that was rolled back.

        The next file may get the same number.
        """
        for inode in self._created & self._files.keys():
            self._files.pop(inode).inode = 0
        self._created.clear()
        if self._has_removed:
            # That a file was closed, and so deleted, was taken back too.
            with self.database.reading(self.database.path):
                rows = self.database.execute("SELECT ino FROM removed_inode").fetchall()
                for (inode,) in rows:
                    if inode not in self._files:
                        self.removed.delete(inode)
