"""Slicing: `${x:offset:length}`, of texts by characters, of `[@]` and `@` by elements."""

from __future__ import annotations

from keysh.compile.parameters.subjects import is_all, plain_subject, subject
from keysh.interp.run.problem import Problem
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def slice_of(node: ast.Slice, context: Context) -> Expression:
    """A part of a text, or some of all elements."""
    offset = context.arithmetic(node.offset)
    length = context.arithmetic(node.length) if node.bounded else unbounded
    name = plain_subject(node, context)
    read = all_arguments if node.reference.name in ("@", "*") else subject(node, context)
    counts_elements = is_all(node.reference)

    def part(state: State) -> Any:
        found: Any = state.variables.get(name) if name is not None else None
        if found.__class__ is not str:
            found = read(state)
        start, count = offset(state), length(state)
        if found.__class__ is str:
            return cut(found, start, count, node)
        if found is None:
            return ""
        if counts_elements or found.__class__ is ShellList:
            return found.__class__(cut_list(found, start, count, node))
        if isinstance(found, list):
            return [cut(text_of(item), start, count, node) for item in found]
        return cut(text_of(found), start, count, node)

    return part


def unbounded(state: State) -> None:
    """The length where none is given."""


def all_arguments(state: State) -> list[object]:
    """`${@:0}` counts from `$0` on."""
    return [state.name, *state.arguments]


def cut(text: str, start: object, count: object, node: ast.Slice) -> str:
    """Characters of a text; a negative offset or length counts from its end."""
    first = whole(start, node)
    if first < 0:
        first += len(text)
    if first < 0 or first > len(text):
        return ""
    if count is None:
        return text[first:]
    length = whole(count, node)
    if length >= 0:
        return text[first : first + length]
    last = len(text) + length
    if last < first:
        fix = "a length that reaches as far"
        raise Problem("E203", "a slice ends before it begins", str(length), fix).at(node)
    return text[first:last]


def cut_list(items: list[Any], start: object, count: object, node: ast.Slice) -> list[Any]:
    """Elements of a list."""
    first = whole(start, node)
    if first < 0:
        first += len(items)
    if first < 0 or first > len(items):
        return []
    if count is None:
        return items[first:]
    length = whole(count, node)
    if length < 0:
        name = node.reference.name
        fix = f"${{{name}[{first}:{length}]}}" if name.isidentifier() else "a count of arguments"
        raise Problem("E203", "there are no fewer than no elements", str(length), fix).at(node)
    return items[first : first + length]


def whole(number: object, node: ast.Slice) -> int:
    """An offset or a length."""
    if isinstance(number, int):
        return number
    raise Problem("E208", "an offset must be a whole number", str(number)).at(node)
