"""Functions: their definition, with the parameters they declare."""

from __future__ import annotations

from keysh.compile.commands.fast_builtins import FAST_BUILTINS
from keysh.interp.run.function import ShellFunction
from keysh.interp.run.options import SHADOWS_BUILTIN
from keysh.schema.functions import DeclaredParameter, function_command
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def function_definition(node: ast.Function, context: CompileContext, tested: bool) -> Body:
    """`f() { …; }`: the name means the body from now on, which is compiled when it is called."""
    command, defaults = None, {}
    if node.parameters is not None:
        defaults = parameter_defaults(node.parameters, context)
        command = function_command(
            node.name, unused_implementation, [declared_parameter(one) for one in node.parameters]
        )

    compiled = context.deferred_command(node.body)

    def first(state: State) -> int:
        called = state.frames[-1].function
        called.body = body = compiled()
        return body(state)

    made = ShellFunction(node.name, first, node, context.source, command, defaults)
    name, shadows = node.name, node.name in FAST_BUILTINS

    def define(state: State) -> int:
        state.functions[name] = made
        if shadows:
            state.flags |= SHADOWS_BUILTIN
        state.status = 0
        return 0

    return define


def declared_parameter(node: ast.Parameter) -> DeclaredParameter:
    """A parameter as the schema describes it."""
    return DeclaredParameter(
        node.name,
        node.type,
        is_nullable=node.nullable,
        is_rest=node.rest,
        default=ABSENT if node.default is None else node.default,
    )


def parameter_defaults(
    parameters: Sequence[ast.Parameter], context: CompileContext
) -> dict[str, Expression]:
    """What gives the parameters' values where a call does not."""
    return {one.name: context.value(one.default) for one in parameters if one.default is not None}


def unused_implementation(*arguments: object) -> None:
    """A declared function is run by its body; the schema only binds."""
