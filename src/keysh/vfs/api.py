"""FileSystem: the verbs of every file system.

To write a file system of your own, derive from `FileSystem` and define the verbs that you can; the
others refuse with EROFS or EPERM. The rules:

- A path is a `str` that begins with `/` and is normal: no `.`, no `..`, no empty step, no final `/`
  (the root is `/`). Bytes that are not UTF-8 are surrogates, as in Python's `os`.
- No verb follows a symbolic link: `stat` of a link describes the link, and a path that leads
  *through* one raises `LinkInPath`. So do `open` (but "x" finds that the file exists), `list` and
  `set_mode` if the last step is a link, since they need its target. The router follows links,
  across mounts, and limits their number.
- Errors are `OSError`s with the kernel's errno and the path: build them with `failure`.
- Verbs may be called from several threads at once.
"""

from __future__ import annotations

import errno
import io
import os
import stat as kinds
from contextlib import nullcontext

from keysh.diagnostics.exceptions import failure as failure
from keysh.vfs.stream import complete_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import Literal, Protocol, Self

    from keysh.vfs.stream import Stream

    Access = Literal["r", "w", "a", "x", "rw"]

    class OpenFifo(Protocol):
        """An end of a fifo. How one waits for the other end depends on the file system."""

        def close(self) -> None: ...


# ---------------------------------------------------------------- identity

Identity = tuple[int, int]

READ_CHUNK_BYTES = 1 << 20  # of a file whose size was not as expected


def identity(found: Stat) -> Identity:
    """Return what identifies a file whatever its name: its device and inode."""
    return found.device, found.inode


def identity_of(number: int) -> tuple[int, int] | None:
    """Return the identity of an open descriptor's regular file; None for any other file."""
    status = os.fstat(number)
    return (status.st_dev, status.st_ino) if kinds.S_ISREG(status.st_mode) else None


class LinkInPath(Exception):
    """A path leads through a symbolic link, which a file system does not follow.

    `path` is the link's own path, `target` its text, and `rest` what follows it in the requested
    path (empty, or beginning with `/`).
    """

    def __init__(self, path: str, target: str, rest: str) -> None:
        super().__init__(path)
        self.path, self.target, self.rest = path, target, rest


class Stat:
    """A file's attributes.

    mode      the permissions and the kind, as in `os.stat`
    size      in bytes
    modified  when the contents were changed, in nanoseconds since 1970
    accessed  when the file was read
    changed   when its attributes were changed
    inode     the number of the file, the same for all its names; 0 if the file system has none
    device    the number of the file system; 0 for one that the router gives
    links     how many names the file has
    owner     the number of its owner
    group     the number of its group
    blocks    the blocks of 512 bytes that it takes, if the file system knows
    special   a device file's own number
    """

    __module__ = "keysh"
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
        self.blocks = blocks  # of 512 bytes, if the file system knows
        self.special = special  # a device file's own device number

    @property
    def is_directory(self) -> bool:
        """Whether it is a directory."""
        return kinds.S_ISDIR(self.mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return kinds.S_ISREG(self.mode)

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return kinds.S_ISLNK(self.mode)


class Entry:
    """A name in a directory.

    name  the name, without the directory
    kind  the kind of its file: `stat.S_IFREG`, `S_IFDIR` or `S_IFLNK`
    """

    __module__ = "keysh"
    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: int) -> None:
        self.name = name
        self.kind = kind

    def __repr__(self) -> str:
        return f"<Entry {self.name!r} {self.kind:o}>"


class FileSystem:
    """The verbs. Each names the errors that are part of its meaning.

    confines      whether it restricts access in a way that the machine's programs would bypass
    is_in_images  whether the image of a shell holds its files and does not only refer to them
    keeps_inodes  whether a file has the same inode number as long as it exists, whatever its name
                  and contents
    is_recorded   whether a journal should know of changes: what shows the state of something else
                  has none of its own
    """

    __module__ = "keysh"
    # A class that states its attributes this way saves a dictionary for each object: a shell has
    # five of them.
    __slots__ = ("__weakref__",)
    confines = is_in_images = False
    keeps_inodes = False
    is_recorded = True

    def reference(self) -> dict[str, object]:
        """Return what an image says of this file system, which it can only refer to."""
        return {"name": type(self).__name__, "place": self.real_path("/")}

    def snapshot(self) -> Self:
        """Return an independent copy of all files, which shares what neither side changes.

        `copy.copy` and `copy.deepcopy` make one, too. io.UnsupportedOperation, which is an OSError
        and a ValueError, if there can be none.
        """
        raise io.UnsupportedOperation(f"a {type(self).__name__} has no snapshots")

    def _bare_copy(self) -> Self:
        """Return another object of the class, which has the attributes without a slot."""
        copy = type(self).__new__(type(self))
        if attributes := getattr(self, "__dict__", None):
            copy.__dict__.update(attributes)
        return copy

    def __copy__(self) -> Self:
        return self.snapshot()

    def __deepcopy__(self, memo: object) -> Self:
        return self.snapshot()

    def stat(self, path: str) -> Stat:
        """Return a path's attributes. FileNotFoundError, NotADirectoryError, PermissionError."""
        raise failure(errno.ENOENT, path)

    def list(self, path: str) -> Iterator[Entry]:
        """Return a directory's entries without `.` and `..`, in any order. NotADirectoryError."""
        raise failure(errno.ENOENT, path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        """Open a file, unbuffered. A stream that has only `read` and `write` is enough.

        "r" reads; "w" truncates and writes, "a" always writes at the end, "x" writes a file that
        must be new, "rw" reads and writes. The last four create a missing file, with the
        permissions. IsADirectoryError, FileExistsError.
        """
        raise failure(errno.ENOENT if access == "r" else errno.EROFS, path)

    def read_file(self, path: str, size: int) -> bytes:
        """Return the contents of a file, which has about `size` bytes."""
        with complete_stream(self.open(path)) as stream:
            # A piece of that size is all of it; a byte more shows that there is more.
            data = stream.read(size + 1)
            if len(data) == size:
                return data
            pieces = [data]
            while data:
                data = stream.read(READ_CHUNK_BYTES)
                pieces.append(data)
        return b"".join(pieces)

    def at_one_time(self) -> AbstractContextManager[object]:
        """Return a context in which a file system with transactions begins only one for reading."""
        return nullcontext()

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        """Make a directory. FileExistsError; FileNotFoundError without its parent."""
        raise failure(errno.EROFS, path)

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory. OSError ENOTEMPTY, NotADirectoryError."""
        raise failure(errno.EROFS, path)

    def remove(self, path: str) -> None:
        """Remove a name, not a directory's; the file is freed with its last name and stream."""
        raise failure(errno.EROFS, path)

    def rename(self, old: str, new: str) -> None:
        """Move a file or directory to another path, replacing what `rename(2)` would replace."""
        raise failure(errno.EROFS, new, old)

    def link(self, existing: str, path: str) -> None:
        """Give a file other than a directory one more name. FileExistsError."""
        raise failure(errno.EPERM, path, existing)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        """Make a fifo. FileExistsError; PermissionError where fifos cannot be opened."""
        raise failure(errno.EPERM, path)

    def open_fifo(self, path: str, access: Access) -> OpenFifo:
        """Open an end of a fifo, which `open` refuses, without waiting for the other end.

        ENXIO if that is impossible because there is no reader.
        """
        raise failure(errno.EACCES, path)

    def make_link(self, target: str, path: str) -> None:
        """Make a symbolic link with the text `target`. FileExistsError."""
        raise failure(errno.EPERM, path)

    def read_link(self, path: str) -> str:
        """Return the text of a symbolic link. OSError EINVAL if the file is none."""
        raise failure(errno.EINVAL, path)

    def set_mode(self, path: str, mode: int) -> None:
        """Set the permission bits."""
        raise failure(errno.EROFS, path)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        """Set both times, in nanoseconds since 1970; those of a link are its own."""
        raise failure(errno.EROFS, path)

    def set_owner(self, path: str, owner: int, group: int) -> None:
        """Set the numbers of owner and group, -1 keeps one; those of a link are its own."""
        raise failure(errno.EPERM, path)

    def open_directory(self, path: str) -> int | None:
        """Return a descriptor of a directory for a real program to start in; None if impossible."""
        return None

    def real_path(self, path: str) -> str | None:
        """Return the path by which a real program finds the file; None if it cannot."""
        return None

    def tree_place(self) -> str | None:
        """Return where its root is in a tree that other file systems show too; None if in none."""
        return self.real_path("/")
