"""ReadOnlyFS: a file system that cannot be changed."""

from __future__ import annotations

import errno

from keysh.vfs.api import FileSystem, LinkInPath, failure
from keysh.vfs.mounts import ErrorPaths
from keysh.vfs.paths import parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import NoReturn, Self

    from keysh.vfs.api import Access, Entry, OpenFifo, Stat
    from keysh.vfs.stream import Stream


class ReadOnlyFS(FileSystem):
    """A file system, `inner`, that can only be read: every change is EROFS.

    Other errors of a change come first, and so do links: a path that leads through one may end in
    another file system, which can be changed.

    It restricts only what goes through this object. A program of the machine finds the files by
    `real_path` and may write to them.
    """

    __module__ = "keysh"
    confines = True
    is_recorded = False

    def __init__(self, inner: FileSystem) -> None:
        self._inner = inner

    @property
    def inner(self) -> FileSystem:
        """The file system that can only be read through this one."""
        return self._inner

    def reference(self) -> dict[str, object]:
        return self._inner.reference()

    def snapshot(self) -> Self:
        copy = self._bare_copy()
        copy._inner = self._inner.snapshot()
        return copy

    def stat(self, path: str) -> Stat:
        return self._inner.stat(path)

    def list(self, path: str) -> Iterator[Entry]:
        return self._inner.list(path)

    def read_link(self, path: str) -> str:
        return self._inner.read_link(path)

    def open_directory(self, path: str) -> int | None:
        """Return None: a program that starts there could write."""
        return None

    def tree_place(self) -> str | None:
        return self._inner.tree_place()

    def real_path(self, path: str) -> str | None:
        return self._inner.real_path(path)

    def read_file(self, path: str, size: int) -> bytes:
        return self._inner.read_file(path, size)

    def at_one_time(self) -> AbstractContextManager[object]:
        return self._inner.at_one_time()

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if access == "r":
            return self._inner.open(path)
        if access == "x":
            self._refuse_new(path)
        stat = self._look(path)
        if stat:
            self._refuse_link(path, stat)
            if stat.is_directory:
                raise failure(errno.EISDIR, path)
        raise failure(errno.EROFS, path)

    def open_fifo(self, path: str, access: Access) -> OpenFifo:
        if access != "r":
            raise failure(errno.EROFS, path)
        return self._inner.open_fifo(path, access)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self._refuse_new(path)

    def make_link(self, target: str, path: str) -> None:
        self._refuse_new(path)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        self._refuse_new(path)

    def link(self, existing: str, path: str) -> None:
        with ErrorPaths(existing, path):
            self._inner.stat(existing)
            self._refuse_new(path)

    def remove(self, path: str) -> None:
        if self._inner.stat(path).is_directory:
            raise failure(errno.EISDIR, path)
        raise failure(errno.EROFS, path)

    def remove_directory(self, path: str) -> None:
        if not self._inner.stat(path).is_directory:
            raise failure(errno.ENOTDIR, path)
        raise failure(errno.EROFS, path)

    def rename(self, old: str, new: str) -> None:
        with ErrorPaths(old, new):
            self._inner.stat(old)
            self._look(new)
            raise failure(errno.EROFS, old)

    def set_mode(self, path: str, mode: int) -> None:
        self._refuse_link(path, self._inner.stat(path))
        raise failure(errno.EROFS, path)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self._inner.stat(path)
        raise failure(errno.EROFS, path)

    def set_owner(self, path: str, owner: int, group: int) -> None:
        self._inner.stat(path)
        raise failure(errno.EROFS, path)

    def _look(self, path: str) -> Stat | None:
        """Return a path's Stat; None if it could be created."""
        try:
            return self._inner.stat(path)
        except FileNotFoundError:
            with ErrorPaths(path):
                self._inner.stat(parent(path))
            return None

    def _refuse_new(self, path: str) -> NoReturn:
        raise failure(errno.EEXIST if self._look(path) else errno.EROFS, path)

    def _refuse_link(self, path: str, stat: Stat) -> None:
        if stat.is_link:
            raise LinkInPath(path, self._inner.read_link(path), "")
