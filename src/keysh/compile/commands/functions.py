"""Function definitions, with the parameters that they declare."""

from __future__ import annotations

from keysh.compile.commands.command_status import settle
from keysh.compile.commands.fast_builtins import FAST_BUILTINS
from keysh.interp.run.function import ShellFunction
from keysh.interp.run.options import SHADOWS_BUILTIN
from keysh.interp.run.site import Site
from keysh.schema.function_commands import DeclaredParameter, function_command
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast

# A name with one of these is no name when the definition runs.
NAME_SPECIALS = "$'\"\\"


def function_definition(node: ast.Function, context: CompileContext, tested: bool) -> Body:
    """`f() { …; }`: binds the name; the body is compiled at its first call"""
    if any(char in node.name for char in NAME_SPECIALS):
        return invalid_name(node, context, tested)
    command, defaults = None, {}
    if node.parameters is not None:
        defaults = parameter_defaults(node.parameters, context)
        command = function_command(
            node.name,
            unused_implementation,
            [declared_parameter(parameter) for parameter in node.parameters],
        )

    compiled = context.deferred_command(node.body)

    def compile_and_run(state: State) -> int:
        function_called = state.frames[-1].function
        function_called.body = body = compiled(state)
        return body(state)

    function = ShellFunction(node.name, compile_and_run, node, context.source, command, defaults)
    name, shadows = node.name, node.name in FAST_BUILTINS
    site = Site(context.source, node)

    def define(state: State) -> int:
        known = state.functions.get(name)
        if known is not None and known.is_readonly:
            state.site = site
            state.complain(f"{name}: readonly function")
            return settle(state, 1, site, tested)
        state.functions[name] = function
        if shadows:
            state.flags |= SHADOWS_BUILTIN
        state.status = 0
        return 0

    return define


def invalid_name(node: ast.Function, context: CompileContext, tested: bool) -> Body:
    """`$f() { …; }`: bash reads any word as a name, and refuses it when the definition runs"""
    site = Site(context.source, node)

    def refuse(state: State) -> int:
        state.site = site
        state.complain(f"`{node.name}': not a valid identifier")
        return settle(state, 1, site, tested)

    return refuse


def declared_parameter(node: ast.Parameter) -> DeclaredParameter:
    """A parameter in the form that the schema uses."""
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
    """The closures that compute the defaults of parameters."""
    return {
        parameter.name: context.value(parameter.default)
        for parameter in parameters
        if parameter.default is not None
    }


def unused_implementation(*arguments: object) -> None:
    """Do nothing: the schema only binds, the body of the function is run."""
