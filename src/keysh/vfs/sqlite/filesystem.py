"""SqliteFS: files in one SQLite file, with transactions."""

from __future__ import annotations

import errno
import os
import stat as kinds
import time

from keysh.vfs.api import FileSystem, failure
from keysh.vfs.memory.inodes import fault_of_target
from keysh.vfs.memory.stream import MAX_FILE_BYTES
from keysh.vfs.sqlite.database import Database
from keysh.vfs.sqlite.key_values import KeyValues
from keysh.vfs.sqlite.open_inodes import OpenInodes
from keysh.vfs.sqlite.quota import DatabaseQuota
from keysh.vfs.sqlite.stream import SqliteStream
from keysh.vfs.sqlite.tool_calls import add_tool_call
from keysh.vfs.sqlite.tree import InodeTable, refuse_name, seconds_and_nanoseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Literal

    from keysh.vfs.api import Access, Entry, Stat
    from keysh.vfs.memory.quota import Full
    from keysh.vfs.sqlite.database import Change, Reading

ACCESSES = ("r", "w", "a", "x", "rw")
SYNCHRONOUS = ("normal", "full")


class SqliteFS(FileSystem):
    """A file system in one SQLite file, with links, hard links, modes and times, as on Linux.

    `path` is a file of this machine, which is created if it is missing. It has the schema of the
    Agent Filesystem Specification 0.4, so AgentFS and its tools read it as well. A file that is
    something else, or damaged, is a ValueError; no error of SQLite but OSErrors leave the verbs.

    Each verb commits its change, until `begin` is called: then all changes wait for `commit` or
    `rollback`. What was committed survives the end of this process at any moment. With
    `synchronous="full"` it survives that of the machine as well, and each commit waits for the
    disk. A file is written by one process at a time; another one waits `timeout` seconds, then its
    change is EBUSY. With `read_only`, or if the file cannot be written, changes are EROFS.

    `max_bytes`, `max_files`, `full` and `clock` are those of `MemoryFS`. Modes are kept but not
    enforced. Times are kept to the nanosecond; reading a file does not set its access time. Holes
    take as much space as other bytes.

    `values` is a mapping of strings to JSON values, in the same transactions. `database` is for
    whoever keeps tables of their own there.
    """

    __module__ = "keysh"
    keeps_inodes = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        max_bytes: int | None = None,
        max_files: int | None = None,
        clock: Callable[[], int] | None = None,
        full: Full | None = None,
        timeout: float = 5.0,
        synchronous: Literal["normal", "full"] = "normal",
        read_only: bool = False,
    ) -> None:
        if synchronous not in SYNCHRONOUS:
            raise ValueError(
                f"synchronous must be one of {', '.join(SYNCHRONOUS)}, but is {synchronous!r}"
            )
        self._clock = clock or time.time_ns
        database = Database(os.fspath(path), timeout, synchronous, read_only, self._clock())
        self._connect(database, DatabaseQuota(database, max_bytes, max_files, full))

    def _connect(self, database: Database, quota: DatabaseQuota) -> None:
        self.database, self._quota = database, quota
        self._files = OpenInodes(database, quota)
        self._tree = InodeTable(database)
        self.values = KeyValues(database, self._clock)

    def frozen_view(self) -> SqliteFS:
        """Return the files as they were committed last, read-only, whatever is changed later."""
        view = object.__new__(SqliteFS)
        view._clock, database = self._clock, self.database.frozen_database()
        view._connect(database, DatabaseQuota(database, None, None, None))
        view.is_in_images = True  # nobody else can grant what it shows
        return view

    @property
    def path(self) -> str:
        """The file of this machine."""
        return self.database.path

    @property
    def bytes_used(self) -> int:
        """The bytes that count against `max_bytes`."""
        return self._use()[1]

    @property
    def files_used(self) -> int:
        """The names that count against `max_files`."""
        return self._use()[0]

    @property
    def max_bytes(self) -> int | None:
        """The limit for the contents of all files."""
        return self._quota.max_bytes

    @property
    def max_files(self) -> int | None:
        """The limit for the names in all directories."""
        return self._quota.max_files

    def begin(self) -> None:
        """Let changes wait for `commit`. RuntimeError in a transaction.

        The first change locks the file: from then on another process reads what was there before,
        and waits to write. If the disk is full, SQLite may take everything back at once; then
        changes are refused until `commit`, which fails, or `rollback`.
        """
        self.database.begin()

    def commit(self) -> None:
        """Keep all changes since `begin`; if they cannot be written, OSError, and none is kept."""
        with self.database.lock:
            try:
                self.database.commit()
            except OSError:
                self._files.after_rollback()
                raise
            self._files.forget_created()

    def rollback(self) -> None:
        """Take back all changes since `begin`.

        The stream of a file that was created since then is ESTALE.
        """
        with self.database.lock:
            try:
                self.database.rollback()
            finally:
                self._files.after_rollback()

    def close(self) -> None:
        """Take back what is not committed, and close the file. Verbs are a ValueError from now on.

        A file system that is not closed is closed when it is collected.
        """
        self.database.close()

    def __enter__(self) -> SqliteFS:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def record_tool_call(
        self,
        name: str,
        parameters: Any = None,
        *,
        result: Any = None,
        error: str | None = None,
        started_at: float,
        completed_at: float,
    ) -> int:
        """Add a row to the table of tool calls, which nothing changes later; return its number.

        Times are seconds since 1970, as of `time.time()`; the table keeps whole seconds, and the
        duration in milliseconds. A result is ignored if there is an error.
        """
        with self.database.change(self.path):
            return add_tool_call(
                self.database, name, parameters, result, error, started_at, completed_at
            )

    def stat(self, path: str) -> Stat:
        with self.database.reading(path):
            return self._tree.stat_path(path)

    def list(self, path: str) -> Iterator[Entry]:
        """Return the entries in order of creation, as they are now."""
        with self.database.reading(path):
            inode, mode = self._tree.find(path)
            if not kinds.S_ISDIR(mode):
                raise self._tree.path_error(path, inode, mode, path)
            return iter(self._tree.entries(inode))

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> SqliteStream:
        if access not in ACCESSES:
            raise ValueError(f"access must be one of {', '.join(ACCESSES)}, but is {access!r}")
        now = self._clock()
        database, files = self.database, self._files
        with database.lock:
            if access == "r":
                with database.reading(path):
                    inode, mode = self._tree.find(path)
                    self._require_file(path, inode, mode)
            else:
                with self._addition(path):
                    inode = self._file_to_write(path, access, permissions, now)
            return SqliteStream(files, inode, path, access, self._clock)

    def read_file(self, path: str, size: int) -> bytes:
        with self.database.reading(path):
            inode, mode, present, *_ = self._tree.row_of(path)
            self._require_file(path, inode, mode, present)
            return self._files.named.read(inode, 0, present) if present else b""

    def at_one_time(self) -> Reading:
        return self.database.reading(self.path)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        now = self._clock()
        with self._addition(path):
            directory, name = self._tree.new_entry(path)
            self._quota.count_name(path)
            self._tree.create(directory, name, kinds.S_IFDIR | permissions & 0o1777, now)

    def remove_directory(self, path: str) -> None:
        if path == "/":
            raise failure(errno.EBUSY, path)
        now = self._clock()
        with self.database.change(path):
            directory, name, inode, mode = self._tree.existing_entry(path)
            if not kinds.S_ISDIR(mode):
                raise failure(errno.ENOTDIR, path)
            if not self._tree.is_empty(inode):
                raise failure(errno.ENOTEMPTY, path)
            self._tree.remove_name(directory, name, now)
            self._release_name(inode, mode, now)

    def remove(self, path: str) -> None:
        if path == "/":
            raise failure(errno.EISDIR, path)
        now = self._clock()
        with self.database.change(path):
            directory, name, inode, mode = self._tree.existing_entry(path)
            if kinds.S_ISDIR(mode):
                raise failure(errno.EISDIR, path)
            self._tree.remove_name(directory, name, now)
            self._release_name(inode, mode, now)

    def rename(self, old: str, new: str) -> None:
        now = self._clock()
        with self.database.change(new, old):
            source, old_name = self._tree.parent_and_name(old, new, old)
            target, new_name = self._tree.parent_and_name(new, new, old)
            if "/" in (old, new):
                raise failure(errno.EBUSY, new, old)
            _, _, inode, mode = self._tree.existing_entry(old, new, old)
            replaced = self._tree.entry(target, new_name)
            if replaced is None:
                refuse_name(new_name, new, old)
            if new.startswith(f"{old}/"):
                raise failure(errno.EINVAL, new, old)
            if old.startswith(f"{new}/"):
                raise failure(errno.ENOTEMPTY, new, old)
            if replaced is not None:
                if replaced[0] == inode:
                    return
                self._refuse_replacing(*replaced, mode, new, old)
                self._tree.remove_name(target, new_name, now)
                self._release_name(*replaced, now)
            self._tree.remove_name(source, old_name, now)
            self._tree.add_name(target, new_name, inode, now)
            self._tree.change(inode, "nlink = nlink", (), now)

    def link(self, existing: str, path: str) -> None:
        now = self._clock()
        with self._addition(path, existing):
            inode, mode = self._tree.find(existing, path, existing)
            directory, name = self._tree.new_entry(path, path, existing)
            if kinds.S_ISDIR(mode):
                raise failure(errno.EPERM, path, existing)
            self._quota.count_name(path, existing)
            self._tree.add_name(directory, name, inode, now)
            self._tree.change(inode, "nlink = nlink + 1", (), now)

    def make_link(self, target: str, path: str) -> None:
        fault = fault_of_target(target)
        if fault:
            raise failure(fault, path)
        now = self._clock()
        with self._addition(path):
            directory, name = self._tree.new_entry(path)
            self._quota.count_name(path)
            self._tree.create_link(directory, name, target, now)

    def read_link(self, path: str) -> str:
        with self.database.reading(path):
            inode, mode = self._tree.find(path)
            if not kinds.S_ISLNK(mode):
                raise failure(errno.EINVAL, path)
            return self._tree.target(inode)

    def set_mode(self, path: str, mode: int) -> None:
        now = self._clock()
        with self.database.change(path):
            inode, before = self._tree.find(path)
            if kinds.S_ISLNK(before):
                raise self._tree.path_error(path, inode, before, path)
            self._tree.change(inode, "mode = ?", (kinds.S_IFMT(before) | mode & 0o7777,), now)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        now = self._clock()
        times = (*seconds_and_nanoseconds(accessed, path), *seconds_and_nanoseconds(modified, path))
        with self.database.change(path):
            inode, _ = self._tree.find(path)
            self._tree.change(
                inode, "atime = ?, atime_nsec = ?, mtime = ?, mtime_nsec = ?", times, now
            )

    def set_owner(self, path: str, owner: int, group: int) -> None:
        now = self._clock()
        with self.database.change(path):
            inode, _ = self._tree.find(path)
            what = "uid = iif(?1 < 0, uid, ?1), gid = iif(?2 < 0, gid, ?2)"
            self._tree.change(inode, what, (owner, group), now)

    def _use(self) -> tuple[int, int]:
        self._files.close_abandoned()
        with self.database.reading(self.path):
            return self._quota.use()

    def _addition(self, *names: str) -> Change:
        """Return a context for a change that may need room."""
        self._files.close_abandoned()
        return self.database.change(*names)

    def _require_file(self, path: str, inode: int, mode: int, size: int | None = None) -> int:
        """Return the size of a file that is to be opened; raise if it cannot be."""
        if kinds.S_ISDIR(mode):
            raise failure(errno.EISDIR, path)
        if kinds.S_ISLNK(mode):
            raise self._tree.path_error(path, inode, mode, path)
        if not kinds.S_ISREG(mode):
            raise failure(errno.ENXIO, path)
        if size is None:
            size = self._files.named.size(inode)
        if size is None or size > MAX_FILE_BYTES:
            raise failure(errno.EFBIG, path)
        return size

    def _file_to_write(self, path: str, access: Access, permissions: int, now: int) -> int:
        """Return the file to open; create or truncate it, depending on the access."""
        directory, name = self._tree.parent_and_name(path)
        if path == "/":
            raise failure(errno.EEXIST if access == "x" else errno.EISDIR, path)
        entry = self._tree.entry(directory, name)
        if entry is None:
            refuse_name(name, path)
            self._quota.count_name(path)
            mode = kinds.S_IFREG | permissions & 0o7777
            inode = self._tree.create(directory, name, mode, now)
            self._files.note_created(inode)
            return inode
        if access == "x":
            raise failure(errno.EEXIST, path)
        inode, mode = entry
        size = self._require_file(path, inode, mode)
        if self.database.is_read_only:
            raise failure(errno.EROFS, path)  # SQLite would say so at the first write
        if access == "w":
            self._files.named.resize(inode, size, 0)
            self._files.named.set_size(inode, 0, now)
            self._quota.add_bytes(-size)
        return inode

    def _refuse_replacing(
        self, replaced: int, replaced_mode: int, mode: int, new: str, old: str
    ) -> None:
        """Raise unless a file replaces a file, or a directory an empty directory."""
        if kinds.S_ISDIR(mode):
            if not kinds.S_ISDIR(replaced_mode):
                raise failure(errno.ENOTDIR, new, old)
            if not self._tree.is_empty(replaced):
                raise failure(errno.ENOTEMPTY, new, old)
        elif kinds.S_ISDIR(replaced_mode):
            raise failure(errno.EISDIR, new, old)

    def _release_name(self, inode: int, mode: int, now: int) -> None:
        """Count one name of an inode less; it is deleted with the last."""
        if not kinds.S_ISDIR(mode) and self._tree.link_count(inode) > 1:
            self._tree.change(inode, "nlink = nlink - 1", (), now)
            self._quota.release(1, 0)
            return
        is_kept = self._files.is_open(inode)
        size = self._files.named.size(inode) if kinds.S_ISREG(mode) else 0
        if is_kept:
            self._files.keep(inode)
        self._files.named.delete(inode)
        if kinds.S_ISLNK(mode):
            self.database.execute("DELETE FROM fs_symlink WHERE ino = ?", (inode,))
        if not is_kept:
            self._quota.release(1, size or 0)
