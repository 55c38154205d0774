"""Traps: code that runs when the shell ends, a command fails, or a signal comes."""

from __future__ import annotations

from keysh.interp.engine.strand import run_deeper
from keysh.interp.run.control_flow import Exit, LoopJump, Return
from keysh.interp.run.options import FUNCTRACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.interp.run.closures import Body
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State

TRAP_SOURCE_NAME = "trap"  # the name of the scripts that traps are


class Trap:
    """The code of a trap, and how many functions ran inside each other where it was set.

    Deeper ones do not inherit ERR, DEBUG and RETURN, unless an option says so.
    """

    __slots__ = ("body", "depth", "text")

    def __init__(self, text: str, body: Body, depth: int = 0) -> None:
        self.text, self.body, self.depth = text, body, depth

    def is_active(self, state: State, option: int) -> bool:
        """Whether it runs where the state is now."""
        return function_depth(state) <= self.depth or bool(state.flags & option)


def function_depth(state: State) -> int:
    """How many functions run inside each other."""
    return sum(frame.is_function for frame in state.frames)


def leave_function(state: State) -> None:
    """A function ends: its RETURN trap runs, and the traps it has set are its caller's."""
    depth = function_depth(state)
    trap = state.traps.get("RETURN")
    if trap is not None and trap.is_active(state, FUNCTRACE):
        run_trap(state, "RETURN")
    for trap in state.traps.values():
        if trap is not None:
            trap.depth = min(trap.depth, depth - 1)


def run_trap(state: State, name: str, site: Site | None = None, text: str = "") -> None:
    """Run a trap; `$?` is afterwards what it was. What is trapped within it does not run.

    `$LINENO` and `$BASH_COMMAND` tell what it is about, where that is a command, or `text` of it.
    """
    trap = state.traps.get(name)
    if trap is None:
        return
    if site is not None:
        state.variables["LINENO"] = site.line
        state.variables["BASH_COMMAND"] = text or site.text
    status, was_trapped = state.status, state.is_in_trap
    state.is_in_trap = True
    try:
        run_deeper(state, lambda: trap.body(state))
    finally:
        state.variables.pop("LINENO", None)
        state.variables.pop("BASH_COMMAND", None)
        state.is_in_trap = was_trapped
    state.status = status


def exit_shell(state: State, status: int, *, is_bare: bool = False) -> NoReturn:
    """End the shell with a status.

    Its EXIT trap runs here: it sees the variables of the functions that are left, their arguments
    and what is redirected. A prompt runs its own when it ends.
    """
    is_prompt = state.session.is_interactive and state.parent is None
    if "EXIT" in state.traps and not is_prompt:
        is_tested, state.is_tested = state.is_tested, 0
        try:
            status = run_exit_trap(state, status)
        finally:
            state.is_tested = is_tested
    raise Exit(status, is_bare=is_bare)


def run_exit_trap(state: State, status: int) -> int:
    """Run the EXIT trap, once; the status the shell ends with."""
    trap = state.traps.pop("EXIT", None)
    if trap is None:
        return status
    state.status = status
    try:
        run_deeper(state, lambda: trap.body(state))
    except Exit as left:
        return status if left.is_bare else left.status
    except Return as left:
        return left.status
    except LoopJump:
        return status
    finally:
        state.traps.pop("EXIT", None)  # one that it has set would come too late
    return status
