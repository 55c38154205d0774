"""Text changes: functions from string to string, applied to a value or to each element."""

from __future__ import annotations

from keysh.compile.parameters.subjects import plain_subject_name, subject_value
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
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


def constant_change(
    node: Operation, context: CompileContext, change: TextChange, *, may_grow: bool = True
) -> Expression:
    """Compile a change that is always the same. A plain variable is read directly (1.25x)."""
    read = subject_value(node, context)
    name = plain_subject_name(node)
    if name is None:
        return lambda state: apply_change(state, change, read(state), node)

    def text(state: State) -> Any:
        value = state.variables.get(name)
        if value.__class__ is not str:
            return apply_change(state, change, read(state), node)
        changed = change(value)
        if len(changed) > state.safe_length:
            state.check_text(changed)
        return changed

    def part(state: State) -> Any:
        value = state.variables.get(name)
        if value.__class__ is str:
            return change(value)
        return apply_change(state, change, read(state), node)

    return text if may_grow else part


def computed_change(
    node: Operation, context: CompileContext, make: Callable[[State], TextChange]
) -> Expression:
    """Compile a change that is made anew each time, since its pattern contains variables."""
    read = subject_value(node, context)

    def text(state: State) -> Any:
        value = read(state)
        return apply_change(state, make(state), value, node)

    return text


def apply_change(state: State, change: TextChange, value: Any, node: Operation) -> Any:
    """Change a value as a string; of a list, each element.

    A change may make a text some times as large, so the result is measured. One that knows no such
    bound measures what it will make before.
    """
    if isinstance(value, list):
        return value.__class__([changed_text(state, change, text_of(item)) for item in value])
    if value is None:
        return ""
    if isinstance(value, dict):
        name = node.reference.name
        fix = f"${{{name}[key]…}} or ${{{name}[@]…}}"
        raise RuntimeDiagnostic(
            "E201", "a record is not a string", text_of(value), fix
        ).with_location(node)
    changed = change(value if value.__class__ is str else state.text(value))
    if len(changed) > state.safe_length:
        state.check_text(changed)
    return changed


def changed_text(state: State, change: TextChange, text: str) -> str:
    """Change one text."""
    changed = change(text)
    if len(changed) > state.safe_length:
        state.check_text(changed)
    return changed
