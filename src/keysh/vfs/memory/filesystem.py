"""MemoryFS: files in the memory of this process."""

from __future__ import annotations

import errno
import time
from stat import S_IFLNK

from keysh.vfs.api import Entry, FileSystem, failure
from keysh.vfs.memory.fifo import FifoEnd, FifoPipes
from keysh.vfs.memory.inode_records import records_of_tree, tree_of_records
from keysh.vfs.memory.inodes import (
    DirectoryInode,
    FifoInode,
    FileInode,
    LazyContent,
    LinkInode,
    encode,
    fault_of_target,
)
from keysh.vfs.memory.quota import Quota
from keysh.vfs.memory.stream import MemoryStream
from keysh.vfs.memory.tree import OWNER_READ, OWNER_WRITE, InodeTree, refuse_replacing
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Self

    from keysh.vfs.api import Access, Stat
    from keysh.vfs.memory.quota import Full

    Content = str | bytes | Callable[[], str | bytes]

ACCESS_PERMISSIONS = {
    "r": OWNER_READ,
    "w": OWNER_WRITE,
    "a": OWNER_WRITE,
    "x": OWNER_WRITE,
    "rw": OWNER_READ | OWNER_WRITE,
}


class MemoryFS(FileSystem):
    """A file system in memory, with links, hard links, modes and times, as on Linux.

    `files` maps paths to contents: a string (UTF-8, surrogates stand for other bytes), bytes, or a
    function that returns either. A function is called once, when the contents or size are first
    needed; if it fails, that is EIO, and the next access calls it again. Two such functions must
    not read each other's files.

    `max_bytes` limits the contents of all files, `max_files` the names in all directories; files
    that were removed while open count until they are closed. Beyond a limit is ENOSPC, with nothing
    changed. `full` may return another exception instead: it receives "file_bytes" or "files", the
    number needed and the limit. A file has at most 1 GiB, else EFBIG.

    `clock` returns nanoseconds since 1970. Reading a file does not set its access time. A
    directory's link count is two plus the number of its subdirectories.

    Modes are kept but not enforced. With `enforce_modes` the owner's bits count, as for a user who
    owns everything and is not root.
    """

    __module__ = "keysh"
    __slots__ = ("_enforces", "_pipes", "_quota", "_tree")
    keeps_inodes = True

    def __init__(
        self,
        files: Mapping[str, Content] | None = None,
        *,
        max_bytes: int | None = None,
        max_files: int | None = None,
        clock: Callable[[], int] | None = None,
        enforce_modes: bool = False,
        full: Full | None = None,
    ) -> None:
        clock = clock or time.time_ns
        now = clock()
        self._enforces = enforce_modes
        self._pipes: FifoPipes | None = None
        self._tree = InodeTree(DirectoryInode(1, 0o755, now, object()), enforce_modes)
        self._quota = Quota(self._tree, clock, max_bytes, max_files, full)
        parents = {"": self._tree.root}
        for path, content in (files or {}).items():
            self._add(normal_path(join("/", path)), content, parents, now)

    @property
    def enforces_modes(self) -> bool:
        """Whether the permission bits of files and directories hold."""
        return self._enforces

    @property
    def bytes_used(self) -> int:
        """The bytes that count against `max_bytes`."""
        with self._quota.lock:
            self._quota.close_abandoned()
            return self._quota.bytes

    @property
    def files_used(self) -> int:
        """The names that count against `max_files`."""
        with self._quota.lock:
            self._quota.close_abandoned()
            return self._quota.files

    @property
    def max_bytes(self) -> int | None:
        """The limit for the contents of all files."""
        return self._quota.max_bytes

    @property
    def max_files(self) -> int | None:
        """The limit for the names in all directories."""
        return self._quota.max_files

    def snapshot(self) -> Self:
        """Return an independent copy with the same limits and clock.

        It takes the same time for any number of files: both sides share directories and files
        until one of them changes them. Open streams stay with the original.
        """
        copy = self._bare_copy()
        copy._enforces, copy._pipes = self._enforces, None
        with self._quota.lock:
            copy._quota = self._quota.of_snapshot()
        copy._tree = copy._quota.tree
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for `pickle`: all files by value."""
        quota, tree = (copy := self.snapshot())._quota, copy._tree
        return {
            **getattr(self, "__dict__", {}),
            "_enforces": self._enforces,
            "_tree": (records_of_tree(tree), tree.last_number, quota.files, quota.bytes),
            "_quota": (quota.clock, quota.max_bytes, quota.max_files),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        attributes = dict(state)
        self._enforces, self._pipes = attributes.pop("_enforces"), None
        records, last_number, files, size = attributes.pop("_tree")
        self._tree = tree_of_records(records, self._enforces)
        self._tree.last_number = last_number
        self._quota = Quota(self._tree, *attributes.pop("_quota"))
        if attributes:
            self.__dict__.update(attributes)
        self._quota.files, self._quota.bytes = files, size

    def stat(self, path: str) -> Stat:
        while True:
            with self._quota.lock:
                node = self._tree.find(path)
                if not isinstance(node, FileInode) or node.lazy is None:
                    return node.stat()
                lazy = node.lazy
            content = lazy.load(path)
            with self._quota.lock:
                # Another thread may have loaded, replaced or removed it meanwhile.
                node = self._tree.own_path(path)
                if isinstance(node, FileInode) and node.lazy is lazy:
                    self._quota.fill(node, content, path)

    def list(self, path: str) -> Iterator[Entry]:
        """Return the entries in order of creation, as they are now."""
        with self._quota.lock:
            node = self._tree.find(path)
            if not isinstance(node, DirectoryInode):
                raise self._tree.path_error(path)
            self._tree.require_permission(node, OWNER_READ, path)
            names = [*node.entries]
            kinds = [below.kind for below in node.entries.values()]
        return map(Entry, names, kinds)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> MemoryStream:
        wanted = ACCESS_PERMISSIONS.get(access)
        if wanted is None:
            raise ValueError(
                f"access must be one of {', '.join(ACCESS_PERMISSIONS)}, but is {access!r}"
            )
        space = self._quota
        now = 0 if access == "r" else space.clock()
        with space.lock:
            if space.abandoned:
                space.close_abandoned()
            return MemoryStream(space, self._file(path, access, permissions, now), path, access)

    def make_first_directories(self, modes: Mapping[str, int]) -> None:
        """Make directories of the root by name, as every new shell does (3x `make_directory`)."""
        now = self._quota.clock()
        root, _ = self._tree.parent_and_name("/")
        for name, mode in modes.items():
            self._quota.count_name(name)
            root.add_entry(name, self._new_directory(mode, now), now)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        now = self._quota.clock()
        with self._quota.lock:
            directory, name = self._tree.new_entry(path)
            self._quota.count_name(path)
            directory.add_entry(name, self._new_directory(permissions & 0o1777, now), now)

    def remove_directory(self, path: str) -> None:
        if path == "/":
            raise failure(errno.EBUSY, path)
        now = self._quota.clock()
        with self._quota.lock:
            directory, name, node = self._tree.existing_entry(path)
            self._tree.require_permission(directory, OWNER_WRITE, path)
            if not isinstance(node, DirectoryInode):
                raise failure(errno.ENOTDIR, path)
            if node.entries:
                raise failure(errno.ENOTEMPTY, path)
            directory.remove_entry(name, now)
            self._quota.release_name(node, now)

    def remove(self, path: str) -> None:
        if path == "/":
            raise failure(errno.EISDIR, path)
        now = self._quota.clock()
        with self._quota.lock:
            directory, name, node = self._tree.existing_entry(path)
            self._tree.require_permission(directory, OWNER_WRITE, path)
            if isinstance(node, DirectoryInode):
                raise failure(errno.EISDIR, path)
            directory.remove_entry(name, now)
            self._quota.release_name(node, now)

    def rename(self, old: str, new: str) -> None:
        now = self._quota.clock()
        with self._quota.lock:
            source, old_name = self._tree.parent_and_name(old, new, old)
            target, new_name = self._tree.parent_and_name(new, new, old)
            if "/" in (old, new):
                raise failure(errno.EBUSY, new, old)
            node = source.entries.get(old_name)
            if node is None:
                raise self._tree.path_error(old, new, old)
            node = self._tree.present_version(node)
            replaced = target.entries.get(new_name)
            if replaced is None:
                self._tree.refuse_name(new_name, new, new, old)
            else:
                replaced = self._tree.present_version(replaced)
            if new.startswith(f"{old}/"):
                raise failure(errno.EINVAL, new, old)
            if old.startswith(f"{new}/"):
                raise failure(errno.ENOTEMPTY, new, old)
            if replaced is node:
                return
            for directory in (source, target):
                self._tree.require_permission(directory, OWNER_WRITE, new, new, old)
            if replaced is not None:
                refuse_replacing(replaced, node, new, old)
            if isinstance(node, DirectoryInode) and source is not target:
                self._tree.require_permission(node, OWNER_WRITE, new, new, old)  # its `..` changes
            if replaced is not None:
                target.remove_entry(new_name, now)
                self._quota.release_name(replaced, now)
            source.remove_entry(old_name, now)
            target.add_entry(new_name, node, now)
            self._tree.own_entry(target, new_name, node).changed = now

    def link(self, existing: str, path: str) -> None:
        now = self._quota.clock()
        with self._quota.lock:
            node = self._tree.find(existing, path, existing)
            directory, name = self._tree.new_entry(path, path, existing)
            if isinstance(node, DirectoryInode):
                raise failure(errno.EPERM, path, existing)
            self._quota.count_name(path, existing)
            node = self._tree.own_path(existing)
            directory.add_entry(name, node, now)
            node.links += 1
            node.changed = now

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        now = self._quota.clock()
        with self._quota.lock:
            directory, name = self._tree.new_entry(path)
            self._quota.count_name(path)
            new = FifoInode(self._tree.next_number(), permissions & 0o7777, now, self._tree.mark)
            directory.add_entry(name, new, now)

    def open_fifo(self, path: str, access: Access) -> FifoEnd:
        with self._quota.lock:
            node = self._tree.find(path)
            if not isinstance(node, FifoInode):
                raise failure(errno.EACCES, path)
            self._tree.require_permission(node, ACCESS_PERMISSIONS[access], path)
            self._pipes = self._pipes or FifoPipes()
            return FifoEnd(self._pipes.get(node.number), path, access)

    def make_link(self, target: str, path: str) -> None:
        fault = fault_of_target(target)
        if fault:
            raise failure(fault, path)
        now = self._quota.clock()
        with self._quota.lock:
            directory, name = self._tree.new_entry(path)
            self._quota.count_name(path)
            new = LinkInode(self._tree.next_number(), now, self._tree.mark, target)
            directory.add_entry(name, new, now)

    def read_link(self, path: str) -> str:
        with self._quota.lock:
            node = self._tree.find(path)
            if not isinstance(node, LinkInode):
                raise failure(errno.EINVAL, path)
            return node.target

    def set_mode(self, path: str, mode: int) -> None:
        now = self._quota.clock()
        with self._quota.lock:
            node = self._tree.own_path(path)
            if isinstance(node, LinkInode):
                raise self._tree.path_error(path)
            node.permissions = mode & 0o7777
            node.changed = now

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        now = self._quota.clock()
        with self._quota.lock:
            node = self._tree.own_path(path)
            node.accessed, node.modified, node.changed = accessed, modified, now

    def _file(self, path: str, access: Access, permissions: int, now: int) -> FileInode:
        """Return the file to open; create or truncate it, depending on the access."""
        tree = self._tree
        if access == "r" or path == "/":
            node = tree.find(path)
        else:
            directory, name = tree.parent_and_name(path)
            present = directory.entries.get(name)
            if present is None:
                tree.refuse_name(name, path)
                tree.require_permission(directory, OWNER_WRITE, path)
                self._quota.count_name(path)
                new = FileInode(tree.next_number(), permissions & 0o7777, now, tree.mark)
                directory.add_entry(name, new, now)
                return new
            node = present if tree.replacements is None else tree.replacements.get(present)
        if access == "x":
            raise failure(errno.EEXIST, path)
        if isinstance(node, FifoInode):
            raise failure(errno.EACCES, path)  # `open_fifo` opens it
        if not isinstance(node, FileInode):
            raise tree.path_error(path) if node.kind == S_IFLNK else failure(errno.EISDIR, path)
        if self._enforces:
            tree.require_permission(node, ACCESS_PERMISSIONS[access], path)
        if access == "r":
            return node
        if node.owner is not tree.mark:
            node = tree.own_entry(directory, name, node)
        if access == "w":
            self._quota.bytes -= len(node.content)
            node.content, node.lazy = b"", None
            node.modified = node.changed = now
        return node

    def _new_directory(self, permissions: int, now: int) -> DirectoryInode:
        return DirectoryInode(self._tree.next_number(), permissions, now, self._tree.mark)

    def _add(
        self, path: str, content: Content, parents: dict[str, DirectoryInode], now: int
    ) -> None:
        """Add an initial file and the directories above it; no lock is needed yet."""
        above, _, name = path.rpartition("/")
        directory = parents.get(above)
        if directory is None:
            directory = self._make_directories(above, parents)
        if path == "/" or name in directory.entries:
            raise failure(errno.EEXIST, path)
        self._tree.refuse_name(name, path)
        file = FileInode(self._tree.next_number(), 0o644, now, self._tree.mark)
        if callable(content):
            file.lazy = LazyContent(content)
        else:
            file.content = encode(content)
            self._quota.require_bytes(len(file.content), path)
            self._quota.bytes += len(file.content)
        self._quota.count_name(path)
        directory.add_entry(name, file, now)

    def _make_directories(self, path: str, parents: dict[str, DirectoryInode]) -> DirectoryInode:
        steps = path.split("/")
        for count in range(2, len(steps) + 1):
            above = "/".join(steps[:count])
            if above not in parents:
                self.make_directory(above, 0o755)
                new = self._tree.find(above)
                assert isinstance(new, DirectoryInode)
                parents[above] = new
        return parents[path]
