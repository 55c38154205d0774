"""WorkerHistory: in a worker, the runs of its shell, of which the host asks one after the other."""

from __future__ import annotations

import json

from keysh.diagnostics.exceptions import UndoRefused
from keysh.shell.isolation.errors import plain
from keysh.shell.isolation.frames import FrameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.shell.history.entry import JournalEntry
    from keysh.shell.history.recording import Recording
    from keysh.shell.history.run_changes import Changes
    from keysh.shell.shell import Shell

MAX_LISTED_BYTES = 1 << 20  # of the changes of one run, as JSON
MAX_VALUE_CHARACTERS = 10_000  # of what a variable or function was; longer ones are named only
HOST_PROGRAMS = "programs have run in the host, and may have changed its files"


class WorkerHistory:
    """The verbs about the history of a shell."""

    def __init__(self, shell: Callable[[], Shell]) -> None:
        self._shell = shell
        self._recording: Recording | None = None

    def entries(self, data: bytes) -> tuple[Any, bytes]:
        """Answer with the numbers of the runs."""
        return [entry.number for entry in self._shell().history], b""

    def entry(self, data: bytes, *, number: int) -> tuple[Any, bytes]:
        """Answer with one run, also one that was taken back; its text are the data."""
        entry = self._find(number)
        limit = entry.limit
        record = {
            "number": number, "status": entry.status, "time": entry.time, "ms": entry.ms,
            "programs": entry.programs, "changes": record_of_changes(entry.changes),
            "limit": None if limit is None else [
                limit.kind, plain(limit.used), plain(limit.allowed), limit.place,
            ],
        }  # fmt: skip
        return record, entry.text.encode("utf-8", "surrogateescape")

    def diff(self, data: bytes, *, number: int, context: int) -> tuple[Any, bytes]:
        """Answer with the changes of a run as unified text."""
        text = self._find(number).changes.diff(context)
        return None, text.encode("utf-8", "surrogateescape")

    def undo(self, data: bytes, *, count: int, partial: bool) -> tuple[Any, bytes]:
        """Take back runs; answer with their numbers."""
        return numbers_of(self._shell().undo(count, partial=partial)), b""

    def redo(self, data: bytes, *, count: int) -> tuple[Any, bytes]:
        """Repeat runs; answer as above."""
        return numbers_of(self._shell().redo(count)), b""

    def checkout(self, data: bytes, *, number: int, partial: bool) -> tuple[Any, bytes]:
        """Go to the moment after a run; answer as above."""
        return numbers_of(self._shell().checkout(number, partial=partial)), b""

    def begin_recording(self, data: bytes, *, text: str) -> tuple[Any, bytes]:
        """Begin a run that the host itself makes."""
        recording = self._shell().recording(text)
        recording.__enter__()
        self._recording = recording
        return None, b""

    def end_recording(self, data: bytes) -> tuple[Any, bytes]:
        """End it; answer with its number in the history."""
        recording, self._recording = self._recording, None
        if recording is None:
            raise FrameError("the end of no recording")
        recording.__exit__(None, None, None)
        return self._shell().history[-1].number, b""

    def _find(self, number: int) -> JournalEntry:
        entry = self._shell()._journal().find(number)
        if entry is None:
            raise UndoRefused(f"the journal has forgotten run {number}")
        return entry


def numbers_of(entries: list[JournalEntry]) -> list[int]:
    """Return the numbers of runs."""
    return [entry.number for entry in entries]


def record_of_changes(changes: Changes) -> dict[str, Any]:
    """Return the changes of a run, as many as fit into a frame."""
    record: dict[str, Any] = {"files": [], "state": [], "is_complete": changes.is_complete}
    reasons, left, missing = [*changes.reasons], MAX_LISTED_BYTES, 0
    for kind, found in (("files", changes.files), ("state", changes.state)):
        for one in found:
            shown = one.record()
            if kind == "state":
                shown = {name: short_value(value) for name, value in shown.items()}
            left -= len(json.dumps(shown))
            if left < 0:
                missing += 1
            else:
                record[kind].append(shown)
    if missing:
        reasons.append(f"changes that are not listed: {missing}")
    return {**record, "reasons": reasons}


def short_value(value: Any) -> Any:
    """Return a value as it is, or what it is if it is long."""
    size = len(json.dumps(value))
    return value if size <= MAX_VALUE_CHARACTERS else f"… ({size} characters)"
