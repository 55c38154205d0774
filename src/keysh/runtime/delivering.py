"""Delivering: what a signal does that a script sends to its own shell."""

from __future__ import annotations

from keysh.runtime.signal_names import IGNORED, KILL, signal_name
from keysh.runtime.signals import Exit
from keysh.runtime.traps import run_trap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State

SIGNALLED = 128


def deliver(state: State, number: int) -> None:
    """Let a signal reach a shell: its trap runs at once; without one the shell ends."""
    name = signal_name(number)
    if number != KILL and name in state.traps:
        run_trap(state, name)
    elif number and name not in IGNORED:
        raise Exit(SIGNALLED + number)


def deliver_to_shell(state: State, number: int) -> None:
    """Let a signal reach the shell of which a state is a subshell, or which it is itself."""
    outermost = state
    while outermost.parent is not None:
        outermost = outermost.parent
    name = signal_name(number)
    if outermost is state or (name in outermost.traps and number != KILL):
        deliver(outermost, number)
    elif number and name not in IGNORED:
        outermost.budget.cancel(number)
        state.budget.look()  # a job has a budget of its own, and goes on
