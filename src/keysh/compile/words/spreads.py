"""Spreads: words that expand to every element of something: `"$@"`, `"${xs[@]}"`, `...$xs`."""

from __future__ import annotations

from keysh.compile.words.word_analysis import LIST_PURPOSES, OWN_PURPOSES
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.forwarding import ForwardedText, forwarded_arguments, plain_text
from keysh.interp.variables.specials import text_of_elements
from keysh.interp.words.word_splitting import refuse_lines, refuse_unsplit
from keysh.syntax import ast
from keysh.values import CONTAINERS, ShellList, text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


def forwarded_elements(items: list[Any], purpose: str) -> list[Any]:
    """The elements of `"$@"`. A command receives named ones as the function did."""
    if not any(item.__class__ is ForwardedText for item in items):
        return items
    return (
        forwarded_arguments(items)
        if purpose in ("command", "own")
        else [plain_text(item) for item in items]
    )


def spread_elements(read: Expression, purpose: str) -> Adder:
    """`"$@"`: every element"""

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if isinstance(value, list):
            words.extend(forwarded_elements(value, purpose))
        elif value is not None:
            words.append(value)

    return add


def spread_operand(read: Expression) -> Adder:
    """`${1+"$@"}`: every element, or one string unless it is empty"""

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if isinstance(value, list):
            words.extend(value)
        elif value is not None and value != "":
            words.append(value)

    return add


def spread_indirect(read: Expression) -> Adder:
    """`"${!r}"`: one string, or every element where `r` ends with `[@]`"""

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if value.__class__ is ShellList:
            words.extend(value)
        else:
            words.append(text_of_elements(state, value))

    return add


def spread_unquoted(read: Expression, node: Node, purpose: str) -> Adder:
    """`$@`: every element that is not empty; each is judged as `$x` is"""
    refuse = refuse_unsplit if purpose in LIST_PURPOSES else refuse_lines
    if purpose in OWN_PURPOSES:
        refuse = accept_text

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        items = forwarded_elements(value, purpose) if isinstance(value, list) else [value]
        for item in items:
            if item.__class__ is str:
                refuse(state, item, node)
            if item is not None and item != "":
                words.append(item)

    return add


def accept_text(state: State, text: str, node: Node) -> None:
    """Refuse nothing: no other shell has the command that gets the text."""


def spread_argument(argument: ast.Spread, context: CompileContext) -> Adder:
    """`...$xs`: the elements of a list"""
    read = spread_elements_of(argument, context)
    return lambda state, words: words.extend(read(state))


def spread_elements_of(argument: ast.Spread, context: CompileContext) -> Expression:
    """Compile the list that a `...$xs` spreads."""
    word = argument.word
    read = context.value(word)

    def elements(state: State) -> list[Any]:
        value = read(state)
        if isinstance(value, list):
            return value
        if value is None:
            return []
        fix = "a list, or $(words …) for the words of a text"
        if isinstance(value, CONTAINERS):
            fix = "$(keys …) or $(values …)"
        raise RuntimeDiagnostic("E201", f"only a list can be spread; this is a {type_name(value)}",
                      text_of(value), fix).with_location(word)  # fmt: skip

    return elements
