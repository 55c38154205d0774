"""Recording: what a host does itself, as a run of the history."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from keysh.shell.history.run_journal import RunJournal
    from keysh.shell.runner import Runner


class Recording:
    """A `with` block in which the host changes files and variables; no run may begin meanwhile."""

    __slots__ = ("_journal", "_runner", "_text", "_turn")

    def __init__(self, runner: Runner, journal: RunJournal, text: str) -> None:
        self._runner, self._journal, self._text = runner, journal, text

    def __enter__(self) -> None:
        self._turn = self._runner.take_turn()
        self._journal.begin(self._text)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._journal.end(None)
        finally:
            self._runner.leave_turn(self._turn)
