"""Mounts: which file system holds a path. A table is never changed, only replaced by another.

The directories on the way to a mount point exist by definition, whatever the file system below
has there: a file or a link is hidden, and where nothing is a directory of the table's own stands.
"""

from __future__ import annotations

import errno
import stat as kinds

from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure
from keysh.vfs.paths import base_name, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    T = TypeVar("T")


SYNTHETIC_MODE = kinds.S_IFDIR | 0o755

# Beyond all numbers of devices that a kernel gives.
FIRST_DEVICE = 2**32


class Mounts:
    """Mount points with their file systems; paths are normal ones.

    `fixed` are the mount points and all directories above them: nobody removes or renames those.
    A file system that numbers no device gets a number, so that inodes of two are not taken for one.
    """

    __slots__ = ("_devices", "_longest_first", "_names", "_root", "fixed", "points")

    def __init__(self, points: Mapping[str, FileSystem]) -> None:
        self.points = dict(points)
        self._root = points.get("/", FileSystem())
        every = {id(fs): fs for fs in points.values()}
        self._devices = {each: FIRST_DEVICE + at for at, each in enumerate(every)}
        self._longest_first = tuple(
            (point, f"{point}/", points[point])
            for point in sorted(points, key=len, reverse=True)
            if point != "/"
        )
        self._names: dict[str, set[str]] = {"/": set()}  # of a way, the names that lead on
        for point in points:
            while point != "/":
                above = parent(point)
                self._names.setdefault(above, set()).add(base_name(point))
                point = above
        self.fixed = frozenset({*points, *self._names})

    def find(self, path: str) -> tuple[FileSystem, str, str]:
        """The file system, the path inside it, and what stands before that in the router's path."""
        for point, inside, fs in self._longest_first:
            if path.startswith(inside):
                return fs, path[len(point) :], point
            if path == point:
                return fs, "/", point
        return self._root, path, ""

    def stat_mounted(self, fs: FileSystem, inner: str) -> Stat:
        """What a mounted file system has at a path of its own."""
        found = fs.stat(inner)
        if not found.device:
            found.device = self._devices.get(id(fs), 0)
        return found

    def stat_no_link(self, fs: FileSystem, inner: str) -> Stat:
        """The same, but what a link leads to is not there."""
        found = self.stat_mounted(fs, inner)
        if found.is_link:
            raise LinkInPath(inner, fs.read_link(inner), "")
        return found

    def leads_to_mount(self, path: str) -> bool:
        """Whether a mount point lies below the path."""
        return bool(self._names.get(path))

    def stat(self, path: str) -> Stat:
        """What is at the path; LinkInPath tells of the link by its path in the router."""
        fs, inner, point = self.find(path)
        try:
            found = self.stat_mounted(fs, inner)
        except LinkInPath as link:
            if path in self.fixed:
                return Stat(SYNTHETIC_MODE)
            if point + link.path in self.fixed:  # hidden, so nothing is behind it
                raise failure(errno.ENOENT, path) from None
            raise LinkInPath(point + link.path, link.target, link.rest) from None
        except (FileNotFoundError, NotADirectoryError):
            if path in self.fixed:
                return Stat(SYNTHETIC_MODE)
            raise
        if path in self.fixed and not found.is_directory:
            return Stat(SYNTHETIC_MODE)
        return found

    def is_synthetic(self, path: str) -> bool:
        """Whether a directory is there only because a mount point lies below it."""
        return path in self.fixed and not self._is_real(path)

    def list_fixed(self, path: str) -> list[Entry]:
        """The entries of a fixed directory, with the mount points and ways in it."""
        fs, inner, _ = self.find(path)
        leading = self._names.get(path, ())
        below = fs.list(inner) if self._is_real(path) else ()
        entries = [entry for entry in below if entry.name not in leading]
        return entries + [Entry(leads, kinds.S_IFDIR) for leads in leading]

    def change_fixed(self, act: Callable[[FileSystem, str], T], path: str) -> T:
        """Do something to a fixed directory, if it is one that can keep it."""
        if not self._is_real(path):
            raise failure(errno.EROFS, path)
        fs, inner, _ = self.find(path)
        return act(fs, inner)

    def _is_real(self, path: str) -> bool:
        fs, inner, _ = self.find(path)
        try:
            return fs.stat(inner).is_directory
        except (LinkInPath, FileNotFoundError, NotADirectoryError):
            return False


# Told: errors that tell of the path somebody asked for, not of the one it led to.


class ErrorPaths:
    """Errors of the operating system leave the `with` with the path, or both, as it was given."""

    __slots__ = ("_other", "_path")

    def __init__(self, path: str, other: str | None = None) -> None:
        self._path, self._other = path, other

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            error.filename, error.filename2 = self._path, self._other
