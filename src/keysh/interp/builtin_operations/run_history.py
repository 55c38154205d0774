"""What `undo`, `redo` and `changes` share: the history of a shell that has a journal."""

from __future__ import annotations

from keysh.diagnostics.exceptions import UndoRefused
from keysh.interp.state.state_of_call import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.interp.state.session import RunHistory

MAX_TEXT_CHARACTERS = 60  # of the text of a run in a line of a list


def history_of(sh: Call) -> RunHistory:
    """Return the runs of the shell; fail if it has no journal."""
    history = state_of(sh).session.history
    if history is None:
        raise sh.fail("there is no journal: `keysh --journal` and Shell(journal=True) keep one")
    return history


def go(sh: Call, word: str, number: int, act: Callable[[int], list[Any]]) -> str:
    """Go back or forth in the history, and name the runs."""
    if number < 1:
        raise sh.fail(f"the number of runs must be at least 1, but is {number}")
    try:
        entries = history_of(sh).from_inside(state_of(sh), lambda: act(number))
    except UndoRefused as refusal:
        raise sh.fail(str(refusal)) from None
    return "".join(
        f"{word} {entry.number}: {one_line(entry.text)}\n" for entry in entries if entry.changes
    )


def one_line(text: str) -> str:
    """Return a text, or its beginning, as one line."""
    return first_characters("; ".join(text.strip().splitlines()))


def function_line(text: str) -> str:
    """Return a function as `declare -f` prints it, or its beginning, as one line."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) > 1 and not lines[-2].endswith(("{", ";", "&")):
        lines[-2] += ";"  # the last command, before the brace
    return first_characters(" ".join(filter(None, lines)))


def first_characters(line: str) -> str:
    """Return a line, or its beginning."""
    return line if len(line) <= MAX_TEXT_CHARACTERS else f"{line[: MAX_TEXT_CHARACTERS - 1]}…"


def row_of_change(change: Any) -> dict[str, object]:
    """Return what a list says of a change: of a file, or of a fact of the shell."""
    record = change.record()
    if "path" in record:
        return row_of_file_change(record)
    before, after = change.before, change.after
    word = "created" if before is None else "removed" if after is None else "changed"
    return {
        "change": word, "what": change.kind, "name": change.name,
        "before": shown_fact(change.kind, before), "after": shown_fact(change.kind, after),
    }  # fmt: skip


def row_of_file_change(record: dict[str, Any]) -> dict[str, object]:
    """Return what a list says of the change of a file, which is given as a record."""
    before, after, kind = record["before"], record["after"], record["kind"]
    name = record["path"]
    if record.get("moved_from") is not None:
        name = f"{record['moved_from']} -> {name}"
    return {
        "change": kind, "what": (after or before)["type"], "name": name,
        "before": shown_version(before, kind), "after": shown_version(after, kind),
    }  # fmt: skip


def shown_version(version: dict[str, Any] | None, kind: str) -> str:
    """Return what a person wants to know of a version of a file."""
    if version is None:
        return ""
    if kind == "mode":
        return str(version["mode"])
    if "target" in version:
        return f"to {version['target']}"
    return f"{version['size']} bytes" if version.get("size") is not None else ""


def shown_fact(kind: str, fact: object) -> str:
    """Return a fact of a shell for a list; an absent one is empty."""
    if fact is None:
        return ""
    if not isinstance(fact, str):
        return repr(fact)
    return function_line(fact) if kind == "function" else one_line(fact)
