"""The entries of a shell's history in a log on the disk: what of them another process can use."""

from __future__ import annotations

import os

from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.local.filesystem import LocalFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.state.state import State
    from keysh.shell.history.entry import JournalEntry
    from keysh.shell.history.journal import Journal
    from keysh.shell.history.journal_log import JournalLog
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.router import Router

    Pairs = dict[str, tuple[FileVersion | None, FileVersion | None]]

MAX_TEXT_CHARACTERS = 10_000  # of a run, in the log
RUNNING_PREFIX = "running-"  # of the directories of living processes, before their numbers


def log_of(directory: str, journal: Journal) -> JournalLog:
    """Return the log in a directory, which is made; UndoRefused if something else is there."""
    from keysh.shell.history.journal_log import JournalLog  # noqa: PLC0415 - most journals are in memory

    log = JournalLog(directory, max_runs=journal.max_runs, max_bytes=journal.max_bytes)
    with log:
        remove_dead_directories(directory)
    return log


def contents_of(journal: Journal, make_room: Callable[[int], None]) -> ContentStore:
    """Return what keeps contents while a shell lives: in the journal's directory, if it has one."""
    if journal.directory is None:
        return ContentStore(journal.max_bytes, make_room)
    from keysh.vfs.journal.directory_contents import DirectoryContents  # noqa: PLC0415 - as above

    directory = running_directory(journal.directory)
    os.makedirs(directory, 0o700, exist_ok=True)
    return DirectoryContents(directory, journal.max_bytes, make_room, journal.directory)


def running_directory(directory: str) -> str:
    """Return where this process keeps contents while it lives."""
    return os.path.join(directory, f"{RUNNING_PREFIX}{os.getpid()}")


def remove_dead_directories(directory: str) -> None:
    """Remove what processes have left that were killed."""
    from shutil import rmtree  # noqa: PLC0415 - as above

    for name in os.listdir(directory):
        number = name.removeprefix(RUNNING_PREFIX)
        if number != name and number.isdecimal() and not is_alive(int(number)):
            rmtree(os.path.join(directory, name), ignore_errors=True)


def is_alive(pid: int) -> bool:
    """Whether there is a process with a number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def log_run(log: JournalLog, entry: JournalEntry, state: State) -> None:
    """Add an entry, whose number becomes that of the log."""
    pairs = pairs_on_disk(state.fs, entry)
    elsewhere = len(entry.changes.versions) - len(pairs)
    record = {
        "time": entry.time, "text": entry.text[:MAX_TEXT_CHARACTERS], "status": entry.status,
        "ms": round(entry.ms, 3), "directory": state.cwd, "programs": entry.programs,
        "limit": None if entry.limit is None else str(entry.limit),
        "is_complete": entry.changes.is_complete, "reasons": entry.changes.reasons,
        # The names only: values may be secrets.
        "state": [[change.kind, change.name] for change in entry.changes.state],
        "elsewhere": elsewhere,
    }  # fmt: skip
    if state.name in state.session.script_files:
        record["script"] = " ".join([state.name, *map(str, state.arguments)])
    entry.number = log.add_run(record, pairs)


def log_move(
    log: JournalLog, entries: Sequence[JournalEntry], router: Router, *, is_undone: bool
) -> None:
    """Note that entries were taken back, or repeated."""
    versions = [
        version
        for entry in entries
        for pair in pairs_on_disk(router, entry).values()
        for version in pair
    ]
    log.add_move([entry.number for entry in entries], versions, is_undone=is_undone)


def pairs_on_disk(router: Router, entry: JournalEntry) -> Pairs:
    """Return the versions of the files of the machine by their real paths."""
    pairs: Pairs = {}
    versions = entry.changes.versions
    for path, before in versions.before.items():
        fs, inner = router.find_mounted(path)
        if isinstance(fs, LocalFS):
            root = str(fs.reference()["place"])
            pairs[root.rstrip("/") + inner.rstrip("/") or "/"] = before, versions.after[path]
    return pairs
