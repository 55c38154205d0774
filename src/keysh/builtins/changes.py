"""changes - show what a run has changed."""

from __future__ import annotations

from json import dumps

from keysh.interp.builtin_operations.run_history import history_of, one_line, row_of_change
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
    """
    entries = history_of(sh).entries
    if list:
        if json:
            return "".join(f"{json_line(entry.record())}\n" for entry in entries)
        return format_table([row_of_entry(entry) for entry in entries], sh.out.width)
    entry = entry_of(sh, entries, number)
    if entry is None:
        return ""
    if json:
        return f"{json_line(entry.record())}\n"
    for reason in entry.changes.reasons:
        sh.err.write(f"changes: not complete: {reason}\n")
    if patch:
        return str(entry.changes.diff())
    rows = [row_of_change(change) for change in entry.changes]
    return format_table(rows, sh.out.width) if rows else ""


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
