"""Mounted file systems and their usage."""

from __future__ import annotations

import os

from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.paths import is_below, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import FileSystem

KIND_NAMES = {
    "MemoryFS": "memory", "LocalFS": "local", "OverlayFS": "overlay", "ReadOnlyFS": "readonly",
    "DevFS": "devfs", "MachineDev": "devfs",
}  # fmt: skip
BLOCK_BYTES = 4096


class FileSystemUsage:
    """The size and usage of a file system; None for what is unlimited or unknown."""

    __slots__ = ("available", "files", "files_used", "free", "total", "used")

    def __init__(self) -> None:
        self.total: int | None = None
        self.free: int | None = None
        self.available: int | None = None
        self.files: int | None = None
        self.used = self.files_used = 0


class MountPoint:
    """A mounted file system, its path and its kind."""

    __slots__ = ("fs", "kind", "point")

    def __init__(self, point: str, fs: FileSystem) -> None:
        self.point, self.fs = point, fs
        name = fs.__class__.__name__
        self.kind = KIND_NAMES.get(name, name.lower())

    def usage(self) -> FileSystemUsage:
        """Return its size and usage."""
        return usage_of(self.fs)


def usage_of(fs: FileSystem) -> FileSystemUsage:
    usage = FileSystemUsage()
    if isinstance(fs, MemoryFS):
        usage.used, usage.files_used = fs.bytes_used, fs.files_used
        usage.total, usage.files = fs.max_bytes, fs.max_files
        if usage.total is not None:
            usage.free = usage.available = max(usage.total - usage.used, 0)
        return usage
    real = fs.real_path("/")
    if real is not None:
        try:
            statvfs = os.statvfs(real)
        except OSError:
            return usage
        size = statvfs.f_frsize
        usage.total, usage.free = statvfs.f_blocks * size, statvfs.f_bfree * size
        usage.available = statvfs.f_bavail * size
        usage.used = usage.total - usage.free
        usage.files, usage.files_used = statvfs.f_files, statvfs.f_files - statvfs.f_ffree
    return usage


def mount_points(sh: Call) -> list[MountPoint]:
    """Return all mounts, sorted by path."""
    return [MountPoint(point, fs) for point, fs in sorted(sh.fs.mounts.items())]


def mount_at(sh: Call, path: str) -> MountPoint:
    """Return the mount that contains what a path leads to."""
    real = sh.fs.resolve(join(sh.cwd, path))
    containing = [mount for mount in mount_points(sh) if is_below(real, mount.point)]
    return max(containing, key=lambda mount: len(mount.point))
