"""Substitutions: `$(…)`, `<(…)`, `$((…))` and `~` as parts of words."""

from __future__ import annotations

from keysh.compile.commands.redirections import input_file_command
from keysh.interp.engine.command_lookup import resolve_in_shell
from keysh.interp.engine.command_substitution import captured_output, substitution_value
from keysh.interp.engine.process_substitution import source_path, target_path
from keysh.interp.run.function import ShellFunction
from keysh.interp.variables.machine import HOME_DIRECTORIES
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import printed_value, text_of, value_of_json, value_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State


def captured_value(node: ast.Substitution, context: CompileContext) -> Expression:
    """`$(…)`: its value, and whether that is a listing of one item a line"""
    body = substitution_body(node, context)
    if not context.source.dialect.has_literals:
        return lambda state: (text_without_nul(captured_output(state, body).text), False)
    last = last_command(node.body)
    name = constant_text(last.arguments[0]) if last is not None and last.arguments else None
    if last is None or name is None:
        return lambda state: (substitution_value(state, body), False)
    command_name, words = name, [constant_text(argument) or "" for argument in last.arguments[1:]]

    def read(state: State) -> tuple[Any, bool]:
        command = resolve_in_shell(state, command_name)
        if command is None or isinstance(command, ShellFunction):
            return substitution_value(state, body), False
        if command.output.prints_json:
            return json_value(captured_output(state, body).text), False
        value = substitution_value(state, body)
        return value, value.__class__ is str and command.is_listing(words)

    return read


def text_without_nul(text: str) -> str:
    """What bash, whose strings end at a NUL, keeps of an output."""
    return text.replace("\0", "") if "\0" in text else text


def json_value(text: str) -> Any:
    """Parse printed JSON: one list or record; other text is typed as in an assignment."""
    if text[:1] in ("[", "{"):
        try:
            return printed_value(value_of_json(text), text)
        except ValueError:
            return text
    return value_of_text(text)


def last_command(body: ast.Block | None) -> ast.Simple | None:
    """The simple command that prints last; None if it is another kind."""
    if body is None:
        return None
    node: object = body.commands[-1]
    while True:
        if isinstance(node, ast.Pipeline):
            node = node.stages[-1]
        elif isinstance(node, ast.Redirected):
            node = node.command
        else:
            return node if isinstance(node, ast.Simple) else None


def substitution_text(node: ast.Substitution, context: CompileContext) -> Expression:
    """`$(…)` in quotes, or as a part of a longer word"""
    body = substitution_body(node, context)
    if not context.source.dialect.has_literals:
        return lambda state: text_without_nul(captured_output(state, body).text)
    return lambda state: captured_output(state, body).text


def substitution_body(node: ast.Substitution, context: CompileContext) -> Body:
    """Compile the commands; `$(<file)` reads a file."""
    commands = node.body.commands if node.body is not None else []
    only = commands[0] if len(commands) == 1 else None
    if isinstance(only, ast.Simple) and not (only.arguments or only.assignments):
        redirect = only.redirects[0] if len(only.redirects) == 1 else None
        if isinstance(redirect, ast.Redirect) and redirect.operator == "<":
            return input_file_command(only, context)
    return context.block(node.body)


def arithmetic_expansion(node: ast.ArithmeticExpansion, context: CompileContext) -> Expression:
    """`$((…))`"""
    return context.arithmetic(node.expression)


def process_substitution(node: ast.ProcessSubstitution, context: CompileContext) -> Expression:
    """`<(…)` and `>(…)`"""
    body = context.block(node.body)
    if node.direction == "<":
        return lambda state: source_path(state, body)
    return lambda state: target_path(state, body)


def tilde_expansion(node: ast.Tilde, context: CompileContext) -> Expression:
    """`~`, `~+`, `~-`, `~root`, `~1`; no other user's home is known"""
    digits = node.value[1:].lstrip("+-")
    if is_digits(digits):
        return stacked_directory(node.value, bounded_number(digits))
    name = {"~": "HOME", "~+": "PWD", "~-": "OLDPWD"}.get(node.value)
    default = HOME_DIRECTORIES.get(node.value, node.value)
    if name is None:
        return lambda state: default
    variable = name

    def read(state: State) -> str:
        value = state.variables.get(variable)
        return default if value is None else text_of(value)

    return read


def stacked_directory(text: str, number: int) -> Expression:
    """`~1`, `~+1`, `~-1`: a directory of `pushd`, counted from its newest or oldest one"""

    def read(state: State) -> str:
        stack = [state.cwd, *state.directories]
        index = len(stack) - 1 - number if text[1] == "-" else number
        return stack[index] if 0 <= index < len(stack) else text

    return read
