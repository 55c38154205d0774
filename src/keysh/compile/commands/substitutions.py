"""Substitutions: `$(…)`, `<(…)`, `$((…))` and `~` as parts of words."""

from __future__ import annotations

from keysh.compile.commands.redirections import copied_input
from keysh.interp.engine.command_substitution import captured, value_of
from keysh.interp.engine.process_substitution import source_path, target_path
from keysh.interp.run.machine import HOMES
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.values import text_of, typed, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State


def captured_value(node: ast.Substitution, context: Context) -> Expression:
    """`$(…)`: its value, and whether it is a listing of one item a line."""
    body = program(node, context)
    last = last_command(node.body)
    name = constant(last.arguments[0]) if last is not None and last.arguments else None
    if last is None or name is None:
        return lambda state: (value_of(state, body), False)
    known, words = name, [constant(argument) or "" for argument in last.arguments[1:]]

    def read(state: State) -> tuple[Any, bool]:
        command = None
        if known not in state.functions:
            command = state.session.registry.command_named(known)
        if command is None:
            return value_of(state, body), False
        if command.prints_json:
            return json_value(captured(state, body).text), False
        found = value_of(state, body)
        return found, found.__class__ is str and command.lists(words)

    return read


def json_value(text: str) -> Any:
    """Printed JSON as a value: one list or record, and any other text typed as in an assignment."""
    if text[:1] in ("[", "{"):
        try:
            return value_of_json(text)
        except ValueError:
            return text
    return typed(text)


def last_command(body: ast.Block | None) -> ast.Simple | None:
    """The command that prints last, where that is known."""
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


def substitution(node: ast.Substitution, context: Context) -> Expression:
    """`$(…)` in quotes or as a part of a text."""
    body = program(node, context)
    return lambda state: captured(state, body).text


def program(node: ast.Substitution, context: Context) -> Body:
    """What runs; `$(<file)` is the text of a file."""
    commands = node.body.commands if node.body is not None else []
    only = commands[0] if len(commands) == 1 else None
    if isinstance(only, ast.Simple) and not (only.arguments or only.assignments):
        redirect = only.redirects[0] if len(only.redirects) == 1 else None
        if isinstance(redirect, ast.Redirect) and redirect.operator == "<":
            return copied_input(only, context)
    return context.block(node.body)


def arithmetic_expansion(node: ast.ArithmeticExpansion, context: Context) -> Expression:
    """`$((…))`"""
    return context.arithmetic(node.expression)


def process_substitution(node: ast.ProcessSubstitution, context: Context) -> Expression:
    """`<(…)` and `>(…)`"""
    body = context.block(node.body)
    if node.direction == "<":
        return lambda state: source_path(state, body)
    return lambda state: target_path(state, body)


def tilde(node: ast.Tilde, context: Context) -> Expression:
    """`~`, `~+`, `~-`, `~root`; the home of anybody else is not known."""
    name = {"~": "HOME", "~+": "PWD", "~-": "OLDPWD"}.get(node.value)
    written = HOMES.get(node.value, node.value)
    if name is None:
        return lambda state: written
    variable = name

    def read(state: State) -> str:
        found = state.variables.get(variable)
        return written if found is None else text_of(found)

    return read
