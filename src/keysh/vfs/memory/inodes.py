"""Inodes: the directories, files, links and fifos of a MemoryFS, and the names they can have.

Directory --"notes"--> Directory --"a.txt"--> File <--"b.txt"-- (a hard link)
                                 --"now"----> Link "a.txt"
"""

from __future__ import annotations

import errno
import stat as kinds
from _thread import RLock, get_ident  # `threading` is slow to import

from keysh.vfs.api import Stat, failure
from keysh.vfs.memory.fifo import FifoPipe
from keysh.vfs.paths import normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    Inode: TypeAlias = "DirectoryInode | FifoInode | FileInode | LinkInode"

MAX_NAME_BYTES = 255  # bytes, as everywhere on Linux
MAX_PATH_BYTES = 4095  # PATH_MAX counts a NUL too
DIRECTORY_BYTES = 4096  # as ext4 reports a small one


class InodeBase:
    """The base of all inodes. Times are nanoseconds; `permissions` exclude the kind."""

    __slots__ = ("accessed", "changed", "links", "modified", "number", "permissions")

    kind = 0
    # Only directories have entries; an empty mapping makes every lookup fail alike.
    entries: Mapping[str, Inode] = {}

    def __init__(self, number: int, permissions: int, now: int, links: int = 1) -> None:
        self.number, self.permissions, self.links = number, permissions, links
        self.accessed = self.modified = self.changed = now

    def size(self) -> int:
        raise NotImplementedError

    def stat(self) -> Stat:
        return Stat(
            self.kind | self.permissions,
            self.size(),
            self.modified,
            accessed=self.accessed,
            changed=self.changed,
            inode=self.number,
            links=self.links,
        )

    def copy_times(self, node: InodeBase) -> None:
        """Copy times and links from another inode."""
        self.accessed, self.modified, self.changed = node.accessed, node.modified, node.changed
        self.links = node.links


class DirectoryInode(InodeBase):
    """Names in order of creation. `links` is two plus the number of subdirectories."""

    __slots__ = ("entries",)

    kind = kinds.S_IFDIR

    def __init__(self, number: int, permissions: int, now: int) -> None:
        super().__init__(number, permissions, now, 2)
        self.entries: dict[str, Inode] = {}

    def size(self) -> int:
        return DIRECTORY_BYTES

    def add_entry(self, name: str, node: Inode, now: int) -> None:
        self.entries[name] = node
        if node.kind == kinds.S_IFDIR:
            self.links += 1
        self.modified = self.changed = now

    def remove_entry(self, name: str, now: int) -> None:
        if self.entries.pop(name).kind == kinds.S_IFDIR:
            self.links -= 1
        self.modified = self.changed = now

    def copy(self) -> DirectoryInode:
        """Return a copy without entries."""
        copy = DirectoryInode(self.number, self.permissions, 0)
        copy.copy_times(self)
        return copy


class LinkInode(InodeBase):
    """A symbolic link."""

    __slots__ = ("target",)

    kind = kinds.S_IFLNK

    def __init__(self, number: int, now: int, target: str) -> None:
        super().__init__(number, 0o777, now)
        self.target = target

    def size(self) -> int:
        return len(encode(self.target))

    def copy(self) -> LinkInode:
        copy = LinkInode(self.number, 0, self.target)
        copy.copy_times(self)
        return copy


class FifoInode(InodeBase):
    """A named pipe."""

    __slots__ = ("pipe",)

    kind = kinds.S_IFIFO

    def __init__(self, number: int, permissions: int, now: int) -> None:
        super().__init__(number, permissions, now)
        self.pipe = FifoPipe()

    def size(self) -> int:
        return 0

    def copy(self) -> FifoInode:
        """Return a pipe that nobody has open."""
        copy = FifoInode(self.number, self.permissions, 0)
        copy.copy_times(self)
        return copy


class FileInode(InodeBase):
    """A file's contents and the number of its open streams.

    content  `bytes` until the first change in place, then a `bytearray`
    shared   a snapshot has the same `bytearray`, so it is copied before the next change
    lazy     the contents have not been loaded yet
    """

    __slots__ = ("content", "lazy", "shared", "streams")

    kind = kinds.S_IFREG

    def __init__(self, number: int, permissions: int, now: int) -> None:
        super().__init__(number, permissions, now)
        self.content: bytes | bytearray = b""
        self.lazy: LazyContent | None = None
        self.shared = False
        self.streams = 0

    def size(self) -> int:
        return len(self.content)

    def read(self, start: int, end: int) -> bytes:
        content = self.content
        if isinstance(content, bytes):
            return content[start:end]
        return bytes(memoryview(content)[start:end])  # a slice of a bytearray would be copied twice

    def write(self, start: int, data: bytes) -> None:
        """Write bytes at an offset, after zeros if that is past the end."""
        if not start and not self.content:
            self.content = data
            return
        content = self._writable_content()
        if start > len(content):
            content += bytes(start - len(content))
        content[start : start + len(data)] = data

    def resize(self, size: int) -> None:
        present = len(self.content)
        if not size:
            self.content = b""
        elif size > present:
            content = self._writable_content()
            content += bytes(size - present)
        elif isinstance(self.content, bytearray) and not self.shared:
            del self.content[size:]
        elif size < present:
            self.content, self.shared = self.read(0, size), False

    def _writable_content(self) -> bytearray:
        """Return the contents as a bytearray that nothing else shares."""
        content = self.content
        if isinstance(content, bytearray) and not self.shared:
            return content
        own = self.content = bytearray(content)
        self.shared = False
        return own

    def copy(self) -> FileInode:
        """Return an independent copy."""
        if isinstance(self.content, bytearray):
            self.shared = True
        copy = FileInode(self.number, self.permissions, 0)
        copy.copy_times(self)
        copy.content, copy.lazy, copy.shared = self.content, self.lazy, self.shared
        return copy


class LazyContent:
    """Contents that a function returns when they are first needed, once for all snapshots."""

    __slots__ = ("_call", "_data", "_lock", "_owner")

    def __init__(self, call: Callable[[], str | bytes]) -> None:
        self._call: Callable[[], str | bytes] | None = call
        self._data = b""
        self._lock = RLock()
        self._owner = 0

    def load(self, path: str) -> bytes:
        """Return the contents; one thread calls, others wait. A failure is EIO, and not cached."""
        with self._lock:
            if self._call is None:
                return self._data
            if self._owner == get_ident():
                raise failure(errno.EDEADLK, path)  # the function reads its own file
            self._owner = get_ident()
            try:
                self._data = encode(self._call())
            except Exception as error:
                raise failure(errno.EIO, path) from error
            finally:
                self._owner = 0
            self._call = None
            return self._data


def encode(content: str | bytes) -> bytes:
    """Return contents as bytes."""
    if isinstance(content, str):
        return content.encode("utf-8", "surrogateescape")
    if type(content) is bytes:
        return content
    return bytes(memoryview(content))  # `bytes` would take a number as a size


def fault_of_name(name: str, longest: int = MAX_NAME_BYTES) -> int:
    """Return the errno for an invalid name, else 0."""
    try:
        if len(encode(name)) > longest:
            return errno.ENAMETOOLONG
    except UnicodeEncodeError:
        return errno.EILSEQ  # a surrogate that stands for no byte
    return errno.EINVAL if "\0" in name else 0


def fault_of_target(target: str) -> int:
    """Return the errno for an invalid target of a symbolic link, else 0."""
    return fault_of_name(target, MAX_PATH_BYTES) if target else errno.ENOENT


def fault_of_path(path: str) -> int:
    """Return the errno for an invalid or too long path, else 0."""
    if not path:
        return errno.ENOENT
    if not path.startswith("/") or normal_path(path) != path:
        return errno.EINVAL
    # A character has at most four bytes, so most paths need not be encoded.
    too_long = (
        len(path) > MAX_PATH_BYTES // 4 and len(path.encode(errors="replace")) > MAX_PATH_BYTES
    )
    return errno.ENAMETOOLONG if too_long else 0
