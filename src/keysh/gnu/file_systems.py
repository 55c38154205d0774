"""File systems: the mounts of the shell's tree, and what is known of their room."""

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
    """The bytes and files of a file system; None where nothing bounds them or nobody knows."""

    __slots__ = ("available", "files", "files_used", "free", "total", "used")

    def __init__(self) -> None:
        self.total: int | None = None
        self.free: int | None = None
        self.available: int | None = None
        self.files: int | None = None
        self.used = self.files_used = 0


class MountPoint:
    """A file system, where it is mounted, and of what kind it is."""

    __slots__ = ("fs", "kind", "point")

    def __init__(self, point: str, fs: FileSystem) -> None:
        self.point, self.fs = point, fs
        name = fs.__class__.__name__
        self.kind = KIND_NAMES.get(name, name.lower())

    def usage(self) -> FileSystemUsage:
        """How much there is, and how much of it is used."""
        return usage_of(self.fs)


def usage_of(fs: FileSystem) -> FileSystemUsage:
    room = FileSystemUsage()
    if isinstance(fs, MemoryFS):
        room.used, room.files_used = fs.bytes_used, fs.files_used
        room.total, room.files = fs.max_bytes, fs.max_files
        if room.total is not None:
            room.free = room.available = max(room.total - room.used, 0)
        return room
    real = fs.real_path("/")
    if real is not None:
        try:
            found = os.statvfs(real)
        except OSError:
            return room
        size = found.f_frsize
        room.total, room.free = found.f_blocks * size, found.f_bfree * size
        room.available = found.f_bavail * size
        room.used = room.total - room.free
        room.files, room.files_used = found.f_files, found.f_files - found.f_ffree
    return room


def mount_points(sh: Call) -> list[MountPoint]:
    """All mounts, by their mount points."""
    return [MountPoint(point, fs) for point, fs in sorted(sh.fs.mounts.items())]


def mount_at(sh: Call, path: str) -> MountPoint:
    """The mount that holds what a path leads to."""
    real = sh.fs.resolve(join(sh.cwd, path))
    holding = [mount for mount in mount_points(sh) if is_below(real, mount.point)]
    return max(holding, key=lambda mount: len(mount.point))
