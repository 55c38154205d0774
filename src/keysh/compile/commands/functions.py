"""Functions: their definition, with the parameters they declare."""

from __future__ import annotations

from keysh.compile.commands.fast_builtins import SHORTCUTS
from keysh.interp.run.function import Function
from keysh.interp.run.options import SHADOWS
from keysh.schema.command import ABSENT
from keysh.schema.functions import Declared, function_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def function(node: ast.Function, context: Context, tested: bool) -> Body:
    """`f() { …; }`: the name means the body from now on, which is compiled when it is called."""
    command, defaults = None, {}
    if node.parameters is not None:
        defaults = defaults_of(node.parameters, context)
        command = function_command(node.name, bound, [declared(one) for one in node.parameters])

    compiled = context.command_later(node.body)

    def first(state: State) -> int:
        called = state.frames[-1].function
        called.body = body = compiled()
        return body(state)

    made = Function(node.name, first, node, context.source, command, defaults)
    name, shadows = node.name, node.name in SHORTCUTS

    def define(state: State) -> int:
        state.functions[name] = made
        if shadows:
            state.flags |= SHADOWS
        state.status = 0
        return 0

    return define


def declared(node: ast.Parameter) -> Declared:
    """A parameter as the schema describes it."""
    return Declared(
        node.name,
        node.type,
        is_nullable=node.nullable,
        is_rest=node.rest,
        default=ABSENT if node.default is None else node.default,
    )


def defaults_of(parameters: Sequence[ast.Parameter], context: Context) -> dict[str, Expression]:
    """What gives the parameters' values where a call does not."""
    return {one.name: context.value(one.default) for one in parameters if one.default is not None}


def bound(*arguments: object) -> None:
    """A declared function is run by its body; the schema only binds."""
