"""Calls of functions, each one level deeper in the script."""

from __future__ import annotations

from keysh.runtime.frame import OPTIONS, Frame
from keysh.runtime.signals import Return
from keysh.runtime.strand import LEVELS_PER_STACK, on_fresh_stack
from keysh.runtime.traps import leave_function
from keysh.runtime.variable import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.runtime.function import Function
    from keysh.runtime.state import State


def call(
    state: State, function: Function, arguments: Sequence[object], line: int, fresh: bool = False
) -> int:
    """Run a function one level deeper; its status. `fresh` says that the stack is."""
    depth = state.depth
    if not fresh and (depth >= state.deepest or depth % LEVELS_PER_STACK == LEVELS_PER_STACK - 1):
        state.enter()  # which fails where it is too deep
        state.depth = depth
        return on_fresh_stack(state, lambda: call(state, function, arguments, line, True))
    frame = Frame(function, line)
    saved_arguments, saved_loops = state.arguments, state.loops
    state.frames.append(frame)
    budget = state.budget
    budget.left -= 1
    try:
        if budget.left < 0:
            budget.refill()
        state.depth, state.loops = depth + 1, 0
        if function.command is None:
            state.arguments = [*arguments]
        else:
            status = bind_declared(state, function, arguments)
            if status is not None:
                return status
        return +function.body(state)
    except Return as left:
        return +left.status  # to the RETURN trap, `$?` is that of the command before `return`
    finally:
        if state.traps:
            leave_function(state)
        if frame.saved is not None:
            restore(state, frame.saved)
        state.frames.pop()
        state.depth, state.arguments, state.loops = depth, saved_arguments, saved_loops


def bind_declared(state: State, function: Function, arguments: Sequence[object]) -> int | None:
    """Make the parameters of a declared function variables; a status where they do not fit."""
    from keysh.runtime.declared import bind_parameters  # noqa: PLC0415 - only where declared
    from keysh.runtime.forwarding import received  # noqa: PLC0415 - as above

    state.arguments = received(arguments)
    return bind_parameters(state, function, arguments)


def restore(state: State, saved: dict[str, tuple[Any, int]]) -> None:
    """Give the variables back what they were before they were local."""
    variables, attributes = state.variables, state.attributes
    for name, (value, bits) in saved.items():
        if value is ABSENT:
            variables.pop(name, None)
        elif name == OPTIONS:
            from keysh.runtime.local_variables import restore_options  # noqa: PLC0415 - rare

            restore_options(state, value)
        else:
            variables[name] = value
            if state.owned is not None:
                state.owned.discard(name)
        if bits:
            attributes[name] = bits
        elif name in attributes:
            del attributes[name]
