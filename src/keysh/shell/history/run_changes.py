"""Changes: what a run did to files and to the state of its shell."""

from __future__ import annotations

from keysh.shell.history.state_changes import state_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.shell.history.state_changes import StateChange
    from keysh.shell.history.state_version import StateVersion
    from keysh.vfs.journal.changes import Change, FileChanges


class Changes:
    """What a run has changed: files, and variables, functions, options and so on.

    files        a Change for each path, sorted; those of nothing but times are not listed
    state        a StateChange for each variable, function and so on
    is_complete  whether these are all changes, and all of them can be taken back
    reasons      why they are not
    """

    __module__ = "keysh"
    __slots__ = ("_after", "_before", "_files", "_state", "versions")

    def __init__(self, versions: FileChanges, before: StateVersion, after: StateVersion) -> None:
        self.versions = versions
        self._before, self._after = before, after
        self._files: list[Change] | None = None
        self._state: list[StateChange] | None = None

    @property
    def files(self) -> list[Change]:
        """What became of each path."""
        if self._files is None:
            self._files = self.versions.list()
        return self._files

    @property
    def state(self) -> list[StateChange]:
        """What became of each variable, function, option and so on."""
        if self._state is None:
            self._state = state_changes(self._before, self._after)
        return self._state

    @property
    def is_complete(self) -> bool:
        """Whether these are all changes, and all of them can be taken back."""
        return self.versions.is_complete

    @property
    def reasons(self) -> list[str]:
        """Why there may be more changes, or some of these cannot be taken back."""
        lost = self.versions.lost
        return [*self.versions.reasons, *(f"{path}: {lost[path]}" for path in sorted(lost))]

    def add_reason(self, reason: str) -> None:
        """Note why there may be more changes: what the host knows, and the journal does not."""
        self.versions.reasons.append(reason)

    def __bool__(self) -> bool:
        """Whether anything is different, or may be."""
        return bool(self.versions) or not self.is_complete or bool(self.state)

    def __iter__(self) -> Iterator[Change | StateChange]:
        yield from self.files
        yield from self.state

    def diff(self, context: int = 3) -> str:
        """Return the changes of files as unified text."""
        return "".join(change.diff(context) for change in self.files)

    def record(self) -> dict[str, Any]:
        """Return the changes as JSON values."""
        return {
            "files": [change.record() for change in self.files],
            "state": [change.record() for change in self.state],
            "is_complete": self.is_complete,
            "reasons": self.reasons,
        }

    def __repr__(self) -> str:
        more = "" if self.is_complete else ", incomplete"
        return f"<Changes {len(self.files)} of files, {len(self.state)} of the state{more}>"
