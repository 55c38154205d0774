"""Declared functions: their parameters become local variables."""

from __future__ import annotations

from keysh.runtime.local_variables import make_local
from keysh.schema.bind import Misuse, bind
from keysh.schema.command import ABSENT
from keysh.schema.render import help_text
from keysh.values import CONTAINERS, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.runtime.function import Function
    from keysh.runtime.state import State


def bind_parameters(state: State, function: Function, arguments: Sequence[object]) -> int | None:
    """Bind a call's arguments; a status where they do not fit, or ask for help."""
    command = function.command
    assert command is not None
    try:
        bound = bind(command, arguments)
    except Misuse as misuse:
        state.err.write(f"{function.name}: {misuse.message}\n")
        if not misuse.is_value:
            state.err.write(f"{command.hint.format(function.name)}\n")
        return 2
    if bound.asks_help:
        state.out.write(help_text(command))
        return 0
    values: dict[str, Any] = dict(bound.options)
    named = [one for one in command.parameters if one.place == "operand"]
    for parameter, value in zip(named, bound.positional, strict=False):
        values[parameter.name] = value
    if command.rest is not None:
        values[command.rest.name] = list(bound.positional[len(named) :])
    for parameter in command.parameters:
        name = parameter.name
        value = values.get(name, parameter.default)
        default = function.defaults.get(name)
        if value is ABSENT or (default is not None and value is parameter.default):
            value = default(state) if default is not None else None
        make_local(state, name)
        state.variables[name] = copied(value) if isinstance(value, CONTAINERS) else value
    return None
