"""Endings of runs, jobs and subshells: turns control flow into a status."""

from __future__ import annotations

from keysh.interp.run.control_flow import (
    STATUS_READER_GONE,
    ControlFlow,
    Exit,
    LimitReached,
    LoopJump,
    ReaderGone,
    Return,
    limit_of,
)
from keysh.interp.run.options import SIGNAL_PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.budget import Budget
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State


class Ending:
    """The end of a run or job.

    status    its exit status
    jump      the `exit`, `return`, `break` or `continue` that ended it
    limit     the limit that ended it, or the cancellation
    error     the exception that ended it: one of the host's, or a defect
    """

    __slots__ = ("error", "jump", "limit", "status")

    def __init__(
        self,
        status: int,
        *,
        jump: Exit | Return | LoopJump | None = None,
        limit: LimitReached | None = None,
        error: BaseException | None = None,
    ) -> None:
        self.status, self.jump, self.limit, self.error = status, jump, limit, error


SUCCESS = Ending(0)  # how most runs end


def run_until_jump(state: State, body: Body) -> tuple[int, Exit | Return | LoopJump | None]:
    """Run a body and the traps of pending signals; return the status and what jumped out of it."""
    try:
        status = body(state)
        if state.flags & SIGNAL_PENDING:
            from keysh.interp.engine.signal_delivery import run_pending_traps  # noqa: PLC0415

            run_pending_traps(state)
    except (Exit, Return, LoopJump) as jump:
        return jump.status, jump
    return status, None


def run_to_end(state: State, body: Body) -> Ending:
    """Run a body to its end, whatever that is; a run that a signal ends runs its EXIT trap."""
    try:
        status, jump = run_until_jump(state, body)
        if not status and jump is None:
            return SUCCESS if status.__class__ is int else Ending(status)  # a PipeStatus holds more
    except ReaderGone:
        return Ending(STATUS_READER_GONE)
    except LimitReached as error:
        limit = error
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - a host's objects may raise anything
        meant = limit_or_report(state, error)
        if meant is None:
            state.reset_position()
            return Ending(1, error=error)
        limit = meant
    else:
        return Ending(status, jump=jump)
    if limit.struck is not None and limit.struck is not state.budget:
        raise limit  # it ends the run whose command of the host has called this one
    if limit.kind == "cancelled":
        from keysh.interp.engine.signal_delivery import run_last_trap  # noqa: PLC0415 - signals are rare

        run_last_trap(state, limit.status)
    return Ending(limit.status, limit=limit)


def measure_memory(state: State, budget: Budget) -> None:
    """Measure what the shell keeps, unless there is no memory even for that."""
    try:
        from keysh.interp.state.kept_memory import measure_kept  # noqa: PLC0415 - of runs that last

        measure_kept(state, budget)
    except (MemoryError, ImportError):
        pass  # the next run measures


def limit_or_report(state: State, error: BaseException) -> LimitReached | None:
    """Print E299 for an exception of the host's, or of a defect, unless it is a limit.

    Return the limit that it is or means, or that is reached while it is told; else None.
    """
    limit = limit_of(error)
    if limit is None:
        try:
            from keysh.interp.state.exception_report import report_unexpected  # noqa: PLC0415 - rare

            report_unexpected(state, error, state.err)
        except (LimitReached, MemoryError, ImportError) as reached:
            return limit_of(reached)
    return limit


def reset_for_next_run(state: State) -> None:
    """Leave the constructs and redirections in which a run was ended."""
    state.reset_position()
    if state.redirect_saves:
        from keysh.interp.streams.descriptor_table import undo_all_redirects  # noqa: PLC0415 - only after an interruption

        undo_all_redirects(state)
