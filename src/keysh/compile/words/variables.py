"""Variables in words, `$x`, `$1`, `$#`, as values and as strings."""

from __future__ import annotations

from keysh.interp.engine.traps import TRAP_SOURCE_NAME as TRAP
from keysh.interp.run.options import NOUNSET
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.specials import (
    ARRAY_SPECIALS,
    SPECIAL_VARIABLES,
    first_element_reader,
    joined_arguments,
)
from keysh.interp.variables.variable import unbound_variable
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.diagnostics.source import Source
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def variable_value(node: ast.Variable, context: CompileContext) -> Expression:
    """`$x` as the value that it holds"""
    name = node.name
    if name == "LINENO":
        return line_number(node, context)
    if name in ARRAY_SPECIALS:
        return first_element_reader(name)
    if name == "!":
        return last_background_job(node)
    if name in SPECIAL_VARIABLES:
        return SPECIAL_VARIABLES[name]
    if name.isdecimal():
        return positional_argument(node)
    if not name.isidentifier():
        return bad_substitution(node)

    def value(state: State) -> Any:
        held = state.variables.get(name)
        kind = held.__class__
        if kind is str or kind is int:
            return held
        try:
            return state.variable_value(name, held)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(node) from None

    return value


def variable_text(node: ast.Variable, context: CompileContext) -> Expression:
    """`$x` as a string"""
    name = node.name
    if name in ("@", "*"):
        return joined_arguments if name == "*" else all_arguments_text
    if name in SPECIAL_VARIABLES or name == "LINENO" or not name.isidentifier():
        read = variable_value(node, context)
        return lambda state: text_of(read(state))

    def text(state: State) -> str:
        held: Any = state.variables.get(name)
        kind = held.__class__
        if kind is str:
            return held  # type: ignore[no-any-return]
        if kind is int:
            return str(held)
        try:
            return state.variable_text(name, held)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(node) from None

    return text


def all_arguments_text(state: State) -> str:
    """`x=$@`: the arguments separated by blanks"""
    return state.join_values(" ", state.arguments)


def positional_argument(node: ast.Variable) -> Expression:
    """`$1`; an error under `set -u` where there is no such argument"""
    from keysh.interp.variables.forwarding import ForwardedText  # noqa: PLC0415 - few read arguments
    from keysh.text.shell_numbers import bounded_number  # noqa: PLC0415 - few scripts read arguments

    index = bounded_number(node.name) - 1

    def read(state: State) -> Any:
        arguments = state.arguments
        if index < len(arguments):
            item = arguments[index]
            return str(item) if item.__class__ is ForwardedText else item
        if state.flags & NOUNSET:
            raise unbound_variable(node.name).with_location(node)
        return None

    return read


def last_background_job(node: ast.Variable) -> Expression:
    """`$!`; an error under `set -u` where no job was started"""
    find = SPECIAL_VARIABLES["!"]

    def read(state: State) -> Any:
        process = find(state)
        if not process and state.flags & NOUNSET:
            raise unbound_variable("!").with_location(node)
        return process

    return read


def first_joined_line(source: Source, line: int) -> int:
    r"""The line on which a line that `\` newline continues has begun."""
    while line > 1 and odd_backslashes(source.line(line - 1)):
        line -= 1
    return line


def odd_backslashes(text: str) -> bool:
    """Whether a line ends in a backslash that is not itself escaped"""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def line_number(node: ast.Variable, context: CompileContext) -> Expression:
    """`$LINENO`, known when it is compiled"""
    line = first_joined_line(context.source, context.source.position(node.start)[0])
    if context.source.name == TRAP:  # in a trap: the line of the command that caused it
        return lambda state: state.variables.get("LINENO", line)
    return lambda state: line


def bad_substitution(node: ast.Variable) -> Expression:
    """`${x y}`, which bash refuses when it is expanded"""
    problem = RuntimeDiagnostic("E106", "bad substitution", f"${{{node.name}}}")

    def fail(state: State) -> Any:
        raise problem.with_location(node)

    return fail
