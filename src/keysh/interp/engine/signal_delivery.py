"""Delivering: what the signals do that scripts send to shells and jobs."""

from __future__ import annotations

from keysh.interp.engine.traps import run_exit_trap, run_trap
from keysh.interp.jobs.signal_names import IGNORED_SIGNALS, SIGKILL, signal_name
from keysh.interp.run.control_flow import Exit
from keysh.interp.run.options import SIGNAL_PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

SIGNAL_STATUS_BASE = 128
NULL_SIGNAL = (
    0  # no signal: `kill -0` asks whether there is such a process. A trap on 0 is one on EXIT
)


def deliver_signal(state: State, number: int) -> None:
    """Let a signal reach the shell that runs here: its trap runs at once; without one it ends."""
    if number == NULL_SIGNAL:
        return
    name = signal_name(number)
    if number != SIGKILL and name in state.traps:
        run_trap(state, name)
    elif name not in IGNORED_SIGNALS:
        raise Exit(SIGNAL_STATUS_BASE + number)


def deliver_to_shell(state: State, number: int) -> None:
    """Let a signal reach the shell of which a state is a subshell, or which it is itself."""
    outermost = state
    while outermost.parent is not None:
        outermost = outermost.parent
    if outermost is state:
        deliver_signal(state, number)
    else:
        send_signal(outermost, number)
        state.budget.check()  # a job has a budget of its own, and goes on


def send_signal(state: State, number: int) -> None:
    """Let a signal reach a shell or job that runs elsewhere, or waits for a subshell.

    Its trap runs before its next command, as in bash. Without a trap it ends where it stands.
    """
    if number == NULL_SIGNAL:
        return
    name, budget = signal_name(number), state.budget
    if number != SIGKILL and name in state.traps:
        if state.traps[name] is not None:
            budget.signals.append((state, number))
            state.flags |= SIGNAL_PENDING
    elif name not in IGNORED_SIGNALS:
        if number != SIGKILL:
            budget.signals.append((state, number))
        budget.cancel(number)


def pending_signal(state: State) -> int:
    """The signal that has come for a state and waits for the command that runs to end, or 0."""
    return next((number for target, number in state.budget.signals if target is state), 0)


def run_pending_traps(state: State) -> None:
    """Run the traps of the signals that have come meanwhile."""
    state.flags &= ~SIGNAL_PENDING
    while number := pending_signal(state):
        state.budget.signals.remove((state, number))
        state.budget.clear_interruption()
        deliver_signal(state, number)


def run_last_trap(state: State, status: int) -> int:
    """Run the EXIT trap of a shell or job that dies of a signal; the status it ends with."""
    if not pending_signal(state) or "EXIT" not in state.traps:
        return status
    state.budget.signals.clear()
    state.budget.revive()
    state.reset_position()
    run_exit_trap(state, +state.status)
    return status
