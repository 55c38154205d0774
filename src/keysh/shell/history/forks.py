"""Forks: a second shell that begins where another one is, and changes nothing there."""

from __future__ import annotations

from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.synthetic.dev import DevFS
from keysh.vfs.synthetic.job_files import JobsFS
from keysh.vfs.synthetic.program_files import ProgramFilesFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from keysh.shell.lazy_files import LazyFiles
    from keysh.vfs.api import FileSystem

# Every shell makes its own.
OWN_FILE_SYSTEMS = (DevFS, JobsFS, ProgramFilesFS)


def mounts_of_fork(files: LazyFiles, share: Collection[str]) -> dict[str, FileSystem] | None:
    """Return the file systems of a fork by their mount points; None if there are none yet.

    What is mounted at the points of `share` stays the same file system.
    """
    if not files.are_made and not share:
        return None
    mounts = files.router().mounts
    for point in share:
        if point not in mounts:
            raise ValueError(f"nothing is mounted at {point}, so that it cannot be shared")
        if mounts[point].is_in_images:
            raise ValueError(f"what is at {point} is in the store, which one shell writes to")
    return {
        point: fs if point in share else independent_view(fs)
        for point, fs in mounts.items()
        if not isinstance(fs, OWN_FILE_SYSTEMS)
    }


def independent_view(fs: FileSystem) -> FileSystem:
    """Return a file system that shows the same, and keeps its changes to itself."""
    if isinstance(fs, MemoryFS):
        return fs.snapshot()
    if fs.is_in_images:
        from keysh.vfs.sqlite.filesystem import SqliteFS  # noqa: PLC0415 - only for a store

        assert isinstance(fs, SqliteFS)
        return OverlayFS(fs.frozen_view())
    if isinstance(fs, ReadOnlyFS):
        return ReadOnlyFS(independent_view(fs.inner))
    return fs.snapshot() if isinstance(fs, OverlayFS) else OverlayFS(fs)
