"""StoredRunner: each run of the host is stored before it is answered."""

from __future__ import annotations

from time import perf_counter, time_ns

from keysh.diagnostics.exceptions import ImageError
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.run_result import ReachedLimit, Result
from keysh.shell.runner import Runner
from keysh.shell.store.job_endings import end_jobs
from keysh.shell.store.session_tables import TOOL_NAME, add_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from keysh.interp.run.limits import Budget, Limits
    from keysh.interp.state.state import State
    from keysh.shell.output import Output
    from keysh.shell.run_options import RunOptions
    from keysh.shell.script_cache import ScriptCache
    from keysh.shell.store.session_store import SessionStore

    T = TypeVar("T")

NANOSECONDS = 1e9


class StoredRunner(Runner):
    """Runs texts on the state of a session in a file.

    Status 125 and the limit `store` say that a run is not stored: it has not begun, or all that it
    changed in files of the store and in the state is taken back.
    """

    __slots__ = ("_store",)

    def __init__(
        self,
        state: State,
        output: Output,
        limits: Limits,
        scripts: ScriptCache,
        store: SessionStore,
    ) -> None:
        super().__init__(state, output, limits, scripts)
        self._store = store

    def between_runs(self, work: Callable[[], T]) -> T:
        return super().between_runs(lambda: self._store.at_one_time(self.state, work))

    def _run_for_host(self, state: State, budget: Budget, text: str, options: RunOptions) -> Result:
        began, started_at = perf_counter(), time_ns()
        try:
            self._store.begin(state, budget.check)
        except (OSError, ImageError) as error:
            self._output.begin(None, options.on_output)
            result = Result(0, self._output.out, self._output.err, 0.0)
            return self._unstored(result, began, error)
        try:
            result = super()._run_for_host(state, budget, text, options)
            try:
                self._store.commit(state, lambda: self._add_entry(text, started_at, result))
            except (OSError, ImageError) as error:
                reason = error
            else:
                return result
        except BaseException:
            self._take_back(state)
            raise
        self._take_back(state)
        return self._unstored(result, began, reason)

    def _add_entry(self, text: str, started_at: int, result: Result) -> None:
        files, limit = self._store.files, result.limit
        add_run(files.database, text, result.code, started_at, result.duration_ms, limit)
        files.record_tool_call(
            TOOL_NAME,
            {"text": text},
            result={"status": result.code},
            error=None if limit is None else str(limit),
            started_at=started_at / NANOSECONDS,
            completed_at=started_at / NANOSECONDS + result.duration_ms / 1000,
        )

    def _take_back(self, state: State) -> None:
        """Undo a run that is not stored; its jobs end too."""
        end_jobs(state.session, state.session.runs)
        self._store.take_back(state)
        state.reset_position()

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
