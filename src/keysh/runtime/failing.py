"""Failing and watching: `set -e`, the ERR and DEBUG traps, `set -x`, and the host that is asked."""

from __future__ import annotations

from keysh.runtime.options import (
    ASKS_HOST,
    ERREXIT,
    ERRTRACE,
    FUNCTRACE,
    NOEXEC,
    TRAPS_DEBUG,
    TRAPS_ERR,
    XTRACE,
)
from keysh.runtime.signals import Exit
from keysh.runtime.traps import run_trap
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.values import CONTAINERS, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.runtime.site import Site
    from keysh.runtime.state import State
    from keysh.syntax import ast

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


def announce(state: State, site: Site) -> None:
    """The DEBUG trap runs before a command."""
    if state.flags & TRAPS_DEBUG and is_heard(state, "DEBUG", FUNCTRACE):
        run_trap(state, "DEBUG", site)


def watched(
    state: State, words: Sequence[object], assignments: Sequence[ast.Assign], site: Site
) -> bool:
    """What happens before a command that is watched; whether it may run."""
    if state.flags & NOEXEC:
        state.status = 0
        return False
    announce(state, site)
    if state.flags & XTRACE:
        trace(state, words, assignments, site)
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


def trace(
    state: State, words: Sequence[object], assignments: Sequence[ast.Assign], site: Site
) -> None:
    """Show a command as `set -x` does."""
    prompt = text_of(state.variables.get("PS4", "+ "))
    text = site.source.text
    shown = [text[one.start : one.end] for one in assignments]
    shown += [traced(word) for word in words]
    state.err.write(f"{prompt}{' '.join(shown)}\n")


def traced(word: Any) -> str:
    """A word as it could be typed."""
    if isinstance(word, NamedArgument | GlobArgument):
        return word.text
    if isinstance(word, CONTAINERS):
        return text_of(word)
    from keysh.text.shell_words import quoted_if_needed  # noqa: PLC0415 - only for traces

    return quoted_if_needed(text_of(word))
