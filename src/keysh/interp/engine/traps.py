"""Traps: code that runs when the shell exits, a command fails or a signal arrives."""

from __future__ import annotations

from keysh.interp.engine.thread_handoff import run_deeper
from keysh.interp.run.control_flow import Exit, LoopJump, Return
from keysh.interp.run.options import ERRTRACE, FUNCTRACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.interp.run.closures import Body
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State

TRAP_SOURCE_NAME = "trap"  # the script name of trap code in messages


class Trap:
    """The code of a trap and the function depth at which it was set.

    Deeper functions do not inherit ERR, DEBUG and RETURN, unless `set -E` or `set -T` is on.
    """

    __slots__ = ("body", "depth", "text")

    def __init__(self, text: str, body: Body, depth: int = 0) -> None:
        self.text, self.body, self.depth = text, body, depth

    def is_active(self, state: State, option: int) -> bool:
        """Whether the trap applies at the current function depth."""
        return function_depth(state) <= self.depth or bool(state.flags & option)


def has_error_trap(state: State) -> bool:
    """Whether an ERR trap applies at the current function depth."""
    trap = state.traps.get("ERR")
    return trap is not None and trap.is_active(state, ERRTRACE)


def function_depth(state: State) -> int:
    """Return the number of nested function calls."""
    return sum(frame.is_function for frame in state.frames)


def leave_function(state: State) -> None:
    """Run the RETURN trap at the end of a function; traps that it set pass to its caller."""
    depth = function_depth(state)
    trap = state.traps.get("RETURN")
    if trap is not None and trap.is_active(state, FUNCTRACE):
        run_trap(state, "RETURN")
    for trap in state.traps.values():
        if trap is not None:
            trap.depth = min(trap.depth, depth - 1)


def run_trap(state: State, name: str, site: Site | None = None, text: str = "") -> None:
    """Run a trap and restore `$?`; no other trap runs inside it.

    `$LINENO` and `$BASH_COMMAND` describe the command at `site`, or `text`, a part of it.
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
    """Exit the shell with a status.

    The EXIT trap runs here, so it still sees local variables, arguments and redirections. A prompt
    runs its EXIT trap when it ends.
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
    """Run the EXIT trap once; return the final status."""
    trap = state.traps.pop("EXIT", None)
    if trap is None:
        return status
    state.status = status
    try:
        run_deeper(state, lambda: trap.body(state))
    except (Exit, Return) as jump:
        is_bare = isinstance(jump, Exit) and jump.is_bare
        return status if is_bare else jump.status
    except LoopJump:
        return status
    finally:
        state.traps.pop("EXIT", None)  # an EXIT trap set by the trap itself never runs
    return status
