"""Quota: what the inodes and streams of a MemoryFS share: the limits, the lock and the clock."""

from __future__ import annotations

import errno
from _thread import RLock  # `threading` is slow to import

from keysh.vfs.api import failure
from keysh.vfs.memory.inodes import FileInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.vfs.memory.inodes import Inode

    Full: TypeAlias = Callable[[str, int, int], BaseException | None]


class Quota:
    """The limits and the use of a MemoryFS. All methods but `load` are called with the lock held.

    The lock guards every inode. It is never held while the clock or a lazy file's function runs.
    `files` counts names in directories, and open files without a name.
    """

    __slots__ = (
        "_full", "abandoned", "bytes", "clock", "files", "lock", "max_bytes", "max_files",
    )  # fmt: skip

    def __init__(
        self,
        clock: Callable[[], int],
        max_bytes: int | None,
        max_files: int | None,
        full: Full | None,
    ) -> None:
        # Re-entrant, since garbage collection may run a host's finalizer with the lock held.
        self.lock = RLock()
        self.clock = clock
        self.max_bytes, self.max_files = max_bytes, max_files
        self._full = full
        self.bytes = self.files = 0
        # Files whose streams were collected without being closed. Collection may happen anywhere,
        # even with the lock held, so it only adds to this list.
        self.abandoned: list[FileInode] = []

    def require_bytes(self, count: int, *names: str) -> None:
        """Raise ENOSPC unless `count` more bytes fit."""
        if self.max_bytes is None or count <= 0 or self.bytes + count <= self.max_bytes:
            return
        self.close_abandoned()
        if self.bytes + count > self.max_bytes:
            raise self._failure("file_bytes", self.bytes + count, self.max_bytes, names)

    def count_name(self, *names: str) -> None:
        """Count one more name; raise ENOSPC if there is no room."""
        if self.max_files is not None and self.files >= self.max_files:
            self.close_abandoned()
            if self.files >= self.max_files:
                raise self._failure("files", self.files + 1, self.max_files, names)
        self.files += 1

    def _failure(self, kind: str, used: int, allowed: int, names: tuple[str, ...]) -> BaseException:
        error = self._full(kind, used, allowed) if self._full is not None else None
        return error or failure(errno.ENOSPC, *names)

    def resize(self, file: FileInode, size: int) -> None:
        """Cut a file off or append zeros; the caller has called `require_bytes`."""
        before = len(file.content)
        file.resize(size)
        self.bytes += size - before

    def release_name(self, node: Inode, now: int) -> None:
        """Remove one name of an inode, which is freed with its last name and stream."""
        node.links -= 1
        node.changed = now
        if isinstance(node, FileInode) and not node.links:
            self._forget(node)
        else:
            self.files -= 1

    def release_stream(self, file: FileInode) -> None:
        file.streams -= 1
        if not file.links:
            self._forget(file)

    def close_abandoned(self) -> None:
        """Close streams that were collected without being closed."""
        while self.abandoned:
            self.release_stream(self.abandoned.pop())

    def _forget(self, file: FileInode) -> None:
        if not file.streams:
            self.files -= 1
            self.bytes -= len(file.content)
            file.content, file.lazy = b"", None

    def load(self, file: FileInode, path: str) -> None:
        """Load the contents of a lazy file, unless they have been."""
        lazy = file.lazy
        if lazy is None:
            return
        content = lazy.load(path)
        with self.lock:
            # Another thread may have loaded or replaced them meanwhile.
            if file.lazy is lazy:
                self.require_bytes(len(content), path)
                file.lazy, file.content = None, content
                self.bytes += len(content)
