"""Substitution: `$(…)` runs in a fork of the state, and its output is a value."""

from __future__ import annotations

from keysh.runtime.capture import Capture
from keysh.runtime.options import ERREXIT, INHERIT_ERREXIT
from keysh.runtime.pipeline import subshell
from keysh.runtime.strand import LEVELS_PER_STACK, on_fresh_stack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.runtime.body import Body
    from keysh.runtime.state import State


def captured(state: State, body: Body) -> Capture:
    """Run a body and keep what it prints; the state has its status."""
    state.enter()
    try:
        child = state.fork()
        child.nesting += 1
        child.loops = state.loops  # a `break` ends the substitution, as in bash
        capture = Capture(child)
        child.set_out(capture)
        if child.flags & ERREXIT and not child.flags & INHERIT_ERREXIT:
            child.flags &= ~ERREXIT
        if state.depth % LEVELS_PER_STACK == 0:
            state.status = on_fresh_stack(state, lambda: subshell(child, body))
        else:
            state.status = subshell(child, body)
        child.descriptors.clear()  # what `exec` has opened there is closed
        if state.session.jobs.jobs:
            state.session.jobs.finish(capture, state.budget)
    finally:
        state.depth -= 1
    return capture


def value_of(state: State, body: Body) -> Any:
    """What `$(…)` stands for."""
    return captured(state, body).value()
