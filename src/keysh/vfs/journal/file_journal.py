"""FileJournal: the file systems of a router before and after each run, and the way back.

begin     a MemoryFS: take a snapshot             any other: let a recorder see the changes
end       a MemoryFS: compare two snapshots       any other: compare what it has noted
restore   write versions, if the files are as the run has left them
"""

from __future__ import annotations

from _thread import RLock
from weakref import ref

from keysh.vfs.journal.changes import FileChanges
from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.journal.file_undo import restore_versions
from keysh.vfs.journal.memory_journal import MemoryJournal, UnreadVersions
from keysh.vfs.journal.overlay_journal import OverlayJournal
from keysh.vfs.journal.recorded_files import RecordedFS
from keysh.vfs.journal.recorder import FileRecorder
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from keysh.vfs.api import FileSystem
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.router import Router

# Runs whose inodes are held as they are: each may hold one old version of large directories.
MAX_UNREAD_RUNS = 100


class FileJournal:
    """What one shell's runs change in the file systems of its router.

    Runs follow one another: `begin`, then `end`. Between them other hands may change files; `end`
    does not list that, and `restore` refuses to overwrite it. File systems that are mounted or
    unmounted between runs are noticed.

    `contents` keeps what files contained, with a limit. `watch` are the directories in which the
    changes of real programs are found, by default all local mounts; of a mount of the machine's
    root, the directory in which the program starts.
    """

    def __init__(
        self,
        router: Router,
        contents: ContentStore | None = None,
        watch: Iterable[str] | None = None,
    ) -> None:
        self._router = router
        self._watch = None if watch is None else [*watch]
        self.contents = contents if contents is not None else ContentStore()
        self._points: dict[str, FileSystem] = {}
        self._lock = RLock()
        self._unread: list[ref[FileChanges]] = []
        # By the identity of the file system.
        self._journals: dict[int, MemoryJournal | FileRecorder] = {}

    def begin(self) -> None:
        """Note the state of all files before a run."""
        self._notice_mounts()
        for journal in self._journals.values():
            journal.begin(self.contents)

    def before_program(self, directory: str) -> None:
        """Note what a real program might change; `directory` is where it is going to start.

        All programs of a run may call it; the first one takes the time.
        """
        started = self._router.find_mounted(directory)
        watched = None if self._watch is None else [*map(self._router.find_mounted, self._watch)]
        for journal in self._journals.values():
            if isinstance(journal, FileRecorder) and isinstance(journal.fs, LocalFS):
                if watched is not None:
                    roots = [inner for fs, inner in watched if fs is journal.fs]
                elif journal.fs.real_path("/") != "/":
                    roots = ["/"]
                else:
                    roots = [inner for fs, inner in [started] if fs is journal.fs]
                journal.before_programs(roots)

    def end(self, reasons: Iterable[str] = ()) -> FileChanges:
        """Return what has changed since `begin`.

        `reasons` are those that the caller knows why there may be more changes than these, such as
        jobs that still run.
        """
        before: dict[str, FileVersion | None] = {}
        after: dict[str, FileVersion | None] = {}
        known = dict.fromkeys(reasons)
        unread: list[UnreadVersions] = []
        for journal in self._journals.values():
            if isinstance(journal, FileRecorder):
                journal.end(before, after)
            elif (versions := journal.end()) is not None:
                unread.append(versions)
            known.update(journal.reasons)
        for point, fs in self._router.mounts.items():
            if fs.is_recorded and id(fs) not in self._journals:
                known[f"{point} was mounted during the run"] = None
        if not unread:
            return FileChanges(before, after, known)
        changes = FileChanges(before, after, known, unread, self._read_until)
        with self._lock:
            self._unread = [each for each in self._unread if each() is not None]
            self._unread.append(ref(changes))
        if len(self._unread) > MAX_UNREAD_RUNS or not all(each.fits for each in unread):
            self._read_until(changes)
        return changes

    def restore(self, changes: FileChanges, to: Literal["before", "after"] = "before") -> None:
        """Make all paths of some changes what they were before, or after the run.

        UndoConflict with the paths that somebody else has changed meanwhile, ContentLost with those
        whose contents were not kept; then nothing is changed at all.
        """
        self._read_until(None)
        target, expected = changes.before, changes.after
        if to == "after":
            target, expected = expected, target
        restore_versions(self._router, target, expected, self.contents)
        for path, version in target.items():
            fs, inner = self._router.find_mounted(path)
            if version is not None and id(fs) in self._journals:
                self._journals[id(fs)].note_restored(inner, version)

    def _read_until(self, wanted: FileChanges | None) -> None:
        """Make the versions of all runs up to one, or of all; each run begins with the last one's.

        Runs that nobody has any more are left out.
        """
        with self._lock:
            while self._unread:
                changes = self._unread.pop(0)()
                if changes is not None:
                    changes.add_unread()
                    if changes is wanted:
                        break

    def _notice_mounts(self) -> None:
        points = self._router.mounts
        if points == self._points:
            return
        self._points = points
        known, self._journals = self._journals, {}
        for point in sorted(points, key=len):  # a file system counts at its first mount point
            fs = points[point]
            if fs.is_recorded and id(fs) not in self._journals:
                self._journals[id(fs)] = known.get(id(fs)) or journal_of(fs, point)
        self._router.record(
            {
                number: RecordedFS(journal.fs, journal)
                for number, journal in self._journals.items()
                if isinstance(journal, FileRecorder)
            }
        )


def journal_of(fs: FileSystem, point: str) -> MemoryJournal | FileRecorder:
    """Return what learns of the changes of a file system, which is mounted at a point."""
    if isinstance(fs, MemoryFS):
        return MemoryJournal(fs, point)
    if isinstance(fs, OverlayFS) and isinstance(fs._upper, MemoryFS):
        return OverlayJournal(fs, fs._upper, point)
    return FileRecorder(fs, point)
