"""ForkBase: the moment at which a shell was divided, which its forks begin from.

    shell ---x=1---+---------y=2-------->         a shell goes on
                   |  base: x=1, /f
                   +---/f---> fork                what became of a fork: all that differs
                   +--------> fork                forks of one moment share the base

A base is immutable. It holds the shared values and inodes, so it costs the tables of the state; and
a fork that nobody has used yet has neither state nor files, but makes them of its base.
"""

from __future__ import annotations

from weakref import ref

from keysh.shell.history.state_version import StateVersion
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.synthetic.dev import DevFS
from keysh.vfs.synthetic.job_files import JobsFS
from keysh.vfs.synthetic.program_files import ProgramFilesFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from keysh.interp.state.state import State
    from keysh.shell.run_options import ShellSettings
    from keysh.vfs.api import FileSystem

# Every shell makes its own.
OWN_FILE_SYSTEMS = (DevFS, JobsFS, ProgramFilesFS)
NOTHING_SHARED: Mapping[str, FileSystem] = {}


class MountBase:
    """A file system of the shell, and what it was at the moment of the fork.

    `view` is a snapshot that nothing changes. A file system that has none, such as a directory of
    the machine, is its own view: the fork's overlay notes what it was wherever it changes it.
    """

    __slots__ = ("fs", "view")

    def __init__(self, fs: FileSystem, view: FileSystem) -> None:
        self.fs, self.view = fs, view

    def is_current(self) -> bool:
        """Whether the file system is still what the view shows."""
        if isinstance(self.fs, MemoryFS) and isinstance(self.view, MemoryFS):
            return self.fs._tree.is_same_as(self.view._tree)
        return self.view is self.fs


class ForkBase:
    """The state and the file systems of a shell, its origin, at one moment."""

    __slots__ = ("__weakref__", "mounts", "options", "origin", "state")

    def __init__(self, origin: object, state: StateVersion, mounts: dict[str, MountBase]) -> None:
        self.origin = ref(origin)
        self.state, self.mounts = state, mounts
        self.options: ShellSettings | None = None  # of all forks, from the first

    def is_current(self, state: State, mounts: Mapping[str, FileSystem]) -> bool:
        """Whether nothing has changed since, so that a further fork can begin here, too."""
        return (
            self.state.is_of(state)
            and self.mounts.keys() == mounts.keys()
            and all(self.mounts[point].fs is fs for point, fs in mounts.items())
            and all(mount.is_current() for mount in self.mounts.values())
        )


class ForkOrigin:
    """What a fork knows of its beginning: its base, and the file systems that it made of it.

    `shared` are those that it has in common with its shell; they take no part in changes. `clock`
    gives the files of overlays their times, by default that of the machine.

    A call makes the file systems: that is what the fork's shell takes for `fs`.
    """

    __slots__ = ("_clock", "_made", "_shared", "_waiting_state", "base")

    def __init__(
        self, base: ForkBase, shared: Mapping[str, FileSystem], clock: Callable[[], int] | None
    ) -> None:
        self.base, self._shared, self._clock = base, shared or NOTHING_SHARED, clock
        self._made: tuple[FileSystem, ...] | None = None  # in the order of the base's mounts
        self._waiting_state: StateVersion | None = base.state

    def begin_state(self, state: State) -> None:
        """Give the new state of the fork what its shell had."""
        if self._waiting_state is not None:
            self._waiting_state.put_into(state)
            self._waiting_state = None

    def forget_state(self) -> None:
        """Let the fork begin anew: its next state is empty."""
        self._waiting_state = None

    @property
    def mounts(self) -> dict[str, FileSystem] | None:
        """The file systems of the fork by their mount points; None if they are not made yet."""
        return None if self._made is None else dict(zip(self.base.mounts, self._made, strict=True))

    def __call__(self) -> dict[str, FileSystem]:
        """Return the file systems of the fork by their mount points, made now."""
        bases = self.base.mounts
        views = {id(base): independent_view(base.view, self._clock) for base in {*bases.values()}}
        self._made = tuple(views[id(base)] for base in bases.values())
        return {**dict(zip(bases, self._made, strict=True)), **self._shared}


def mounts_to_divide(mounts: Mapping[str, FileSystem]) -> dict[str, FileSystem]:
    """Return the file systems that a fork needs a view of."""
    return {point: fs for point, fs in mounts.items() if not isinstance(fs, OWN_FILE_SYSTEMS)}


def take_out_shared(mounts: dict[str, FileSystem], share: Collection[str]) -> dict[str, FileSystem]:
    """Remove and return what is mounted at some points."""
    for point in share:
        if point not in mounts:
            raise ValueError(f"nothing is mounted at {point}, so that it cannot be shared")
        if mounts[point].is_in_images:
            raise ValueError(f"what is at {point} is in the store, which one shell writes to")
    return {point: mounts.pop(point) for point in share}


def bases_of_mounts(mounts: Mapping[str, FileSystem]) -> dict[str, MountBase]:
    """Return what file systems are now; one that is mounted twice has one base."""
    bases = {id(fs): MountBase(fs, view_of_now(fs)) for fs in mounts.values()}
    return {point: bases[id(fs)] for point, fs in mounts.items()}


def view_of_now(fs: FileSystem) -> FileSystem:
    """Return what a file system is now, or the file system itself if it has no snapshots."""
    if isinstance(fs, MemoryFS):
        return fs.snapshot()
    if isinstance(fs, ReadOnlyFS):
        inner = view_of_now(fs.inner)
        return fs if inner is fs.inner else ReadOnlyFS(inner)
    from keysh.vfs.overlay.filesystem import OverlayFS  # noqa: PLC0415 - most shells have memory only

    if isinstance(fs, OverlayFS):
        return fs.snapshot()
    if fs.is_in_images:
        from keysh.vfs.sqlite.filesystem import SqliteFS  # noqa: PLC0415 - only for a store

        assert isinstance(fs, SqliteFS)
        return OverlayFS(fs.frozen_view(), MemoryFS(clock=fs._clock))
    return fs


def independent_view(fs: FileSystem, clock: Callable[[], int] | None) -> FileSystem:
    """Return a file system that shows the same, and keeps its changes to itself."""
    if isinstance(fs, MemoryFS):
        return fs.snapshot()
    if isinstance(fs, ReadOnlyFS):
        return ReadOnlyFS(independent_view(fs.inner, clock))
    from keysh.vfs.overlay.filesystem import OverlayFS  # noqa: PLC0415 - as above

    return fs.snapshot() if isinstance(fs, OverlayFS) else OverlayFS(fs, MemoryFS(clock=clock))
