"""JournalLog: the runs of a journal in a directory, for `keysh log` and `keysh undo`.

    lock        held by the process that reads or writes
    log         lines of JSON: the format, then an entry for each run, and each undo or redo
    contents/   what files contained, named by digests

A line counts once its newline is there. Contents are written before it; both are flushed to the
disk. So a process that is killed at any moment leaves a whole entry or none, and the next one cuts
off what it may have begun. To forget old runs, the log is written anew and takes the old one's
place.
"""

from __future__ import annotations

import fcntl
import json
import os

from keysh.diagnostics.exceptions import UndoRefused
from keysh.shell.history.logged_contents import LoggedContents
from keysh.shell.history.logged_versions import LoggedVersions
from keysh.vfs.journal.changes import FileChanges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any, Self

    from keysh.shell.history.logged_versions import VersionPair
    from keysh.vfs.journal.content import FileContent
    from keysh.vfs.journal.version import FileVersion

FORMAT, VERSION = "keysh journal", 1
DIRECTORY_MODE = 0o700  # contents of files are in it
# A log is written anew when it has this many times as many runs as it is to keep.
SPARE_RUNS = 1.25


class JournalFault(UndoRefused):
    """A directory is no journal, or one that is damaged."""

    __module__ = "keysh"


class LoggedRun:
    """A run in a log: its line, and the versions of the files on the disk."""

    __slots__ = ("is_undone", "line", "number", "record", "versions")

    def __init__(self, line: bytes, record: dict[str, Any], versions: FileChanges) -> None:
        self.line, self.record, self.versions = line, record, versions
        self.number = int(record["number"])
        self.is_undone = False

    @property
    def is_complete(self) -> bool:
        """Whether all that the run changed is known."""
        return bool(self.record["is_complete"]) and self.versions.is_complete

    @property
    def reasons(self) -> list[str]:
        """Why not all of it can be taken back."""
        lost = self.versions.lost
        known = [str(reason) for reason in self.record["reasons"]]
        return known + [line for path in lost if (line := f"{path}: {lost[path]}") not in known]


class JournalLog:
    """The log of a directory. A `with` block holds its lock and has read what others added."""

    def __init__(self, directory: str, *, max_runs: int, max_bytes: int) -> None:
        self.directory = directory
        self._max_runs, self._max_bytes = max_runs, max_bytes
        self._path = os.path.join(directory, "log")
        self._lock = -1
        self._forget()

    def _forget(self) -> None:
        """Begin anew to read the log."""
        self._inode, self._end, self._last_number = 0, 0, 0
        contents = os.path.join(self.directory, "contents")
        self._contents = LoggedContents(contents)
        self.versions = LoggedVersions(self._contents)
        self.runs: list[LoggedRun] = []

    # ------------------------------------------------------------ the lock

    def __enter__(self) -> Self:
        os.makedirs(self.directory, DIRECTORY_MODE, exist_ok=True)
        os.makedirs(os.path.join(self.directory, "contents"), DIRECTORY_MODE, exist_ok=True)
        path = os.path.join(self.directory, "lock")
        self._lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            self._read()
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._lock)

    # ------------------------------------------------------------ reading

    def _read(self) -> None:
        """Read what has been added to the log; cut off a line that has no end."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with open(descriptor, "r+b") as file:
            status = os.fstat(descriptor)
            if status.st_ino != self._inode or status.st_size < self._end:
                self._forget()
                self._inode = status.st_ino
            file.seek(self._end)
            data = file.read()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                file.truncate(self._end + whole)
            offset = self._end
            for line in data[:whole].splitlines(keepends=True):
                self._take(line, offset)
                offset += len(line)
            self._end += whole
            if self._end == 0:
                self._append_to(file, json_line({"format": FORMAT, "version": VERSION}))

    def _take(self, line: bytes, offset: int) -> None:
        """Take over a line."""
        try:
            record = json.loads(line)
            if offset == 0:
                if record.get("format") != FORMAT:
                    raise JournalFault(f"{self.directory} is no journal of keysh")
                if record["version"] != VERSION:
                    raise JournalFault(
                        f"the journal has version {record['version']}; this keysh reads {VERSION}"
                    )
                self._last_number = int(record.get("last", 0))
            self.versions.note_places(record.get("places", {}))
            if "number" in record:
                self._take_run(line, record)
            elif "undone" in record:
                self._take_move(record)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JournalFault(
                f"the journal in {self.directory} is damaged at byte {offset}: {error}"
            ) from None

    def _take_run(self, line: bytes, record: dict[str, Any]) -> None:
        before: dict[str, FileVersion | None] = {}
        after: dict[str, FileVersion | None] = {}
        shared: dict[int, FileContent] = {}
        for path, (was, now) in record["paths"].items():
            before[path] = self.versions.version(was, shared)
            after[path] = self.versions.version(now, shared)
            self.versions.note_latest(path, after[path])
        self.runs.append(LoggedRun(line, record, FileChanges(before, after)))
        self._last_number = self.runs[-1].number

    def _take_move(self, record: dict[str, Any]) -> None:
        numbers, is_undone = set(map(int, record["runs"])), bool(record["undone"])
        runs = [run for run in self.runs if run.number in numbers]
        for run in reversed(runs) if is_undone else runs:
            run.is_undone = is_undone
            left = run.versions.before if is_undone else run.versions.after
            for path, version in left.items():
                self.versions.note_latest(path, version)

    # ------------------------------------------------------------ writing

    def add_run(
        self,
        record: dict[str, Any],
        paths: Mapping[str, VersionPair],
    ) -> int:
        """Add a run with the versions of files on the disk; return its number."""
        number = record["number"] = self._last_number + 1
        record["paths"] = self.versions.records(paths)
        record["places"] = self.versions.places(
            version for pair in paths.values() for version in pair
        )
        self._contents.flush()
        self._append(json_line(record))
        if len(self.runs) > self._max_runs * SPARE_RUNS or self._is_full():
            self._write_anew()
        return number

    def add_move(
        self, numbers: Sequence[int], versions: Iterable[FileVersion | None], *, is_undone: bool
    ) -> None:
        """Note that runs have been taken back or repeated, and where their files are now."""
        places = self.versions.places(versions)
        self._append(json_line({"undone": is_undone, "runs": list(numbers), "places": places}))

    def _append(self, line: bytes) -> None:
        with open(self._path, "r+b") as file:
            start = self._end
            self._append_to(file, line)
        self._take(line, start)

    def _append_to(self, file: Any, line: bytes) -> None:
        file.seek(self._end)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
        self._end += len(line)

    # ------------------------------------------------------------ forgetting

    def _is_full(self) -> bool:
        return sum(self._contents.sizes().values()) > self._max_bytes

    def _write_anew(self) -> None:
        """Forget the oldest runs, and the contents that only they need."""
        sizes = self._contents.sizes()
        kept: list[LoggedRun] = []
        digests: set[str] = set()
        for run in reversed(self.runs[-self._max_runs :]):
            more = digests | contents_of(run)
            if kept and sum(sizes.get(digest, 0) for digest in more) > self._max_bytes:
                break
            digests = more
            kept.insert(0, run)
        last = self._last_number if not kept else kept[0].number - 1
        head = {
            "format": FORMAT, "version": VERSION, "last": last,
            "places": self.versions.all_places(),
        }  # fmt: skip
        undone = [run.number for run in kept if run.is_undone]
        places = {"places": self.versions.all_places()}
        lines = [json_line(head), *(run.line for run in kept), json_line(places)]
        if undone:
            lines.append(json_line({"undone": True, "runs": undone}))
        beside = f"{self._path}.new"
        with open(beside, "wb") as file:
            file.write(b"".join(lines))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)
        self._contents.keep_only(digests)
        earlier = self.versions
        self._forget()
        self._read()
        self.versions.take_numbers(earlier)


def contents_of(run: LoggedRun) -> set[str]:
    """Return the digests of the contents that a run needs."""
    versions = [version for pair in run.record["paths"].values() for version in pair if version]
    return {str(version["content"]) for version in versions if "content" in version}


def json_line(record: dict[str, Any]) -> bytes:
    """Return a record as a line; names that are not UTF-8 keep their bytes."""
    return (json.dumps(record, separators=(",", ":")) + "\n").encode()
