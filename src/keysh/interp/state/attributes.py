"""Attributes of variables: what `declare -i -l -u -n -r` make of an assignment."""

from __future__ import annotations

from keysh.diagnostics.errors import ScriptError
from keysh.interp.run.problem import Problem
from keysh.interp.state.state import put_back
from keysh.interp.variables.arithmetic_text import computed
from keysh.interp.variables.value_paths import destination, joined, write
from keysh.interp.variables.variable import (
    ABSENT,
    COMPUTED,
    DECLARED,
    INTEGER,
    LOWER,
    READONLY,
    REFERENCE,
    UPPER,
    NameReference,
    readonly,
)
from keysh.text.case import capitals, small_letters
from keysh.text.shell_numbers import number_of
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.state import State


def assign_by_attributes(state: State, name: str, value: Any, bits: int) -> None:
    """Set a variable that has attributes."""
    if bits & READONLY:
        raise readonly(name)
    if bits & DECLARED:
        bits &= ~DECLARED
        put_back(state, name, ABSENT, bits)
        state.assign(name, value)
        return
    if bits & REFERENCE:
        target = state.variables.get(name)
        if isinstance(target, NameReference):
            inner, keys = state.session.compiler.path(target)(state)
            write(state, inner, keys, value)
        else:
            refer(state, name, text_of(value))
        return
    if bits & COMPUTED:
        assign_computed(state, name, value)
        return
    state.variables[name] = converted(state, value, bits)
    if state.owned is not None:
        state.owned.discard(name)


def refer(state: State, name: str, text: str) -> None:
    """Let a reference stand for what a text names."""
    try:
        state.session.compiler.path(text)
    except (ScriptError, ValueError):
        fix = f"{name}=name, or {name}='name[key]'"
        raise Problem("E203", "this names no variable", f"{name}={text}", fix) from None
    state.variables[name] = NameReference(text)


def converted(state: State, value: Any, bits: int) -> Any:
    """A value as the attributes want it; each element of a list by itself."""
    if isinstance(value, list):
        return value.__class__([converted(state, item, bits) for item in value])
    if bits & INTEGER:
        return whole_number(state, value)
    if bits & LOWER:
        return small_letters(text_of(value))
    if bits & UPPER:
        return capitals(text_of(value))
    return value


def whole_number(state: State, value: Any) -> int:
    """The number that `declare -i` makes of a text: it is an expression."""
    text = text_of(value)
    found = number_of(text)
    if found is None:
        found = computed(state, text)
    if not isinstance(found, int):
        raise Problem("E208", "the variable holds whole numbers only", text)
    return found


def assign_computed(state: State, name: str, value: Any) -> None:
    """`RANDOM=1` fixes chance, `SECONDS=0` sets the clock."""
    number = number_of(text_of(value))
    if name == "RANDOM":
        state.session.source_of_chance().seed(number)
    elif name == "SECONDS":
        state.seconds_from = state.session.clock() - int(number or 0) * 1_000_000_000


def as_array(value: Any) -> Any:
    """What `declare -a` makes of the value a variable has."""
    if isinstance(value, list):
        return ShellList(value)
    return ShellList() if value is None else ShellList([value])


def appended(state: State, name: str, value: Any) -> None:
    """`x+=value` of a variable with attributes: whole numbers are added."""
    bits = state.attributes[name]
    if bits & READONLY:
        raise readonly(name)
    if bits & REFERENCE and isinstance(state.variables.get(name), NameReference):
        inner, keys = destination(state, name, ())
        if inner in state.attributes and inner != name and not keys:
            appended(state, inner, value)
        else:
            write(state, inner, keys, value, append=True)
        return
    old = state.own(name)
    if bits & INTEGER and not isinstance(old, list):
        state.assign(name, whole_number(state, old or 0) + whole_number(state, value))
        return
    state.assign(name, joined(state, old, converted(state, value, bits)))
