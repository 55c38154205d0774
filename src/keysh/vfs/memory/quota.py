"""Quota: what the inodes and streams of a MemoryFS share: the limits, the lock and the clock."""

from __future__ import annotations

import errno
import stat as kinds
from _thread import RLock  # `threading` is slow to import

from keysh.vfs.api import failure
from keysh.vfs.memory.inodes import FileInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.vfs.memory.inodes import Inode
    from keysh.vfs.memory.tree import InodeTree

    Full: TypeAlias = Callable[[str, int, int], BaseException | None]


class Quota:
    """The limits and the use of a MemoryFS. All methods are called with the lock held.

    The lock guards the tree and every inode that it owns. It is never held while the clock or a
    lazy file's function runs. `files` counts names in directories, and open files without a name.
    """

    __slots__ = (
        "_full", "abandoned", "bytes", "clock", "files", "lock", "max_bytes", "max_files", "tree",
    )  # fmt: skip

    def __init__(
        self,
        tree: InodeTree,
        clock: Callable[[], int],
        max_bytes: int | None,
        max_files: int | None,
        full: Full | None = None,
    ) -> None:
        # Re-entrant, since garbage collection may run a host's finalizer with the lock held.
        self.lock = RLock()
        self.tree = tree
        self.clock = clock
        self.max_bytes, self.max_files = max_bytes, max_files
        self._full = full
        self.bytes = self.files = 0
        # The inode numbers of streams that were collected without being closed. Collection may
        # happen anywhere, even with the lock held, so it only adds to this list.
        self.abandoned: list[int] = []

    def of_snapshot(self) -> Quota:
        """Return the limits and use of a snapshot, with a tree of its own.

        It is full as a disk is: `full` may speak for the shell that has the original.
        """
        self.close_abandoned()
        nameless = self.tree.nameless_files()
        copy = Quota(self.tree.snapshot(), self.clock, self.max_bytes, self.max_files)
        copy.files = self.files - len(nameless)
        copy.bytes = self.bytes - sum(len(file.content) for file in nameless)
        return copy

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
        """Count one name of an inode less; the inode is freed with its last name and stream."""
        if node.kind == kinds.S_IFDIR:
            self.files -= 1
        elif node.links == 1 and node.number not in self.tree.streams:
            self._free(node)
        else:
            node = self.tree.own_inode(node)
            node.links -= 1
            node.changed = now
            if node.links:
                self.files -= 1
            else:
                assert isinstance(node, FileInode)  # nothing else can be open
                self.tree.add_nameless(node)

    def release_stream(self, number: int) -> None:
        """Count one open stream of a file less."""
        tree = self.tree
        streams = tree.streams
        assert streams
        count = streams.pop(number)
        if count > 1:
            streams[number] = count - 1
        else:
            nameless = tree.take_nameless(number)
            if nameless is not None:
                self._free(nameless)
            if not streams:
                tree.streams = ()  # most trees have no open stream most of the time

    def close_abandoned(self) -> None:
        """Close streams that were collected without being closed."""
        while self.abandoned:
            self.release_stream(self.abandoned.pop())

    def fill(self, file: FileInode, content: bytes, path: str) -> None:
        """Give a lazy file its contents."""
        self.require_bytes(len(content), path)
        file.lazy, file.content = None, content
        self.bytes += len(content)

    def _free(self, node: Inode) -> None:
        self.files -= 1
        if isinstance(node, FileInode):
            self.bytes -= len(node.content)
            if node.owner is self.tree.mark:
                node.content, node.lazy = b"", None  # a closed stream may still refer to it
        self.tree.forget_replacement(node.number)
