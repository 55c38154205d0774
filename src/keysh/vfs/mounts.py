"""Mounts: the table of mounted file systems. It is never changed, only replaced by another.

The directories above a mount point exist by definition, whatever the file system below has there:
a file or link is hidden, and a missing one becomes a synthetic directory of the table.
"""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure
from keysh.vfs.paths import base_name, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeVar

    T = TypeVar("T")


SYNTHETIC_MODE = kinds.S_IFDIR | 0o755

# Larger than any device number of a kernel.
FIRST_DEVICE = 2**32
MAX_KEPT_LAYOUTS = 64
INODE_BYTES = 7  # `ls` and `stat` print it as a number of 64 bits with a sign


def first_component(path: str) -> str:
    """Return the first component of a normal path, with its slash."""
    end = path.find("/", 1)
    return path if end < 0 else path[:end]


class MountLayout:
    """What follows from mount points alone, whatever file systems are there.

    `fixed` are the mount points and all directories above them, which cannot be removed or renamed.
    `names` has by directory the names that lead to mount points. `first_names` are the first
    components of mount points, with which most paths do not begin. `longest_first` has each mount
    point, with a final slash too, and its place among `points`, in the order in which they are
    tried.
    """

    __slots__ = ("first_names", "fixed", "longest_first", "names", "points")

    def __init__(self, points: tuple[str, ...]) -> None:
        self.points = points
        below_root = [point for point in points if point != "/"]
        self.longest_first = tuple(
            (points.index(point), point, f"{point}/")
            for point in sorted(below_root, key=len, reverse=True)
        )
        self.first_names = frozenset(map(first_component, below_root))
        self.names: dict[str, set[str]] = {"/": set()}
        for point in below_root:
            while point != "/":
                above = parent(point)
                self.names.setdefault(above, set()).add(base_name(point))
                point = above
        self.fixed = frozenset({*points, *self.names})


class MountLayouts:
    """Layouts by their mount points. A thousand shells with the same ones share one of 2 KB."""

    __slots__ = ("_layouts",)

    def __init__(self) -> None:
        self._layouts: dict[tuple[str, ...], MountLayout] = {}

    def layout_of(self, points: tuple[str, ...]) -> MountLayout:
        """Return the layout of mount points."""
        layout = self._layouts.get(points)
        if layout is None:
            if len(self._layouts) >= MAX_KEPT_LAYOUTS:
                self._layouts.clear()
            layout = self._layouts[points] = MountLayout(points)
        return layout


LAYOUTS = MountLayouts()


class Mounts:
    """Mount points with their file systems; all paths are normal.

    `fixed` are the mount points and all directories above them. A file system without a device
    number gets one, so that its inodes differ from others.
    """

    __slots__ = ("_devices", "_first_names", "_layout", "_mounted", "_root", "fixed")

    def __init__(self, points: Mapping[str, FileSystem]) -> None:
        # In the order of the layout's points: half of what a table would take in each fork.
        self._mounted = tuple(points.values())
        self._root = points.get("/", FileSystem())
        self._layout = LAYOUTS.layout_of(tuple(points))
        self._first_names, self.fixed = self._layout.first_names, self._layout.fixed
        self._devices: dict[int, int] | None = None  # by identity, when first asked for

    @property
    def points(self) -> dict[str, FileSystem]:
        """The mount points with their file systems."""
        return dict(zip(self._layout.points, self._mounted, strict=True))

    def find(self, path: str) -> tuple[FileSystem, str, str]:
        """Return a path's file system, the path inside it, and its mount point."""
        if first_component(path) not in self._first_names:
            return self._root, path, ""
        for place, point, inside in self._layout.longest_first:
            if path.startswith(inside):
                return self._mounted[place], path[len(point) :], point
            if path == point:
                return self._mounted[place], "/", point
        return self._root, path, ""

    def stat_mounted(self, fs: FileSystem, inner: str) -> Stat:
        """Return the Stat of a path inside a mounted file system."""
        stat = fs.stat(inner)
        if not stat.device:
            devices = self._devices
            if devices is None:
                devices = self._devices = numbered_devices(self._mounted)
            stat.device = devices.get(id(fs), 0)
        if not stat.inode:
            stat.inode = inode_of_path(inner)
        return stat

    def stat_no_link(self, fs: FileSystem, inner: str) -> Stat:
        """Return the same, but raise LinkInPath for a link."""
        stat = self.stat_mounted(fs, inner)
        if stat.is_link:
            raise LinkInPath(inner, fs.read_link(inner), "")
        return stat

    def leads_to_mount(self, path: str) -> bool:
        """Whether there is a mount point below a path."""
        return bool(self._layout.names.get(path))

    def stat(self, path: str) -> Stat:
        """Return a path's Stat; LinkInPath has the link's path in the router."""
        fs, inner, point = self.find(path)
        try:
            stat = self.stat_mounted(fs, inner)
        except LinkInPath as link:
            if path in self.fixed:
                return Stat(SYNTHETIC_MODE)
            if point + link.path in self.fixed:  # the link is hidden
                raise failure(errno.ENOENT, path) from None
            raise LinkInPath(point + link.path, link.target, link.rest) from None
        except (FileNotFoundError, NotADirectoryError):
            if path in self.fixed:
                return Stat(SYNTHETIC_MODE)
            raise
        if path in self.fixed and not stat.is_directory:
            return Stat(SYNTHETIC_MODE)
        return stat

    def is_synthetic(self, path: str) -> bool:
        """Whether a directory exists only because of a mount point below it."""
        return path in self.fixed and not self._is_real(path)

    def list_fixed(self, path: str) -> list[Entry]:
        """Return a fixed directory's entries, with the names that lead to mount points."""
        fs, inner, _ = self.find(path)
        leading = self._layout.names.get(path, ())
        below = fs.list(inner) if self._is_real(path) else ()
        entries = [entry for entry in below if entry.name not in leading]
        return entries + [Entry(leads, kinds.S_IFDIR) for leads in leading]

    def change_fixed(self, act: Callable[[FileSystem, str], T], path: str) -> T:
        """Change a fixed directory, if a file system has it."""
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


def numbered_devices(mounted: Iterable[FileSystem]) -> dict[int, int]:
    """Return device numbers of file systems by identity; one that is mounted twice has one."""
    every = dict.fromkeys(map(id, mounted))
    return {each: FIRST_DEVICE + at for at, each in enumerate(every)}


def inode_of_path(path: str) -> int:
    """Return an inode number for a file whose file system has none: two paths are two files."""
    from hashlib import blake2b  # noqa: PLC0415 - file systems of hosts only

    return int.from_bytes(blake2b(os.fsencode(path), digest_size=INODE_BYTES).digest())


# ---------------------------------------------------------------- paths in errors


NUMBERS_BY_CLASS: Mapping[type[OSError], int] = {
    FileNotFoundError: errno.ENOENT, FileExistsError: errno.EEXIST, PermissionError: errno.EACCES,
    IsADirectoryError: errno.EISDIR, NotADirectoryError: errno.ENOTDIR,
}  # fmt: skip


def complete_error(error: OSError) -> None:
    """Give an error of a host that has no number that of its class, or else a text."""
    if error.errno is None:
        error.errno = NUMBERS_BY_CLASS.get(type(error))
        error.strerror = error.strerror or str(
            error.args[0] if error.args else type(error).__name__
        )


class ErrorPaths:
    """An OSError leaves the `with` with the path, or both paths, as the caller gave them."""

    __slots__ = ("_other", "_path")

    def __init__(self, path: str, other: str | None = None) -> None:
        self._path, self._other = path, other

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            complete_error(error)
            error.filename, error.filename2 = self._path, self._other
