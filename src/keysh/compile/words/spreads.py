"""Spreads: words that stand for every element of something: `"$@"`, `"${xs[@]}"`, `...$xs`."""

from __future__ import annotations

from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.variables.forwarding import ForwardedText, forwarded_arguments, plain_text
from keysh.syntax import ast
from keysh.values import CONTAINERS, ShellList, text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State


def forwarded_elements(items: list[Any], purpose: str) -> list[Any]:
    """The elements of `"$@"`: a command has them as the function had."""
    if not any(item.__class__ is ForwardedText for item in items):
        return items
    return (
        forwarded_arguments(items) if purpose == "command" else [plain_text(item) for item in items]
    )


def spread_elements(read: Expression, purpose: str) -> Adder:
    """`"$@"`: every element."""

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        if isinstance(found, list):
            made.extend(forwarded_elements(found, purpose))
        elif found is not None:
            made.append(found)

    return add


def spread_operand(read: Expression) -> Adder:
    """`${1+"$@"}`: every element, or one text unless it is empty."""

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        if isinstance(found, list):
            made.extend(found)
        elif found is not None and found != "":
            made.append(found)

    return add


def spread_indirect(read: Expression) -> Adder:
    """`"${!r}"`: one text, or every element where `r` ends with `[@]`."""

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        if found.__class__ is ShellList:
            made.extend(found)
        else:
            made.append(text_of(found))

    return add


def spread_unquoted(read: Expression, purpose: str) -> Adder:
    """`$@`: every element that is not empty."""

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        items = forwarded_elements(found, purpose) if isinstance(found, list) else [found]
        made.extend([item for item in items if item is not None and item != ""])

    return add


def spread_argument(argument: ast.Spread, context: CompileContext) -> Adder:
    """`...$xs`: the elements of a list."""
    read = spread_elements_of(argument, context)
    return lambda state, made: made.extend(read(state))


def spread_elements_of(argument: ast.Spread, context: CompileContext) -> Expression:
    """The list that is spread."""
    word = argument.word
    read = context.value(word)

    def elements(state: State) -> list[Any]:
        found = read(state)
        if isinstance(found, list):
            return found
        if found is None:
            return []
        fix = "a list, or $(words …) for the words of a text"
        if isinstance(found, CONTAINERS):
            fix = "$(keys …) or $(values …)"
        raise RuntimeDiagnostic("E201", f"only a list can be spread, this is a {type_name(found)}",
                      text_of(found), fix).with_location(word)  # fmt: skip

    return elements
