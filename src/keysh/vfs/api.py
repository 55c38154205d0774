"""FileSystem: the verbs every file system has, and what they answer.

To write a file system of your own, derive from `FileSystem` and give the verbs you can; the others
refuse with EROFS or EPERM by themselves. The rules are few:

- A path is a `str` that begins with `/` and is normal: no `.`, no `..`, no empty step, no `/` at
  its end (the root is `/`). Bytes that are no UTF-8 stand as surrogates, as in Python's own `os`.
- No verb follows a symbolic link: `stat` of a link tells of the link, and a path that leads
  *through* one raises `LinkInPath`. So do `open` (but "x" finds that the file exists), `list` and
  `set_mode` where a link is the path's last step, for they need what it leads to. The router
  follows, across mounts, and counts the turns.
- What goes wrong is an `OSError` with the kernel's errno and the path: build it with `failure`.
- Verbs may be called from several threads at once.
"""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.diagnostics.errors import failure as failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Literal, Protocol

    Access = Literal["r", "w", "a", "x", "rw"]

    class Stream(Protocol):
        """An open file: bytes, and a place in them. Closing twice does no harm.

        One that has `identity` tells by it which regular file it is of, so that a command finds
        out that it reads what it writes.
        """

        def read(self, size: int = -1, /) -> bytes: ...
        def write(self, data: bytes, /) -> int: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...
        def tell(self) -> int: ...
        def truncate(self, size: int | None = None, /) -> int: ...
        def flush(self) -> None: ...
        def close(self) -> None: ...
        def __enter__(self) -> Stream: ...
        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
            /,
        ) -> object: ...


# Identity: what tells one file from another, whatever its names.

Identity = tuple[int, int]


def identity(found: Stat) -> Identity:
    """The file system and the number in it."""
    return found.device, found.inode


def identity_of(number: int) -> tuple[int, int] | None:
    """What tells a regular file that the machine has open from others; None for all else."""
    found = os.fstat(number)
    return (found.st_dev, found.st_ino) if kinds.S_ISREG(found.st_mode) else None


class LinkInPath(Exception):
    """A path leads through a symbolic link, which is not the file system's to follow.

    `path` is the link's own path, `target` its text, `rest` what stands behind it in the path
    asked for (empty, or beginning with `/`).
    """

    def __init__(self, path: str, target: str, rest: str) -> None:
        super().__init__(path)
        self.path, self.target, self.rest = path, target, rest


class Stat:
    """What is known of a file without opening it. `mode` holds the kind too, as in `os.stat`."""

    __slots__ = (
        "accessed", "blocks", "changed", "device", "group", "inode", "links", "mode", "modified",
        "owner", "size", "special",
    )  # fmt: skip

    def __init__(
        self,
        mode: int,
        size: int = 0,
        modified: int = 0,
        *,
        accessed: int | None = None,
        changed: int | None = None,
        inode: int = 0,
        device: int = 0,
        links: int = 1,
        owner: int = 0,
        group: int = 0,
        blocks: int | None = None,
        special: int = 0,
    ) -> None:
        self.mode, self.size, self.modified = mode, size, modified  # times in nanoseconds
        self.accessed = modified if accessed is None else accessed
        self.changed = modified if changed is None else changed
        self.inode, self.device, self.links = inode, device, links
        self.owner, self.group = owner, group
        self.blocks = blocks  # of 512 bytes, where the file system knows how many it takes
        self.special = special  # of a device file, the device that it stands for

    @property
    def is_directory(self) -> bool:
        return kinds.S_ISDIR(self.mode)

    @property
    def is_file(self) -> bool:
        return kinds.S_ISREG(self.mode)

    @property
    def is_link(self) -> bool:
        return kinds.S_ISLNK(self.mode)


class Entry:
    """A name in a directory, and what kind of thing has it."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: int) -> None:
        self.name = name
        self.kind = kind  # stat.S_IFREG, S_IFDIR, S_IFLNK …

    def __repr__(self) -> str:
        return f"<Entry {self.name!r} {self.kind:o}>"


class FileSystem:
    """The verbs. Each names the errors that are part of its meaning.

    `confines` is true where it holds back what a program of the machine would not heed.
    """

    confines = False

    def stat(self, path: str) -> Stat:
        """What is at the path. FileNotFoundError, NotADirectoryError, PermissionError."""
        raise failure(errno.ENOENT, path)

    def list(self, path: str) -> Iterator[Entry]:
        """A directory's entries, without `.` and `..`, in no order. NotADirectoryError."""
        raise failure(errno.ENOENT, path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        """A file's bytes, unbuffered.

        "r" reads; "w" writes from empty, "a" always writes at the end, "x" writes a file that
        must be new, "rw" reads and writes what is there: these four make the file, with the
        permissions, where there is none. IsADirectoryError, FileExistsError.
        """
        raise failure(errno.ENOENT if access == "r" else errno.EROFS, path)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        """A new, empty directory. FileExistsError; FileNotFoundError without its parent."""
        raise failure(errno.EROFS, path)

    def remove_directory(self, path: str) -> None:
        """Take an empty directory away. OSError ENOTEMPTY, NotADirectoryError."""
        raise failure(errno.EROFS, path)

    def remove(self, path: str) -> None:
        """Take a name away that is no directory; the file goes with its last name and stream."""
        raise failure(errno.EROFS, path)

    def rename(self, old: str, new: str) -> None:
        """Give a file or directory another path, replacing what `rename(2)` would replace."""
        raise failure(errno.EROFS, new, old)

    def link(self, existing: str, path: str) -> None:
        """Give a file that is no directory one more name. FileExistsError."""
        raise failure(errno.EPERM, path, existing)

    def make_link(self, target: str, path: str) -> None:
        """A new symbolic link that holds the text `target`. FileExistsError."""
        raise failure(errno.EPERM, path)

    def read_link(self, path: str) -> str:
        """The text of a symbolic link. OSError EINVAL where there is no link."""
        raise failure(errno.EINVAL, path)

    def set_mode(self, path: str, mode: int) -> None:
        """The permission bits."""
        raise failure(errno.EROFS, path)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        """Both times, in nanoseconds since 1970; those of a link are its own."""
        raise failure(errno.EROFS, path)

    def open_directory(self, path: str) -> int | None:
        """A new descriptor of a directory, for a real program to start in; None where it cannot."""
        return None

    def real_path(self, path: str) -> str | None:
        """Where a real program finds the file on this machine; None where it cannot."""
        return None
