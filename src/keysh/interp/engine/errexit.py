"""What happens around a command: `set -e`, ERR and DEBUG traps, `set -x`, the host's permission."""

from __future__ import annotations

from keysh.interp.engine.function_call import UntrappedStatus
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
    """Handle a failed command outside a condition: run the ERR trap; with `set -e` exit."""
    if state.is_tested > 0:
        return status
    is_trapped = status.__class__ is not UntrappedStatus
    if is_trapped and state.flags & TRAPS_ERR and is_trap_active(state, "ERR", ERRTRACE):
        run_trap(state, "ERR", site)
        state.status = status
    if state.flags & ERREXIT:
        if "EXIT" in state.traps:
            state.variables["BASH_COMMAND"] = site.text
        raise Exit(status)
    return status


def is_trap_active(state: State, name: str, option: int) -> bool:
    """Whether a trap applies at this function depth and no trap is running."""
    trap = state.traps.get(name)
    return trap is not None and not state.is_in_trap and trap.is_active(state, option)


def run_debug_trap(state: State, site: Site, text: str = "") -> None:
    """Run the DEBUG trap before a command, or before the part of it that `text` is."""
    if state.flags & TRAPS_DEBUG and is_trap_active(state, "DEBUG", FUNCTRACE):
        run_trap(state, "DEBUG", site, text)


def admit_command(
    state: State, words: Sequence[object], site: Site, shown: str | None = None
) -> bool:
    """Run traps, tracing and the host's check before a command; return whether it may run.

    The trace shows `shown` if passed, else the words; an empty `shown` means no trace here.
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
    """Ask the host whether a command may run; nested commands have the site of the outer one."""
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
