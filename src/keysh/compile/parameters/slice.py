"""Slices: `${x:offset:length}` of strings by characters, of `[@]` and `@` by elements."""

from __future__ import annotations

from keysh.compile.parameters.subjects import means_all_elements, plain_subject_name, subject_value
from keysh.diagnostics.dialect import BASH
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def slice_of(node: ast.Slice, context: CompileContext) -> Expression:
    """Compile a slice of a string, or of all elements."""
    offset = context.arithmetic(node.offset)
    length = context.arithmetic(node.length) if node.bounded else no_length
    name = plain_subject_name(node)
    read = (
        arguments_from_zero if node.reference.name in ("@", "*") else subject_value(node, context)
    )
    counts_elements = means_all_elements(node.reference)
    is_bash = context.source.dialect is BASH
    array_name = node.reference.name if counts_elements and node.reference.subscripts else ""

    def part(state: State) -> Any:
        value: Any = state.variables.get(name) if name is not None else None
        if value.__class__ is not str:
            value = read(state)
        start, count = offset(state), length(state)
        if value.__class__ is str:
            return slice_text(value, start, count, node)
        if value is None:
            return ""
        if counts_elements or isinstance(value, ShellList):
            array: Any = state.variables.get(array_name)
            if array.__class__ is str or array.__class__ is int:
                return [slice_text(text_of(array), start, count, node)]  # as sh does
            if isinstance(array, ShellList) and array.places is not None:
                start = position_of_offset(array, require_integer(start, node))
            elif is_bash and isinstance(array, dict):
                return value.__class__(slice_pairs(value, start, count, node))
            return value.__class__(slice_list(value, start, count, node))
        if isinstance(value, list):
            return [slice_text(text_of(item), start, count, node) for item in value]
        return slice_text(text_of(value), start, count, node)

    return part


def position_of_offset(array: ShellList, offset: int) -> int:
    """The position of the first element from an index on, in an array with holes."""
    if offset < 0:
        offset += array.next_index()
    indexes = array.indexes()
    return len(indexes) + 1 if offset < 0 else sum(index < offset for index in indexes)


def no_length(state: State) -> None:
    """The length where none is given: None."""


def arguments_from_zero(state: State) -> list[object]:
    """The arguments with `$0` first, as `${@:0}` counts."""
    return [state.name, *state.arguments]


def slice_text(text: str, start: object, count: object, node: ast.Slice) -> str:
    """A slice of a string; a negative offset or length counts from the end."""
    first = require_integer(start, node)
    if first < 0:
        first += len(text)
    if first < 0 or first > len(text):
        return ""
    if count is None:
        return text[first:]
    length = require_integer(count, node)
    if length >= 0:
        return text[first : first + length]
    last = len(text) + length
    if last < first:
        fix = "a length that ends after the offset"
        raise RuntimeDiagnostic(
            "E203", "a slice ends before it begins", str(length), fix
        ).with_location(node)
    return text[first:last]


def slice_list(items: list[Any], start: object, count: object, node: ast.Slice) -> list[Any]:
    """A slice of a list."""
    first = require_integer(start, node)
    if first < 0:
        first += len(items)
    if first < 0 or first > len(items):
        return []
    if count is None:
        return items[first:]
    length = require_integer(count, node)
    if length < 0:
        name = node.reference.name
        fix = f"${{{name}[{first}:{length}]}}" if name.isidentifier() else "a number of arguments"
        raise RuntimeDiagnostic(
            "E203", "a number of elements cannot be negative", str(length), fix
        ).with_location(node)
    return items[first : first + length]


def slice_pairs(items: list[Any], start: object, count: object, node: ast.Slice) -> list[Any]:
    """A slice of an associative array of bash, which counts from one and yields at least one."""
    first = require_integer(start, node)
    if first < 0:
        first += len(items) + 1
    if first < 0:
        return []
    at_least_one = count if count is None else max(1, require_integer(count, node))
    return slice_list(items[max(0, first - 1) :], 0, at_least_one, node)


def require_integer(number: object, node: ast.Slice) -> int:
    """An offset or length as an int; E208 for a float."""
    if isinstance(number, int):
        return number
    raise RuntimeDiagnostic("E208", "an offset must be a whole number", str(number)).with_location(
        node
    )
