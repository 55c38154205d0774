"""JournalEntry: one run in the history of a shell."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.shell.history.run_changes import Changes
    from keysh.shell.history.state_version import StateVersion
    from keysh.shell.run_result import ReachedLimit


class JournalEntry:
    """A run in the history.

    number    counts the runs of the shell from 1
    text      what ran
    status    its status; None for what the host did, and if an exception of the host ended it
    time      when it began, in seconds since 1970
    ms        how long it took
    changes   what it changed
    programs  the real programs that it started, by their paths
    limit     the limit that ended it, or None
    before    the state before the run; `after` is that after it: they are the journal's own
    """

    __module__ = "keysh"
    __slots__ = (
        "after", "before", "changes", "limit", "ms", "number", "programs", "status", "text", "time",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        text: str,
        time: float,
        changes: Changes,
        before: StateVersion,
        after: StateVersion,
        programs: list[str],
    ) -> None:
        self.number, self.text, self.time = number, text, time
        self.changes, self.programs = changes, programs
        # The states that undo and redo restore.
        self.before, self.after = before, after
        self.status: int | None = None
        self.ms = 0.0
        self.limit: ReachedLimit | None = None

    def record(self) -> dict[str, Any]:
        """Return the entry as JSON values."""
        return {
            "number": self.number,
            "text": self.text,
            "time": self.time,
            "status": self.status,
            "ms": round(self.ms, 3),
            "programs": self.programs,
            "limit": None if self.limit is None else str(self.limit),
            "changes": self.changes.record(),
        }

    def __repr__(self) -> str:
        return f"<JournalEntry {self.number} {self.text[:40]!r} {self.status}>"
