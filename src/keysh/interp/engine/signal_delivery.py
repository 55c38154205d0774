"""Signal delivery: signals that scripts send with `kill` to shells and jobs of this process."""

from __future__ import annotations

from keysh.interp.engine.traps import run_exit_trap, run_trap
from keysh.interp.run.control_flow import Exit
from keysh.interp.run.options import SIGNAL_PENDING
from keysh.text.signal_names import IGNORED_SIGNALS, SIGKILL, signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

SIGNAL_STATUS_BASE = 128
NULL_SIGNAL = 0  # `kill -0` tests for a process and sends nothing


def deliver_signal(state: State, number: int) -> None:
    """Deliver a signal to the running shell: run its trap at once, or end the shell."""
    if number == NULL_SIGNAL:
        return
    name = signal_name(number)
    if number != SIGKILL and name in state.traps:
        run_trap(state, name)
    elif name not in IGNORED_SIGNALS:
        raise Exit(SIGNAL_STATUS_BASE + number)


def deliver_to_shell(state: State, number: int) -> None:
    """Deliver a signal to the outermost shell of a state."""
    outermost = state
    while outermost.parent is not None:
        outermost = outermost.parent
    if outermost is state:
        deliver_signal(state, number)
    else:
        send_signal(outermost, number)
        state.budget.check()  # a job has its own budget and goes on


def send_signal(state: State, number: int) -> None:
    """Send a signal to a shell or job that runs on another thread or waits for a subshell.

    Its trap runs before its next command, as in bash. Without a trap it ends immediately.
    """
    if number == NULL_SIGNAL:
        return
    name, budget = signal_name(number), state.budget
    if number != SIGKILL and name in state.traps:
        if state.traps[name] is not None:
            note_signal(state, number)
            state.flags |= SIGNAL_PENDING
    elif name not in IGNORED_SIGNALS:
        if number != SIGKILL:
            note_signal(state, number)
        budget.cancel(number)


def note_signal(state: State, number: int) -> None:
    """Note a signal that waits for a state, in one step: other threads may do so, too."""
    vars(state.budget).setdefault("signals", []).append((state, number))


def pending_signal(state: State) -> int:
    """Return the signal that waits for the current command of a state to end, or 0."""
    return next((number for target, number in state.budget.signals if target is state), 0)


def run_pending_traps(state: State) -> None:
    """Run the traps of the signals that have arrived since the last command."""
    state.flags &= ~SIGNAL_PENDING
    while number := pending_signal(state):
        vars(state.budget)["signals"].remove((state, number))
        state.budget.clear_interruption()
        deliver_signal(state, number)


def run_last_trap(state: State, status: int) -> int:
    """Run the EXIT trap of a shell or job that a signal has killed; return its status."""
    if not pending_signal(state) or "EXIT" not in state.traps:
        return status
    vars(state.budget).pop("signals", None)
    state.budget.revive()
    state.reset_position()
    run_exit_trap(state, +state.status)
    return status
