"""`keysh --journal`, `keysh log` and `keysh undo`: a journal in a directory."""

from __future__ import annotations

import os
from shutil import rmtree
from time import localtime, strftime

from keysh.cli.console import UsageError, complain, put, put_json
from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import ContentLost, UndoRefused
from keysh.interp.builtin_operations.run_history import one_line, row_of_file_change
from keysh.shell.history.journal import DEFAULT_MAX_BYTES, DEFAULT_MAX_RUNS, Journal
from keysh.shell.history.journal_log import JournalLog
from keysh.shell.history.logged_contents import damaged_contents
from keysh.shell.history.run_journal import joined_changes, refuse_incomplete, runs_are
from keysh.shell.history.run_log import log_of, running_directory
from keysh.text.table import format_table
from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.journal.file_undo import restore_versions
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.router import Router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.shell.history.journal_log import LoggedRun

REFUSED_STATUS = 1


def journal_directory(requested: str) -> str:
    """Return the directory of a journal; the empty one is the user's own."""
    if requested:
        return os.path.abspath(requested)
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(home, "keysh", "journal")


def journal_at(requested: str) -> Journal:
    """Return the journal of a run; UsageError for a directory that is none.

    Real programs are looked after where the run began.
    """
    directory = journal_directory(requested)
    journal = Journal(directory, watch=[os.getcwd()])
    try:
        log_of(directory, journal)
    except UndoRefused as refusal:
        raise UsageError(f"--journal: {refusal}") from None
    return journal


def leave_journal(requested: str) -> None:
    """Remove what only this process has used."""
    rmtree(running_directory(journal_directory(requested)), ignore_errors=True)


def existing_log(requested: str) -> JournalLog:
    """Return the log in a directory; FileNotFoundError if there is none."""
    directory = journal_directory(requested)
    os.stat(os.path.join(directory, "log"))
    return JournalLog(directory, max_runs=DEFAULT_MAX_RUNS, max_bytes=DEFAULT_MAX_BYTES)


def print_log(requested: str, *, number: int | None, is_json: bool) -> int:
    """Print the runs of a journal, or what one of them changed."""
    try:
        with existing_log(requested) as log:
            runs = log.runs
    except UndoRefused as refusal:
        return report_refusal("log", refusal)
    if number is not None:
        runs = [run for run in runs if run.number == number]
        if not runs:
            return report_refusal("log", f"there is no run {number}, or it has been forgotten")
    if is_json:
        put_json([record_of_run(run) for run in runs])
    elif number is not None:
        put(visible_table(rows_of_changes(runs[0])))
        for reason in runs[0].reasons:
            complain(f"keysh: log: not complete: {visible(reason)}\n")
    else:
        put(visible_table([row_of_run(run) for run in runs]))
    return 0


def undo_on_disk(requested: str, count: int, *, is_partial: bool = False) -> int:
    """Take back what the last runs of a journal did to files of the machine."""
    try:
        with existing_log(requested) as log:
            group = last_runs(log, count)
            if not is_partial:
                for run in reversed(group):
                    refuse_incomplete(run.number, run)
            changes = joined_changes([run.versions for run in group])
            if damaged := damaged_contents(changes.before):
                raise ContentLost(damaged)
            fs = LocalFS("/", allow_fifos=True)
            log.versions.find_contents(fs)
            restore_versions(Router(fs), changes.before, changes.after, ContentStore())
            versions = [*changes.before.values(), *changes.after.values()]
            log.add_move([run.number for run in group], versions, is_undone=True)
    except UndoRefused as refusal:
        return report_refusal("undo", refusal)
    put("".join(f"undone {run.number}: {visible(text_of_run(run))}\n" for run in group))
    return 0


def last_runs(log: JournalLog, count: int) -> list[LoggedRun]:
    """Return the last runs that changed files and are not taken back, the oldest first."""
    runs = [run for run in log.runs if not run.is_undone and (run.versions or not run.is_complete)]
    if len(runs) < count:
        raise UndoRefused(f"{runs_are(len(runs))} there to be taken back")
    return runs[-count:]


def row_of_run(run: LoggedRun) -> dict[str, object]:
    """Return what the list says of a run."""
    record = run.record
    changed = [f"{len(run.versions.list())} files"] if run.versions else []
    changed += [name or kind for kind, name in record["state"]]
    return {
        "run": run.number, "time": strftime("%F %T", localtime(record["time"])),
        "status": "undone" if run.is_undone else record["status"], "ms": round(record["ms"]),
        "changed": one_line(" ".join(changed)) + ("" if run.is_complete else " …"),
        "text": text_of_run(run),
    }  # fmt: skip


def rows_of_changes(run: LoggedRun) -> list[dict[str, object]]:
    """Return a row for each change of a run."""
    rows = [row_of_file_change(change.record()) for change in run.versions]
    facts: list[dict[str, object]] = [
        {"change": "changed", "what": kind, "name": name, "before": "", "after": ""}
        for kind, name in run.record["state"]
    ]
    return rows + facts


def text_of_run(run: LoggedRun) -> str:
    """Return a run as one line: its script, or its text."""
    return one_line(str(run.record.get("script") or run.record["text"]))


def record_of_run(run: LoggedRun) -> dict[str, Any]:
    """Return a run as JSON values, with changes in place of versions."""
    left_out = ("paths", "places")
    record = {name: value for name, value in run.record.items() if name not in left_out}
    files = [change.record() for change in run.versions]
    return {**record, "is_undone": run.is_undone, "files": files}


def visible_table(rows: list[dict[str, object]]) -> str:
    """Return rows as a table in which control characters are visible."""
    shown = [
        {name: visible(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        for row in rows
    ]
    return format_table(shown, 0) if shown else ""


def report_refusal(subcommand: str, reason: object) -> int:
    """Print why a subcommand does nothing; return the status."""
    complain(f"keysh: {subcommand}: {visible(str(reason))}\n")
    return REFUSED_STATUS
