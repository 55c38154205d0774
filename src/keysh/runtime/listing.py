"""Listing: variables and functions as `set` and `declare -p` show them."""

from __future__ import annotations

from keysh.runtime.declarations import assigned, declaration, letters
from keysh.runtime.variable import DECLARED
from keysh.text.shell_words import double_quoted, quoted_if_needed
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.runtime.function import Function
    from keysh.runtime.state import State


def declared(state: State, name: str) -> str | None:
    """A variable as `declare -p` shows it; None where there is none."""
    bits = state.attributes.get(name, 0)
    if name in state.variables and not is_bare(state, name):
        return declaration(name, state.variables[name], bits, double_quoted)
    special = state.session.compiler.special(name)
    if special is not None:
        return declaration(name, special(state), bits, double_quoted)
    is_local = any(frame.saved is not None and name in frame.saved for frame in state.frames)
    if not bits and not is_local:
        return None
    return f"declare -{letters(state.variables.get(name), bits) or '-'} {name}"


def is_bare(state: State, name: str) -> bool:
    """Whether a variable is an array that has been declared, and has got no value yet."""
    return bool(state.attributes.get(name, 0) & DECLARED) and not state.variables[name]


def all_declared(state: State, bits: int = 0, kind: type | None = None) -> str:
    """All variables that have certain attributes, and are arrays of a kind, as commands."""
    lines: list[str] = []
    for name in sorted({*state.variables, *state.attributes}):
        is_meant = state.attributes.get(name, 0) & bits == bits
        if is_meant and (kind is None or isinstance(state.variables.get(name), kind)):
            line = declared(state, name)
            lines += [line, "\n"] if line else []
    return "".join(lines)


def set_variables(state: State) -> str:
    """All variables that have a value, as `set` shows them."""
    variables = state.variables
    names = [name for name in sorted(variables) if not is_bare(state, name)]
    return "".join(f"{name}={assignable(variables[name])}\n" for name in names)


def set_functions(state: State) -> str:
    """All functions."""
    return "".join(definition(state.functions[name]) for name in sorted(state.functions))


def assignable(value: Any) -> str:
    """A value as it could stand behind the `=` of an assignment."""
    if isinstance(value, list | dict):
        return f"({assigned(value)})"
    text = text_of(value)
    return quoted_if_needed(text) if text else ""


def definition(function: Function) -> str:
    """A function's text."""
    from keysh.syntax.printer import text_of as printed  # noqa: PLC0415 - only where it is shown

    return f"{printed(function.node)}\n"
