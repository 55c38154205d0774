"""Forks: a second shell that begins where another one is, and changes nothing there."""

from __future__ import annotations

from keysh.interp.run.options import ASKS_HOST
from keysh.vfs.dev import DevFS
from keysh.vfs.job_files import JobsFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.program_files import ProgramFilesFS
from keysh.vfs.readonly import ReadOnlyFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from keysh.interp.state.state import State
    from keysh.shell.lazy_files import LazyFiles
    from keysh.vfs.api import FileSystem

# Every shell makes its own.
OWN_FILE_SYSTEMS = (DevFS, JobsFS, ProgramFilesFS)


def copy_state(source: State, target: State) -> None:
    """Give a state that has run nothing all that scripts have made of another one.

    Values are shared until either side changes one. Jobs and descriptors stay where they are.
    """
    twin = source.fork_concurrent()
    target.variables, target.attributes, target.owned = twin.variables, twin.attributes, set()
    target.functions, target.aliases = twin.functions, twin.aliases
    target.completions = twin.completions
    target.traps = source.traps.copy()
    target.flags = twin.flags & ~ASKS_HOST | target.flags & ASKS_HOST
    target.dialect, target.arguments = twin.dialect, twin.arguments
    target.name, target.source_name = twin.name, twin.source_name
    target.status, target.last_words = twin.status, twin.last_words
    target.getopts_position, target.seconds_from = twin.getopts_position, twin.seconds_from
    target.cwd, target.directories = twin.cwd, twin.directories
    target.umask, target.has_set_umask = twin.umask, twin.has_set_umask
    target.ulimits, target.hashed_files = twin.ulimits, twin.hashed_files
    target.random_seed = source.random_seed


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
    return {
        point: fs if point in share else independent_view(fs)
        for point, fs in mounts.items()
        if not isinstance(fs, OWN_FILE_SYSTEMS)
    }


def independent_view(fs: FileSystem) -> FileSystem:
    """Return a file system that shows the same, and keeps its changes to itself."""
    if isinstance(fs, MemoryFS):
        return fs.snapshot()
    if isinstance(fs, ReadOnlyFS):
        return ReadOnlyFS(independent_view(fs.inner))
    return fs.snapshot() if isinstance(fs, OverlayFS) else OverlayFS(fs)
