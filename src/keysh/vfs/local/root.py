"""RootDirectory: the open root of a LocalFS, which may be copied and pickled."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Place = tuple[str, int, int]  # the machine since it was started, the device and the inode

# Directories on the way are only passed through, which with O_PATH needs no read permission.
# `os.open` makes the descriptors non-inheritable.
PASS_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW

BOOT_ID_PATH = "/proc/sys/kernel/random/boot_id"


class RootDirectory:
    """The root directory's descriptor, closed with the last reference to this object.

    Users of the descriptor hold a reference. So it cannot be closed, and its number reused, while a
    thread walks from it. A copy is one more reference; a number in a pickle would mean nothing, so
    there the path stands for it.
    """

    __slots__ = ("descriptor", "path")

    def __init__(self, path: str, descriptor: int) -> None:
        self.path, self.descriptor = path, descriptor

    def __copy__(self) -> RootDirectory:
        return self

    def __deepcopy__(self, memo: object) -> RootDirectory:
        return self

    def __reduce__(self) -> tuple[Callable[..., RootDirectory], tuple[str, Place]]:
        return reopen_root, (self.path, self.place())

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        close(self.descriptor)  # a default argument, since it may run at interpreter exit

    def place(self) -> Place:
        """Return which directory of which machine this is."""
        status = os.fstat(self.descriptor)
        return machine_since_start(), status.st_dev, status.st_ino


def open_root(path: str) -> RootDirectory:
    """Open a root. Links in its path are the host's choice and followed."""
    return RootDirectory(path, os.open(path, PASS_FLAGS & ~os.O_NOFOLLOW))


def reopen_root(path: str, place: Place) -> RootDirectory:
    """Open a root that was pickled; ESTALE if its path leads to another directory by now."""
    root = open_root(path)
    found = root.place()
    if found[0] == place[0] and found != place:
        raise OSError(errno.ESTALE, "another directory is there now", path)
    return root


def machine_since_start() -> str:
    """Return what tells this machine from others, and from itself before it was restarted.

    Devices have other numbers then. A container has a name of its own.
    """
    name = os.uname().nodename
    try:
        with open(BOOT_ID_PATH, encoding="ascii") as file:
            return f"{name} {file.read().strip()}"
    except OSError:
        return name
