"""MountedTree: which file systems are mounted where, and through which of them changes go."""

from __future__ import annotations

import errno
from _thread import RLock

from keysh.vfs.api import FileSystem, failure
from keysh.vfs.mounts import Mounts
from keysh.vfs.paths import normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Self

    from keysh.vfs.judged import FileAction, FileJudge

    Judge = tuple[FileJudge, Callable[[str, str], BaseException]]


# Mounting takes microseconds, so that all routers share one lock. It is re-entrant, since garbage
# collection may run a host's finalizer with the lock held.
CHANGE_OF_MOUNTS = RLock()
NOTHING_RECORDED: Mapping[int, FileSystem] = {}


class MountedTree(FileSystem):
    """The part of a Router that concerns its mounts.

    `_mounts` is the table of the file systems that are mounted. `_changed_mounts` is the same
    table, or while changes are recorded one that has recording file systems in it. Files are opened
    for reading and directories listed through `_read_mounts`: `_mounts`, or what records changes if
    it sees reads too. With a judge, `_changed_mounts` and `_read_mounts` have file systems that ask
    it.
    """

    __slots__ = (
        "_changed_mounts", "_judge", "_mounts", "_read_mounts", "_recorded", "_sees_reads",
    )  # fmt: skip

    def __init__(self, mounts: FileSystem | Mapping[str, FileSystem]) -> None:
        points = {"/": mounts} if isinstance(mounts, FileSystem) else mounts
        self._set_mounts({normal_mount_point(path): fs for path, fs in points.items()})

    def snapshot(self) -> Self:
        """Return a router of snapshots; io.UnsupportedOperation if one of the mounts has none."""
        points = self.mounts
        copies = {id(fs): fs.snapshot() for fs in {id(fs): fs for fs in points.values()}.values()}
        copy = self._bare_copy()
        copy._set_mounts({point: copies[id(fs)] for point, fs in points.items()})
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for `pickle`: the mounted file systems by their own rules."""
        return {**getattr(self, "__dict__", {}), "_mounts": self.mounts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        attributes = dict(state)
        self._set_mounts(attributes.pop("_mounts"))
        if attributes:
            self.__dict__.update(attributes)

    def _set_mounts(
        self,
        points: Mapping[str, FileSystem],
        recorded: Mapping[int, FileSystem] = NOTHING_RECORDED,
        judge: Judge | None = None,
        *,
        sees_reads: bool = False,
    ) -> None:
        self._recorded, self._judge, self._sees_reads = recorded, judge, sees_reads
        mounts = changed = read = Mounts(points)
        if recorded:
            changed = Mounts({point: recorded.get(id(fs), fs) for point, fs in points.items()})
        if sees_reads:
            read = changed
        if judge is not None:
            changed, read = (
                judged_mounts(changed, judge, mounts),
                judged_mounts(read, judge, mounts),
            )
        # The judged tables first: nothing is read or changed unjudged meanwhile.
        self._changed_mounts, self._read_mounts, self._mounts = changed, read, mounts

    def record(self, recorded: Mapping[int, FileSystem], *, sees_reads: bool = False) -> None:
        """Send changes to other file systems, by the identity of those they stand for.

        Only verbs that change something go there, and with `sees_reads` the opening of files;
        everything else in the package sees the file systems that are mounted.
        """
        with CHANGE_OF_MOUNTS:
            self._set_mounts(self.mounts, recorded, self._judge, sees_reads=sees_reads)

    def ask_before(self, judge: FileJudge, denial: Callable[[str, str], BaseException]) -> None:
        """Ask before each file is read or changed and each directory is listed.

        `judge` returns why not, or an empty string; `denial` makes the exception to raise.
        Devices of a DevFS, and the files that stand for keysh's commands, are free.
        """
        with CHANGE_OF_MOUNTS:
            self._set_mounts(
                self.mounts, self._recorded, (judge, denial), sees_reads=self._sees_reads
            )

    def refusal(self, action: FileAction, path: str) -> str:
        """Return why the judge refuses what is about to happen to a normal path; "" if not."""
        if self._judge is None:
            return ""
        from keysh.vfs.judged import JudgedFS  # noqa: PLC0415 - most shells have no judge

        fs, inner, _ = self._changed_mounts.find(path)
        return fs.refusal(action, inner) if isinstance(fs, JudgedFS) else ""

    def require(self, acts: Iterable[tuple[FileAction, str]]) -> None:
        """Ask the judge about all that is about to happen; what it refuses raises the denial."""
        if self._judge is not None:
            for action, path in acts:
                if reason := self.refusal(action, path):
                    raise self._judge[1](path, reason)

    def for_script(self, path: str, *, reads: bool = False) -> FileSystem:
        """Return the file system through which a script changes, or reads, a normal path."""
        return (self._read_mounts if reads else self._changed_mounts).find(path)[0]

    def for_changes(self, fs: FileSystem) -> FileSystem:
        """Return the file system through which changes of a mounted one go."""
        return self._recorded.get(id(fs), fs)

    @property
    def mounts(self) -> dict[str, FileSystem]:
        """The mount points and their file systems."""
        return self._mounts.points

    def mount(self, path: str, fs: FileSystem) -> None:
        """Mount a file system at a path, hiding what was there. EBUSY for a mount point.

        The path is taken as written: a link in it is hidden and not followed.
        """
        with CHANGE_OF_MOUNTS:
            points = self._mounts.points
            if normal_mount_point(path) in points:
                raise failure(errno.EBUSY, path)
            mounted = {**points, normal_mount_point(path): fs}
            self._set_mounts(mounted, self._recorded, self._judge, sees_reads=self._sees_reads)

    def unmount(self, path: str) -> None:
        """Unmount a file system; its open streams stay open.

        EINVAL if nothing is mounted there; EBUSY for `/`, and with another mount point below.
        """
        with CHANGE_OF_MOUNTS:
            point = normal_mount_point(path)
            points = self._mounts.points
            if point not in points:
                raise failure(errno.EINVAL, path)
            if point == "/" or self._mounts.leads_to_mount(point):
                raise failure(errno.EBUSY, path)
            rest = {other: fs for other, fs in points.items() if other != point}
            self._set_mounts(rest, self._recorded, self._judge, sees_reads=self._sees_reads)

    def find_mounted(self, path: str) -> tuple[FileSystem, str]:
        """Return the file system that has a normal path, whatever links are on it, and the path."""
        return self._mounts.find(path)[:2]


def normal_mount_point(path: str) -> str:
    if not path.startswith("/"):
        raise failure(errno.EINVAL, path)
    return normal_path(path)


def judged_mounts(mounts: Mounts, judge: Judge, plain: Mounts) -> Mounts:
    """Return mounts whose files are judged; `plain` are the same without what records changes."""
    from keysh.vfs.judged import JudgedFS  # noqa: PLC0415 - most shells have no judge
    from keysh.vfs.other_names import other_names  # noqa: PLC0415 - as above
    from keysh.vfs.synthetic.dev import DevFS  # noqa: PLC0415 - as above
    from keysh.vfs.synthetic.program_files import ProgramFilesFS  # noqa: PLC0415 - as above

    names = other_names(plain)
    return Mounts({
        point: fs if isinstance(fs, DevFS | ProgramFilesFS)
        else JudgedFS(fs, point, *judge, names.get(point))
        for point, fs in mounts.points.items()
    })  # fmt: skip
