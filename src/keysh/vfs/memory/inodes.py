"""Inodes: the directories, files, links and fifos of a MemoryFS, and the names they can have.

Directory --"notes"--> Directory --"a.txt"--> File <--"b.txt"-- (a hard link)
                                 --"now"----> Link "a.txt"
"""

from __future__ import annotations

import errno
import stat as kinds
from _thread import RLock, get_ident  # `threading` is slow to import

from keysh.vfs.api import Stat, failure
from keysh.vfs.paths import normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias, TypeVar

    Inode: TypeAlias = "DirectoryInode | FifoInode | FileInode | LinkInode"
    AnyInode = TypeVar(
        "AnyInode", "DirectoryInode | FifoInode | FileInode | LinkInode", "FileInode"
    )

MAX_NAME_BYTES = 255  # bytes, as everywhere on Linux
MAX_PATH_BYTES = 4095  # PATH_MAX counts a NUL too
DIRECTORY_BYTES = 4096  # as ext4 reports a small one


class InodeBase:
    """The base of all inodes. Times are nanoseconds; `permissions` exclude the kind.

    `owner` is the mark of the tree that may change the inode; for all others it is constant.
    """

    __slots__ = ("accessed", "changed", "links", "modified", "number", "owner", "permissions")

    kind = 0
    # Only directories have entries; an empty mapping makes every lookup fail alike.
    entries: Mapping[str, Inode] = {}

    def __init__(
        self, number: int, permissions: int, now: int, owner: object, links: int = 1
    ) -> None:
        self.number, self.permissions, self.links = number, permissions, links
        self.accessed = self.modified = self.changed = now
        self.owner = owner

    def size(self) -> int:
        raise NotImplementedError

    def copy(self, owner: object) -> Any:
        """Return a version of this inode, of the same class, that the owner may change."""
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

    def __init__(self, number: int, permissions: int, now: int, owner: object) -> None:
        super().__init__(number, permissions, now, owner, 2)
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

    def copy(self, owner: object) -> DirectoryInode:
        """Return a copy that has the same inodes as entries."""
        copy = DirectoryInode(self.number, self.permissions, 0, owner)
        copy.copy_times(self)
        copy.entries = self.entries.copy()
        return copy


class LinkInode(InodeBase):
    """A symbolic link."""

    __slots__ = ("target",)

    kind = kinds.S_IFLNK

    def __init__(self, number: int, now: int, owner: object, target: str) -> None:
        super().__init__(number, 0o777, now, owner)
        self.target = target

    def size(self) -> int:
        return len(encode(self.target))

    def copy(self, owner: object) -> LinkInode:
        copy = LinkInode(self.number, 0, owner, self.target)
        copy.copy_times(self)
        return copy


class FifoInode(InodeBase):
    """A named pipe; what flows through it belongs to the file system that opens it."""

    __slots__ = ()

    kind = kinds.S_IFIFO

    def size(self) -> int:
        return 0

    def copy(self, owner: object) -> FifoInode:
        copy = FifoInode(self.number, self.permissions, 0, owner)
        copy.copy_times(self)
        return copy


class FileInode(InodeBase):
    """A file's contents.

    content  `bytes` until the first change in place, then a `bytearray`
    shared   another version of the file has the same `bytearray`: copy it before the next change
    lazy     the contents have not been loaded yet
    """

    __slots__ = ("content", "lazy", "shared")

    kind = kinds.S_IFREG

    def __init__(self, number: int, permissions: int, now: int, owner: object) -> None:
        # As the base does it: most inodes are files, and the call would take a third of the time.
        self.number, self.permissions, self.links, self.owner = number, permissions, 1, owner
        self.accessed = self.modified = self.changed = now
        self.content: bytes | bytearray = b""
        self.lazy: LazyContent | None = None
        self.shared = False

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

    def copy(self, owner: object) -> FileInode:
        """Return a copy that may change; the contents are copied when it does."""
        # By hand: the first change of each file after a snapshot makes one (0.17 us, else 0.43).
        copy = FileInode.__new__(FileInode)
        copy.number, copy.permissions, copy.links = self.number, self.permissions, self.links
        copy.accessed, copy.modified, copy.changed = self.accessed, self.modified, self.changed
        copy.owner, copy.content, copy.lazy, copy.shared = owner, self.content, self.lazy, True
        return copy


class LazyContent:
    """Contents that a function returns when they are first needed, once for all snapshots."""

    __slots__ = ("_call", "_data", "_lock", "_owner")

    def __init__(self, call: Callable[[], str | bytes]) -> None:
        self._call: Callable[[], str | bytes] | None = call
        self._data = b""
        self._lock = RLock()
        self._owner = 0

    def source(self) -> bytes | Callable[[], str | bytes]:
        """Return the contents if they have been loaded, else the function."""
        return self._call or self._data

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
