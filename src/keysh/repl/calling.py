"""Calling: the functions of a script that the prompt calls between two lines."""

from __future__ import annotations

from keysh.runtime.descriptors import NOTHING
from keysh.runtime.limits import Budget
from keysh.runtime.signals import Leave, Stopped
from keysh.runtime.strand import within
from keysh.runtime.streams import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.runtime.limits import Cancel
    from keysh.runtime.state import State


def call(state: State, words: Sequence[object], cancel: Cancel | None = None) -> int:
    """Run a command in a state; its status."""
    session = state.session
    budget = state.budget = Budget(session.limits)
    if cancel is not None:
        cancel.begin(budget)
    try:
        return within(session, state, lambda: session.services.run_words(state, words))
    except Stopped as stopped:
        return stopped.status
    except Leave:
        return 1  # `exit` in a function that the prompt calls ends that function
    finally:
        if cancel is not None:
            cancel.end(budget)


def captured(state: State, words: Sequence[object], most: int, seconds: float) -> str:
    """What a command prints, run in a fork; nothing where it fails or takes too long."""
    pieces: list[str] = []
    child = state.fork()
    child.set_streams(NOTHING, Writer(pieces.append), Writer(ignored))
    child.budget = Budget(state.session.limits, seconds)
    try:
        status = within(
            state.session, child, lambda: state.session.services.run_words(child, words)
        )
    except Leave:
        return ""
    return "".join(pieces)[:most] if status == 0 else ""


def ignored(text: str) -> None:
    """What a prompt complains of would stand between its lines."""
