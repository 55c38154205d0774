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
    SIGNALLED,
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

REFUSED = 126


def failed(state: State, status: int, site: Site) -> int:
    """A command has failed that nobody tests: the ERR trap runs, and `set -e` ends the run."""
    if state.is_tested > 0:
        return status
    if state.flags & TRAPS_ERR and is_heard(state, "ERR", ERRTRACE):
        run_trap(state, "ERR", site)
        state.status = status
    if state.flags & ERREXIT:
        if "EXIT" in state.traps:
            state.variables["BASH_COMMAND"] = site.text
        raise Exit(status)
    return status


def is_heard(state: State, name: str, option: int) -> bool:
    """Whether a trap runs here, in a function perhaps, and while no other one does."""
    trap = state.traps.get(name)
    return trap is not None and not state.trapped and trap.is_heard(state, option)


def announce(state: State, site: Site, text: str = "") -> None:
    """The DEBUG trap runs before a command, or before what `text` is of it."""
    if state.flags & TRAPS_DEBUG and is_heard(state, "DEBUG", FUNCTRACE):
        run_trap(state, "DEBUG", site, text)


def watched(state: State, words: Sequence[object], site: Site, shown: str | None = None) -> bool:
    """What happens before a command that is watched; whether it may run.

    It is shown as its words, or as the text that is given; where that is empty, not here.
    """
    if state.flags & NOEXEC:
        state.status = 0
        return False
    if state.flags & SIGNALLED:
        from keysh.interp.engine.signal_delivery import heed  # noqa: PLC0415 - few scripts send signals

        heed(state)
    announce(state, site)
    if state.flags & XTRACE:
        from keysh.interp.engine.xtrace import trace, trace_words  # noqa: PLC0415 - only for traces

        if shown is None:
            trace_words(state, words, site)
        elif shown:
            trace(state, shown, site)
    if state.flags & ASKS_HOST and words:
        return is_allowed(state, words, site)
    return True


def is_allowed(state: State, words: Sequence[object], site: Site | None = None) -> bool:
    """Whether the host lets a command run; one that a command runs stands where that one does."""
    session = state.session
    if site is None:
        site = session.asked_at
    session.asked_at = site
    if session.ask is None or site is None or not state.flags & ASKS_HOST:
        return True
    refusal = session.ask(text_of(words[0]), list(words[1:]), site.source, site.node)
    if refusal is None:
        return True
    state.err.write(f"keysh: {text_of(words[0])}: {refusal}\n")
    state.status = REFUSED
    return False
