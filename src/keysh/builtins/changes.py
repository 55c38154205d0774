"""changes - show what a run has changed."""

from __future__ import annotations

from json import dumps

from keysh.interp.builtin_operations.run_history import history_of, one_line, row_of_change
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import command
from keysh.text.table import format_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.call import Call


@command
def changes(
    sh: Call,
    number: int | None = None,
    *,
    patch: bool = False,
    json: bool = False,
    list: bool = False,
) -> str:
    """Show what a run did to files, variables, functions, options and so on.

    number       the run (default: the last one that changed something)
    -p, --patch  print the changes of files as unified text
    --json       print the run and its changes as JSON
    -l, --list   list all runs with their numbers; with --json as JSON lines

    A file that may not be read is left out, and a message says so.
    """
    entries = history_of(sh).entries
    reader = HistoryReader(sh)
    if list:
        if json:
            lines = [f"{json_line(reader.record(entry))}\n" for entry in entries]
            reader.report()
            return "".join(lines)
        return format_table([row_of_entry(entry) for entry in entries], sh.out.width)
    entry = entry_of(sh, entries, number)
    if entry is None:
        return ""
    if json:
        record = reader.record(entry)
        reader.report()
        return f"{json_line(record)}\n"
    for reason in entry.changes.reasons:
        sh.err.write(f"changes: not complete: {reason}\n")
    files = [change for change in entry.changes.files if reader.may_show(change)]
    reader.report()
    if patch:
        return "".join(change.diff() for change in files)
    rows = [row_of_change(change) for change in (*files, *entry.changes.state)]
    return format_table(rows, sh.out.width) if rows else ""


class HistoryReader:
    """A reader of the history: a script, which learns nothing of a file that it may not read."""

    __slots__ = ("_answers", "_sh")

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._answers: dict[str, bool] = {}  # whether a file may be read, by its path

    def may_show(self, change: Any) -> bool:
        """Whether the change of a file may be shown, by its path now and before."""
        paths = (change.path,) if change.moved_from is None else (change.path, change.moved_from)
        return all(map(self._may_read, paths))

    def _may_read(self, path: str) -> bool:
        answer = self._answers.get(path)
        if answer is None:
            refusal = state_of(self._sh).session.fs.refusal("read", path)
            answer = self._answers[path] = not refusal
        return answer

    def record(self, entry: Any) -> dict[str, Any]:
        """Return an entry as a record for JSON."""
        record: dict[str, Any] = entry.record()
        files = zip(entry.changes.files, record["changes"]["files"], strict=True)
        record["changes"]["files"] = [each for change, each in files if self.may_show(change)]
        return record

    def report(self) -> None:
        """Say how many files were left out."""
        count = sum(not answer for answer in self._answers.values())
        if count:
            files = "1 file is" if count == 1 else f"{count} files are"
            self._sh.err.write(f"changes: {files} left out, which may not be read\n")


def entry_of(sh: Call, entries: list[Any], number: int | None) -> Any:
    """Return the entry of a number, or the last that changed something; None if none did."""
    if number is None:
        return next((entry for entry in reversed(entries) if entry.changes), None)
    for entry in entries:
        if entry.number == number:
            return entry
    raise sh.fail(f"there is no run {number}, or the journal has forgotten it")


def row_of_entry(entry: Any) -> dict[str, object]:
    """Return what the list says of a run."""
    return {
        "run": entry.number, "status": entry.status, "changes": len([*entry.changes]),
        "text": one_line(entry.text),
    }  # fmt: skip


def json_line(record: dict[str, Any]) -> str:
    """Return a record as JSON; bytes that are not UTF-8 become `?`."""
    return dumps(record, ensure_ascii=False).encode("utf-8", "replace").decode()
