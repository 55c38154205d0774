"""Locks on open files, as flock(2) has them.

A file of this machine is locked by the machine, so that programs see the lock. Any other file is
locked within the shell: the table has the open files that hold a lock, by the file's identity. A
file that was closed holds none.
"""

from __future__ import annotations

import errno
import fcntl
import os
from weakref import ref

from keysh.diagnostics.exceptions import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weakref import ReferenceType

    from keysh.vfs.api import Identity
    from keysh.vfs.router import Router
    from keysh.vfs.stream import Stream

    # An open file, which the table does not keep open, and whether its lock is shared.
    Holder = tuple[ReferenceType[Stream], bool]


class FileLocks:
    """The locks of one shell."""

    __slots__ = ("_holders",)

    def __init__(self) -> None:
        self._holders: dict[Identity, dict[int, Holder]] = {}

    def take(self, stream: Stream, *, is_shared: bool) -> bool:
        """Lock an open file, or change its lock; return whether that was possible."""
        number = descriptor_of(stream)
        if number is not None:
            operation = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
            try:
                fcntl.flock(number, operation | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True
        holders = self._open_holders(stream)
        others = [shared for key, (_, shared) in holders.items() if key != id(stream)]
        if others and not (is_shared and all(others)):
            return False
        try:
            holders[id(stream)] = ref(stream), is_shared
        except TypeError:  # a file system's own kind of stream
            raise failure(errno.ENOLCK, "") from None
        return True

    def release(self, stream: Stream) -> None:
        """Unlock an open file."""
        number = descriptor_of(stream)
        if number is not None:
            fcntl.flock(number, fcntl.LOCK_UN)
        else:
            self._open_holders(stream).pop(id(stream), None)

    def _open_holders(self, stream: Stream) -> dict[int, Holder]:
        """Return the open files that hold a lock on the same file."""
        key = open_identity(stream) or (0, id(stream))
        found = self._holders.get(key, {})
        holders = {
            holder: (locked, shared)
            for holder, (locked, shared) in found.items()
            if open_identity(locked()) is not None
        }
        self._holders[key] = holders
        return holders


def open_directory(fs: Router, path: str) -> MachineDirectory | ShellDirectory:
    """Open a directory, so that it can be locked."""
    number = fs.open_directory(path)
    if number is not None:
        return MachineDirectory(number)
    stat = fs.stat(path, follow=True)
    return ShellDirectory((stat.device, stat.inode))


class UnreadableDirectory:
    """A stream that fails as a directory does."""

    __slots__ = ()

    def read(self, size: int = -1, /) -> bytes:
        """Fail with EISDIR."""
        raise failure(errno.EISDIR, "")

    def tell(self) -> int:
        """Fail: it has no text, so it has no offset."""
        raise failure(errno.EISDIR, "")


class MachineDirectory(UnreadableDirectory):
    """An open directory of this machine, for its lock."""

    __slots__ = ("_number",)

    def __init__(self, place: int) -> None:
        try:  # `place` only names the directory, and cannot be locked itself
            self._number = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=place)
        finally:
            os.close(place)

    def fileno(self) -> int:
        """Return the machine's descriptor."""
        return self._number

    def close(self) -> None:
        """Close it, which ends its lock."""
        os.close(self._number)


class ShellDirectory(UnreadableDirectory):
    """An open directory of any other file system, for its lock."""

    __slots__ = ("__weakref__", "_identity", "_is_open")

    def __init__(self, identity: Identity) -> None:
        self._identity, self._is_open = identity, True

    def identity(self) -> Identity:
        """Return what all names of the directory have in common."""
        if not self._is_open:
            raise ValueError("the directory is closed")
        return self._identity

    def close(self) -> None:
        """Close it, which ends its lock."""
        self._is_open = False


def descriptor_of(stream: Stream) -> int | None:
    """Return the machine's descriptor of an open file; None if it has none."""
    fileno = getattr(stream, "fileno", None)
    return None if fileno is None else fileno()


def open_identity(stream: Stream | None) -> Identity | None:
    """Return the identity of an open file; None if it was closed or has none."""
    identity = getattr(stream, "identity", None)
    try:
        found: Identity | None = None if identity is None else identity()
    except ValueError:  # it was closed
        return None
    return found
