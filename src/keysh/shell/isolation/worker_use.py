"""WorkerUse: how an isolated shell gets its worker, uses it, and what it says when that is lost."""

from __future__ import annotations

from threading import Lock, get_ident
from time import monotonic

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.isolation.frames import FrameError, PipeClosed
from keysh.shell.isolation.run_turn import RunTurn
from keysh.shell.isolation.worker_process import WorkerLost
from keysh.vfs.api import LinkInPath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.shell.isolation.host.host_calls import HostCalls
    from keysh.shell.isolation.session_state import SessionState
    from keysh.shell.isolation.worker_process import WorkerProcess
    from keysh.shell.isolation.workers import Workers

CHANGING_VERBS = (
    "assign", "unset", "file", "switch", "reset", "undo", "redo", "checkout", "merge",
    "end recording",
)  # fmt: skip
REQUEST_SECONDS = 30.0  # for all that is no run
MAX_STARTS = 3  # of workers that end before they do anything


class WorkerUse:
    """A session, and the workers that it gets: one thread at a time uses one."""

    def __init__(self, state: SessionState, workers: Workers, calls: HostCalls) -> None:
        self._state, self._workers, self._calls = state, workers, calls
        self._turn = Lock()
        self._worker: WorkerProcess | None = None  # while a thread uses it
        self._thread = 0  # that thread
        self._is_held = False  # by a host that makes a run itself
        self._is_lost = False  # whether the worker was lost with the last request

    def _request(
        self, verb: str, record: dict[str, Any] | None = None, data: bytes = b""
    ) -> tuple[Any, bytes]:
        """Ask the worker for something that is no run; KeyshError if it is lost meanwhile."""
        if self._thread == get_ident() or get_ident() in self._calls.bridge.helpers:
            assert self._worker is not None
            if self._is_held:
                return self._answer(self._worker, verb, record, data)
            return self._worker.peer.request(verb, record, data)
        with self._turn:
            worker = self._enter_for_host()
            try:
                return self._answer(worker, verb, record, data)
            finally:
                self._leave(worker, is_lost=self._is_lost)

    def _answer(
        self, worker: WorkerProcess, verb: str, record: dict[str, Any] | None, data: bytes
    ) -> tuple[Any, bytes]:
        """Ask the worker of this thread between two runs; note whether it is lost then."""
        self._is_lost = True
        try:
            self._begin_use(worker, REQUEST_SECONDS)
            answer = worker.peer.request(verb, record, data)
            if verb == "image":
                self._state.keep_image(answer[1])
            elif verb in CHANGING_VERBS:
                self._state.is_stale, self._state.lost_runs = True, self._state.lost_runs + 1
            self._is_lost = False
            return answer
        except (PipeClosed, FrameError) as error:
            raise KeyshError(self._limit_of_loss(error).message) from None
        except LimitReached as limit:  # it ends a run, and here is none
            self._is_lost = False
            raise KeyshError(limit.message) from None
        except LinkInPath:
            self._is_lost = False
            if verb != "file":
                raise KeyshError("worker: it has sent a link that is none") from None
            raise
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            self._is_lost = False
            raise

    def _enter_for_host(self) -> WorkerProcess:
        """Return a worker that holds the shell, for what is no run; KeyshError if there is none."""
        try:
            return self._enter(RunTurn(None))
        except LimitReached as limit:
            raise KeyshError(limit.message) from None

    def take_turn(self) -> None:
        """Let no run begin until `leave_turn`; KeyshError if one is in progress."""
        if not self._turn.acquire(blocking=False):
            raise KeyshError("a run of this shell is in progress")
        try:
            worker = self._enter_for_host()
        except BaseException:
            self._turn.release()
            raise
        self._begin_use(worker, REQUEST_SECONDS)
        self._is_held = True

    def leave_turn(self) -> None:
        """Let runs begin again."""
        assert self._worker is not None
        self._is_held = False
        try:
            self._leave(self._worker, is_lost=self._is_lost)
        finally:
            self._turn.release()

    def belong_to(self, span: int) -> None:
        """Let the events of all runs belong to a span of another shell of the same host."""
        if self._calls.audit is not None:
            self._calls.audit.root = span

    def _enter(self, turn: RunTurn) -> WorkerProcess:
        """Return a worker that holds the shell of this session."""
        state, workers = self._state, self._workers
        if state.is_closed:
            raise LimitReached("closed", "the shell is closed", None)
        for _ in range(MAX_STARTS):
            worker: WorkerProcess | None = self._acquire(turn)
            assert worker is not None
            is_lost = True
            try:
                other = worker.live
                if other is not None and other is not state:
                    if not other.leave(worker):
                        continue
                    workers.count("moves")
                is_lost = not worker.is_alive
                if is_lost or worker.live is not state:
                    self._refuse_silent_loss()
                if not is_lost:
                    if worker.live is not state:
                        is_lost = True
                        state.enter(worker)
                        is_lost = False
                    entered, worker = worker, None
                    return entered
            except (PipeClosed, FrameError) as error:
                raise self._limit_of_loss(error) from None
            except (KeyboardInterrupt, SystemExit, LimitReached):
                raise
            except BaseException:
                is_lost = False  # the options are wrong, say
                raise
            finally:
                if worker is not None:
                    workers.release(worker, is_lost=is_lost)
        raise LimitReached("worker", "no worker lives long enough to be used", None)

    def _acquire(self, turn: RunTurn) -> WorkerProcess:
        try:
            return self._workers.acquire(self._state, turn.ends_at, turn.check)
        except TimeoutError:
            raise turn.time_limit() from None
        except ValueError as error:  # there are none any more
            raise LimitReached("worker", str(error), None) from None
        except OSError as error:
            raise LimitReached("worker", f"it cannot be started: {error.strerror}", None) from None

    def _refuse_silent_loss(self) -> None:
        """Say that earlier runs are lost with a worker that has died between two runs."""
        lost, self._state.lost_runs = self._state.lost_runs, 0
        if lost:
            raise LimitReached(
                "worker", f"it died between two runs, and with it the last changes: {lost}", None
            )

    def _begin_use(self, worker: WorkerProcess, seconds: float | None) -> None:
        calls = self._calls
        worker.begin(calls.serve, None, self._state.bounds, seconds)
        calls.bridge.peer = worker.peer
        calls.bridge.ends_at = None if seconds is None else monotonic() + seconds
        self._worker, self._thread = worker, get_ident()

    def _save_changes(self, worker: WorkerProcess) -> None:
        """Take an image of what the host has changed, if that takes no time, before a run."""
        state = self._state
        if state.lost_runs:
            self._begin_use(worker, REQUEST_SECONDS)
            image = worker.peer.request("image if quick")[1]
            if image:
                state.keep_image(image)

    def _leave(self, worker: WorkerProcess, *, is_lost: bool) -> None:
        self._worker, self._thread = None, 0
        self._calls.bridge.peer, self._calls.is_run = None, False
        if is_lost:
            worker.live = None
            self._calls.close()
        self._workers.release(worker, is_lost=is_lost)

    def _limit_of_loss(self, error: Exception) -> LimitReached:
        """Return the limit by which a run ends whose worker is gone, and what is lost with it."""
        limit = (
            error.limit
            if isinstance(error, WorkerLost)
            else LimitReached("worker", f"it was ended, since it has sent {error}", None)
        )
        if self._calls.audit is not None:
            self._calls.audit.note_loss(limit)
        lost, self._state.lost_runs = self._state.lost_runs, 0
        self._state.is_stale = False
        if lost and limit.allowed is None:
            also = f"changes before this run that are lost, too: {lost}"
            limit.used = also if limit.used is None else f"{limit.used}; {also}"
        return limit
