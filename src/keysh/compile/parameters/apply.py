"""Changes: what makes one text of another, applied to what a variable holds, or to each element."""

from __future__ import annotations

from keysh.compile.parameters.subjects import plain_subject, subject
from keysh.interp.run.problem import Problem
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.compile.context import Context
    from keysh.compile.parameters.subjects import Operation
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

    Change: TypeAlias = Callable[[str], str]


def changed(node: Operation, context: Context, change: Change) -> Expression:
    """A change that is the same always."""
    read = subject(node, context)
    name = plain_subject(node, context)
    if name is None:
        return lambda state: applied(change, read(state), node)

    def text(state: State) -> Any:
        found = state.variables.get(name)
        return change(found) if found.__class__ is str else applied(change, read(state), node)

    return text


def changed_anew(node: Operation, context: Context, make: Callable[[State], Change]) -> Expression:
    """A change that is made each time, of a pattern that is not known before."""
    read = subject(node, context)

    def text(state: State) -> Any:
        found = read(state)
        return applied(make(state), found, node)

    return text


def applied(change: Change, value: Any, node: Operation) -> Any:
    """A change of a value as text; of a list, each element of it."""
    if isinstance(value, list):
        return value.__class__([change(text_of(item)) for item in value])
    if value is None:
        return ""
    if isinstance(value, dict):
        name = node.reference.name
        fix = f"${{{name}[key]…}} or ${{{name}[@]…}}"
        raise Problem("E201", "a record is no text", text_of(value), fix).at(node)
    return change(text_of(value))
