"""The entries of a shell's history in a log on the disk: what of them another process can use."""

from __future__ import annotations

from keysh.vfs.local.filesystem import LocalFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.interp.state.state import State
    from keysh.shell.history.entry import Entry
    from keysh.shell.history.journal import Journal
    from keysh.shell.history.journal_log import JournalLog
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.router import Router

    Pairs = dict[str, tuple[FileVersion | None, FileVersion | None]]

MAX_TEXT_CHARACTERS = 10_000  # of a run, in the log


def log_of(directory: str, journal: Journal) -> JournalLog:
    """Return the log in a directory, which is made; UndoRefused if something else is there."""
    from keysh.shell.history.journal_log import JournalLog  # noqa: PLC0415 - most journals are in memory

    log = JournalLog(directory, max_runs=journal.max_runs, max_bytes=journal.max_bytes)
    with log:
        return log


def log_run(log: JournalLog, entry: Entry, state: State) -> None:
    """Add an entry, whose number becomes that of the log."""
    pairs = pairs_on_disk(state.fs, [entry])
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


def log_move(log: JournalLog, entries: Sequence[Entry], *, is_undone: bool) -> None:
    """Note that entries were taken back, or repeated."""
    versions = [
        version
        for entry in entries
        for pair in (*entry.changes.versions.before.items(), *entry.changes.versions.after.items())
        for version in pair[1:]
    ]
    log.add_move([entry.number for entry in entries], versions, is_undone=is_undone)


def pairs_on_disk(router: Router, entries: Iterable[Entry]) -> Pairs:
    """Return the versions of the files of the machine by their real paths."""
    pairs: Pairs = {}
    for entry in entries:
        versions = entry.changes.versions
        for path, before in versions.before.items():
            fs, inner = router.find_mounted(path)
            if isinstance(fs, LocalFS):
                root = str(fs.reference()["place"])
                pairs[root.rstrip("/") + inner.rstrip("/") or "/"] = before, versions.after[path]
    return pairs
