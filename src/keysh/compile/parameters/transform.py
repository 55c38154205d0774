"""Transforms: `${x@Q}` and its kin: a value shown, its letters changed, its variable told of."""

from __future__ import annotations

from keysh.compile.parameters.apply import changed
from keysh.compile.parameters.case import upper_first
from keysh.compile.parameters.subjects import is_all, name_in, subject
from keysh.interp.run.problem import Problem
from keysh.interp.variables.show import declaration, letters
from keysh.interp.variables.value_paths import MISSING, base
from keysh.syntax.lexer.quotes import ansi_text
from keysh.text.case import capitals, small_letters
from keysh.text.shell_quoting import double_quoted, quoted
from keysh.values import CONTAINERS, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.context import Context
    from keysh.compile.parameters.apply import Change
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast

CHANGES: dict[str, Change] = {
    "@U": capitals, "@L": small_letters, "@u": upper_first, "@E": ansi_text,
}  # fmt: skip


def transform(node: ast.Expand, context: Context) -> Expression:
    """`${x@Q}`."""
    operator = node.operator
    if operator in CHANGES:
        return changed(node, context, CHANGES[operator])
    if operator in ("@A", "@a"):
        return of_variable(node, context)
    read = subject(node, context)
    name = node.reference.name
    if operator == "@Q" or name in ("@", "*") or not is_all(node.reference):
        return lambda state: shown(read(state))
    as_words = operator == "@k"

    def pairs(state: State) -> Any:
        value = base(state, name)
        listed = key_pairs(value)
        if as_words:
            return [item for pair in listed for item in pair]
        texts = [f"{key} {double_quoted(text_of(item))}" for key, item in listed]
        return " ".join(texts) + " " * isinstance(value, dict)

    return pairs


def key_pairs(value: Any) -> list[tuple[Any, Any]]:
    """The keys of a list or record, and what is there."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return list(enumerate(value))
    return [] if value is MISSING else [(0, value)]


def shown(value: Any) -> Any:
    """A value in quotes, so that a shell reads it back; nothing for nothing."""
    if isinstance(value, list):
        return value.__class__([quoted(text_of(item)) for item in value])
    return "" if value is None else quoted(text_of(value))


def of_variable(node: ast.Expand, context: Context) -> Expression:
    """`${x@A}`: the command that makes the variable; `${x@a}`: its attributes, as letters."""
    read = subject(node, context)
    if node.operator == "@a":
        return attributes(node, read, context)
    reference = node.reference
    if reference.name in ("@", "*"):
        return lambda state: ["set", "--", *shown(read(state))]

    name_of = name_read(node, context)

    def command(state: State) -> Any:
        name = name_of(state)
        value, bits = base(state, name), state.attributes.get(name, 0)
        if is_all(reference):
            return [] if value is MISSING else declaration(name, value, bits, quoted).split(" ", 2)
        if reference.subscripts or (node.indirect and not name.isidentifier()):
            fix = f"${{{name}[@]@A}}"
            raise Problem("E203", "an element is no variable", f"{name}[…]", fix).at(node)
        value = read(state)
        if value is None or not name.isidentifier():
            return ""
        if bits or isinstance(value, CONTAINERS):
            return declaration(name, value, bits, quoted)
        return f"{name}={quoted(text_of(value))}"

    return command


def attributes(node: ast.Expand, read: Expression, context: Context) -> Expression:
    """The letters of a variable; for all elements, once for each."""
    name_of, is_each = name_read(node, context), is_all(node.reference)

    def told(state: State) -> Any:
        name = name_of(state)
        value = state.variables.get(name.partition("[")[0])
        made = letters(value, state.attributes.get(name, 0))
        return [made for _ in read(state)] if is_each else made

    return told


def name_read(node: ast.Expand, context: Context) -> Callable[[State], str]:
    """The name of the variable that is told of; `${!r@a}` tells of the one that `$r` names."""
    name = node.reference.name
    if not node.indirect or is_all(node.reference):
        return lambda state: name
    return name_in(node.reference, context)
