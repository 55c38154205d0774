"""Functions of a script: what is known of one, and how it is called."""

from __future__ import annotations

from keysh.runtime.forwarding import received
from keysh.runtime.frames import Frame, restore
from keysh.runtime.signals import Return
from keysh.runtime.strand import LEVELS_PER_STACK, on_fresh_stack
from keysh.runtime.traps import leave_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.runtime.session import Body, Expression
    from keysh.runtime.state import State
    from keysh.schema.declare import Command
    from keysh.source import Source
    from keysh.syntax import ast


class Function:
    """A function. `command` binds its arguments where its parameters are declared."""

    __slots__ = ("body", "command", "defaults", "name", "node", "source")

    def __init__(
        self,
        name: str,
        body: Body,
        node: ast.Function,
        source: Source,
        command: Command | None = None,
        defaults: dict[str, Expression] | None = None,
    ) -> None:
        self.name, self.body, self.node, self.source = name, body, node, source
        self.command, self.defaults = command, defaults or {}


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
        status = state.status = +left.status
        return status
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

    state.arguments = received(arguments)
    return bind_parameters(state, function, arguments)
