"""The history of an isolated shell, as its host sees it: entries and changes by their records."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError
from keysh.shell.isolation.frames import FrameError
from keysh.shell.isolation.result_records import limit_of_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.shell.isolation.worker_use import WorkerUse
    from keysh.shell.run_result import ReachedLimit

    # Returns the changes of an entry as unified text: of its number, and with lines around.
    Diff = Callable[[int, int], str]


class IsolatedChange:
    """What became of a path, or of a variable, function and so on.

    It has the attributes of a `Change` or `StateChange`; `before` and `after` are as in its record.
    """

    __slots__ = ("_record", "after", "before", "kind", "moved_from", "name", "path")

    def __init__(self, record: dict[str, Any]) -> None:
        self._record = record
        self.kind, self.before, self.after = record["kind"], record["before"], record["after"]
        self.path, self.name = record.get("path"), record.get("name")
        self.moved_from = record.get("moved_from")

    def record(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        return self._record

    def __repr__(self) -> str:
        return f"<IsolatedChange {self.kind} {self.name if self.path is None else self.path!r}>"


class IsolatedChanges:
    """What a run has changed, as its worker tells; it has the attributes of `Changes`."""

    __slots__ = ("_diff", "_number", "files", "is_complete", "reasons", "state")

    def __init__(self, number: int, record: Any, diff: Diff) -> None:
        match record:
            case {
                "files": list(files), "state": list(state), "is_complete": bool(is_complete),
                "reasons": list(reasons),
            }:  # fmt: skip
                self.files = [checked_change(one, "path") for one in files]
                self.state = [checked_change(one, "name") for one in state]
                self.is_complete, self.reasons = is_complete, [str(one) for one in reasons]
            case _:
                raise FrameError("changes of no kind")
        self._number, self._diff = number, diff

    def __bool__(self) -> bool:
        return bool(self.files or self.state) or not self.is_complete

    def __iter__(self) -> Iterator[IsolatedChange]:
        yield from self.files
        yield from self.state

    def diff(self, context: int = 3) -> str:
        """Return the changes of files as unified text, while the worker has the run."""
        return self._diff(self._number, context)

    def record(self) -> dict[str, Any]:
        """Return the changes as JSON values."""
        return {
            "files": [one.record() for one in self.files],
            "state": [one.record() for one in self.state],
            "is_complete": self.is_complete, "reasons": self.reasons,
        }  # fmt: skip

    def __repr__(self) -> str:
        more = "" if self.is_complete else ", incomplete"
        return f"<IsolatedChanges {len(self.files)} of files, {len(self.state)} of the state{more}>"


class IsolatedRecording:
    """A `with` block in which the host changes files and variables; no run may begin meanwhile."""

    __slots__ = ("_shell", "_text")

    def __init__(self, shell: WorkerUse, text: str) -> None:
        self._shell, self._text = shell, text

    def __enter__(self) -> None:
        self._shell.take_turn()
        try:
            self._shell._request("begin recording", {"text": self._text})
        except BaseException:
            self._shell.leave_turn()
            raise

    def __exit__(self, *exception: object) -> None:
        try:
            number = self._shell._request("end recording")[0]
            self._shell._state.note_entry(number)
        except FrameError as error:
            raise KeyshError(f"worker: it has sent {error}") from None
        finally:
            self._shell.leave_turn()


class IsolatedEntry:
    """A run in the history; it has the attributes of a `JournalEntry`."""

    __slots__ = ("changes", "limit", "ms", "number", "programs", "status", "text", "time")

    def __init__(self, record: Any, text: bytes, diff: Diff) -> None:
        match record:
            case {
                "number": int(number), "status": None | int() as status,
                "time": int() | float() as at, "ms": int() | float() as ms,
                "programs": list(programs), "changes": changes, "limit": limit,
            }:  # fmt: skip
                self.number, self.status, self.time, self.ms = number, status, float(at), float(ms)
            case _:
                raise FrameError("an entry of no kind")
        self.text = text.decode("utf-8", "surrogateescape")
        self.programs = [str(path) for path in programs]
        self.limit: ReachedLimit | None = None if limit is None else limit_of_record(limit, 125)
        self.changes = IsolatedChanges(number, changes, diff)

    def record(self) -> dict[str, Any]:
        """Return the entry as JSON values."""
        return {
            "number": self.number, "text": self.text, "time": self.time, "status": self.status,
            "ms": round(self.ms, 3), "programs": self.programs,
            "limit": None if self.limit is None else str(self.limit),
            "changes": self.changes.record(),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<IsolatedEntry {self.number} {self.text[:40]!r} {self.status}>"


def checked_change(record: Any, subject: str) -> IsolatedChange:
    """Return a change; FrameError if a worker has sent none."""
    match record:
        case {"kind": str(), "before": _, "after": _} if record.get(subject).__class__ is str:
            return IsolatedChange(record)
    raise FrameError("a change of no kind")
