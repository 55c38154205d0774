"""Changes: what makes one text of another, applied to what a variable holds, or to each element."""

from __future__ import annotations

from keysh.compile.parameters.subjects import plain_subject_name, subject_value
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.compile.parameters.subjects import Operation
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

    TextChange: TypeAlias = Callable[[str], str]


def constant_change(node: Operation, context: CompileContext, change: TextChange) -> Expression:
    """A change that is the same always."""
    read = subject_value(node, context)
    name = plain_subject_name(node, context)
    if name is None:
        return lambda state: apply_change(change, read(state), node)

    def text(state: State) -> Any:
        found = state.variables.get(name)
        return change(found) if found.__class__ is str else apply_change(change, read(state), node)

    return text


def computed_change(
    node: Operation, context: CompileContext, make: Callable[[State], TextChange]
) -> Expression:
    """A change that is made each time, of a pattern that is not known before."""
    read = subject_value(node, context)

    def text(state: State) -> Any:
        found = read(state)
        return apply_change(make(state), found, node)

    return text


def apply_change(change: TextChange, value: Any, node: Operation) -> Any:
    """A change of a value as text; of a list, each element of it."""
    if isinstance(value, list):
        return value.__class__([change(text_of(item)) for item in value])
    if value is None:
        return ""
    if isinstance(value, dict):
        name = node.reference.name
        fix = f"${{{name}[key]…}} or ${{{name}[@]…}}"
        raise RuntimeDiagnostic("E201", "a record is no text", text_of(value), fix).with_location(
            node
        )
    return change(text_of(value))
