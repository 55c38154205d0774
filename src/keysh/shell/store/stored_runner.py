"""StoredRunner: each run of the host is stored before it is answered."""

from __future__ import annotations

from time import perf_counter

from keysh.diagnostics.exceptions import ImageError
from keysh.interp.jobs.job_endings import end_jobs
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.run_result import ReachedLimit, Result
from keysh.shell.runner import Runner
from keysh.shell.store.stored_journal import StoredJournal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.budget import Budget
    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.history.journal import Journal
    from keysh.shell.history.run_journal import RunJournal
    from keysh.shell.output import Output
    from keysh.shell.run_options import RunSettings
    from keysh.shell.script_cache import ScriptCache
    from keysh.shell.store.session_store import SessionStore


class StoredRunner(Runner):
    """Runs texts on the state of a session in a file.

    Status 125 and the limit `store` say that a run is not stored: it has not begun, or all that it
    changed in files of the store and in the state is taken back.
    """

    __slots__ = ("_store", "_stored_journal")

    def __init__(
        self,
        state: State,
        output: Output,
        limits: Limits,
        scripts: ScriptCache,
        store: SessionStore,
        journal: Journal,
    ) -> None:
        super().__init__(state, output, limits, scripts)
        self._store = store
        self.journal = self._stored_journal = StoredJournal(
            state, journal, store.files.database, store.states
        )

    def take_turn(self) -> object:
        me = super().take_turn()
        if not self._store.files.database.is_read_only:
            try:
                self._store.begin(self.state)
            except BaseException:
                super().leave_turn(me)
                raise
        return me

    def leave_turn(self, me: object) -> None:
        try:
            if not self._store.files.database.is_read_only:
                self._store.commit(self.state, self._stored_journal)
        except BaseException:
            self._store.take_back(self.state, self._stored_journal)
            raise
        finally:
            super().leave_turn(me)

    def _run_with_journal(
        self, journal: RunJournal, budget: Budget, text: str, options: RunSettings
    ) -> Result:
        began, store, state = perf_counter(), self._store, self.state
        try:
            store.begin(state, budget.check)
        except (OSError, ImageError) as error:
            self._output.begin(None, options.on_output)
            result = Result(0, self._output.out, self._output.err, 0.0)
            return self._unstored(result, began, error)
        try:
            result = super()._run_with_journal(journal, budget, text, options)
            try:
                store.commit(state, self._stored_journal, result)
            except (OSError, ImageError) as error:
                reason = error
            else:
                return result
        except BaseException:
            self._take_back()
            raise
        self._take_back()
        return self._unstored(result, began, reason)

    def _take_back(self) -> None:
        """Undo a run that is not stored; its jobs end too."""
        session = self.state.session
        end_jobs(session, session.runs)
        self._store.take_back(self.state, self._stored_journal)
        self.state.reset_position()

    def _unstored(self, result: Result, began: float, error: OSError | ImageError) -> Result:
        """Return the result of a run that is not stored."""
        reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        limit = LimitReached("store", reason, None)
        self._output.max_bytes = None  # the message is printed even if the output limit is reached
        self.messages.write(f"keysh: {limit.message}\n")
        duration = (perf_counter() - began) * 1e3
        return Result(
            limit.status, result._out, result._err, duration, ReachedLimit(limit),
            result.diagnostics, result.error,
        )  # fmt: skip
