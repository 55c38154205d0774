"""Failing and watching: `set -e`, the ERR and DEBUG traps, `set -x`, and the host that is asked."""

from __future__ import annotations

from keysh.interp.engine.traps import run_trap
from keysh.interp.run.control_flow import Exit
from keysh.interp.run.options import (
    ASKS_HOST,
    ERREXIT,
    ERRTRACE,
    FUNCTRACE,
    NOEXEC,
    SIGNAL_PENDING,
    TRAPS_DEBUG,
    TRAPS_ERR,
    XTRACE,
)
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State

STATUS_REFUSED = 126


def handle_failure(state: State, status: int, site: Site) -> int:
    """A command has failed that nobody tests: the ERR trap runs, and `set -e` ends the run."""
    if state.is_tested > 0:
        return status
    if state.flags & TRAPS_ERR and is_trap_active(state, "ERR", ERRTRACE):
        run_trap(state, "ERR", site)
        state.status = status
    if state.flags & ERREXIT:
        if "EXIT" in state.traps:
            state.variables["BASH_COMMAND"] = site.text
        raise Exit(status)
    return status


def is_trap_active(state: State, name: str, option: int) -> bool:
    """Whether a trap runs here, in a function perhaps, and while no other one does."""
    trap = state.traps.get(name)
    return trap is not None and not state.is_in_trap and trap.is_active(state, option)


def run_debug_trap(state: State, site: Site, text: str = "") -> None:
    """The DEBUG trap runs before a command, or before what `text` is of it."""
    if state.flags & TRAPS_DEBUG and is_trap_active(state, "DEBUG", FUNCTRACE):
        run_trap(state, "DEBUG", site, text)


def admit_command(
    state: State, words: Sequence[object], site: Site, shown: str | None = None
) -> bool:
    """What happens before a command that is watched; whether it may run.

    It is shown as its words, or as the text that is given; where that is empty, not here.
    """
    if state.flags & NOEXEC:
        state.status = 0
        return False
    if state.flags & SIGNAL_PENDING:
        from keysh.interp.engine.signal_delivery import run_pending_traps  # noqa: PLC0415 - few scripts send signals

        run_pending_traps(state)
    run_debug_trap(state, site)
    if state.flags & XTRACE:
        from keysh.interp.engine.xtrace import trace, trace_words  # noqa: PLC0415 - only for traces

        if shown is None:
            trace_words(state, words, site)
        elif shown:
            trace(state, shown, site)
    if state.flags & ASKS_HOST and words:
        return is_command_allowed(state, words, site)
    return True


def is_command_allowed(state: State, words: Sequence[object], site: Site | None = None) -> bool:
    """Whether the host lets a command run; one that a command runs stands where that one does."""
    session = state.session
    if site is None:
        site = session.asked_site
    session.asked_site = site
    if session.ask_host is None or site is None or not state.flags & ASKS_HOST:
        return True
    refusal = session.ask_host(text_of(words[0]), list(words[1:]), site.source, site.node)
    if refusal is None:
        return True
    state.err.write(f"keysh: {text_of(words[0])}: {refusal}\n")
    state.status = STATUS_REFUSED
    return False
