"""Traps: code that runs when the shell exits, a command fails or a signal arrives."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.engine.thread_handoff import run_deeper
from keysh.interp.run.control_flow import Exit, LoopJump, Return
from keysh.interp.run.message_place import running_site
from keysh.interp.run.options import ERRTRACE, FUNCTRACE, TRAPS_DEBUG, TRAPS_ERR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.closures import Body
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State

TRAP_SOURCE_NAME = "trap"  # the script name of trap code in messages
TRAP_FLAGS = {"ERR": TRAPS_ERR, "DEBUG": TRAPS_DEBUG}
STATUS_USAGE = 2  # of code that is no script


class Trap:
    """The code of a trap, its dialect, and the function depth at which it was set.

    Deeper functions do not inherit ERR, DEBUG and RETURN, unless `set -E` or `set -T` is on.
    """

    __slots__ = ("body", "depth", "dialect", "text")

    def __init__(self, text: str, body: Body, dialect: Dialect, depth: int = 0) -> None:
        self.text, self.body, self.dialect, self.depth = text, body, dialect, depth

    def is_active(self, state: State, option: int) -> bool:
        """Whether the trap applies at the current function depth."""
        return function_depth(state) <= self.depth or bool(state.flags & option)


def compiled_trap(state: State, text: str, dialect: Dialect, depth: int = 0) -> Trap:
    """Return the trap of a text. One that cannot be parsed is a ScriptError; in bash it fails only
    when it runs."""
    try:
        body = state.session.compilers[dialect].script(text, TRAP_SOURCE_NAME, state)
    except ScriptError as error:
        if not dialect.is_lenient:
            raise
        body = failing_body(error)
    return Trap(text, body, dialect, depth)


def failing_body(error: ScriptError) -> Body:
    """Return what runs for code that cannot be parsed, which bash finds when the trap runs."""

    def fail(state: State) -> int:
        state.err.write(f"{error}\n")
        state.status = STATUS_USAGE
        return STATUS_USAGE

    return fail


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
    state.nesting += 1
    try:
        run_code(state, trap)
    finally:
        state.variables.pop("LINENO", None)
        state.variables.pop("BASH_COMMAND", None)
        state.is_in_trap = was_trapped
        state.nesting -= 1
    state.status = status


def run_code(state: State, trap: Trap) -> None:
    """Run the code of a trap, in its own dialect; its messages name the command before it."""
    outer, state.dialect = state.dialect, trap.dialect
    site, evaluating_site = state.site, state.evaluating_site
    state.evaluating_site = running_site(state)
    try:
        run_deeper(state, lambda: trap.body(state))
    finally:
        state.dialect = outer
        state.site, state.evaluating_site = site, evaluating_site


def is_trap_active(state: State, name: str, option: int) -> bool:
    """Whether a trap applies at this function depth and no trap is running."""
    trap = state.traps.get(name)
    return trap is not None and not state.is_in_trap and trap.is_active(state, option)


def run_debug_trap(state: State, site: Site, text: str = "") -> None:
    """Run the DEBUG trap before a command, or before the part of it that `text` is."""
    if state.flags & TRAPS_DEBUG and is_trap_active(state, "DEBUG", FUNCTRACE):
        run_trap(state, "DEBUG", site, text)


def exit_shell(state: State, status: int, *, is_bare: bool = False) -> NoReturn:
    """Exit the shell with a status.

    The EXIT trap runs here, so it still sees local variables, arguments and redirections. A prompt
    runs its EXIT trap when it ends.
    """
    is_prompt = state.session.is_interactive and state.parent is None
    if "EXIT" in state.traps and not is_prompt:
        is_tested, state.is_tested = state.is_tested, 0
        if state.site is not None and state.dialect is BASH:
            state.variables.setdefault("BASH_COMMAND", state.site.text)
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
    state.nesting = state.parent.nesting + 1 if state.parent is not None else 0
    try:
        run_code(state, trap)
    except (Exit, Return) as jump:
        is_bare = isinstance(jump, Exit) and jump.is_bare
        return status if is_bare else jump.status
    except LoopJump:
        return status
    finally:
        state.traps.pop("EXIT", None)  # an EXIT trap set by the trap itself never runs
    return status
