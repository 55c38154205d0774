"""Variable attributes: how `declare -i -l -u -n -r` change an assignment."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.scope import restore_variable
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.interp.variables.value_paths import append_value, reference_target, write_path
from keysh.interp.variables.variable import (
    ARRAY,
    COMPUTED,
    DECLARED,
    INTEGER,
    LOWER,
    READONLY,
    REFERENCE,
    UPPER,
    NameReference,
    first_key,
    readonly_variable,
)
from keysh.text.letter_case import to_lower, to_upper
from keysh.text.shell_numbers import parse_shell_number
from keysh.values import ABSENT, ARRAYS, CONTAINERS, ShellList, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.state import State


def assign_by_attributes(state: State, name: str, value: Any, bits: int) -> None:
    """Assign to a variable that has attributes."""
    is_followed = bits & REFERENCE and isinstance(state.variables.get(name), NameReference)
    if bits & READONLY and not is_followed:
        raise readonly_variable(name)
    if bits & ARRAY:
        assign_to_array(state, name, value, bits)
        return
    if bits & DECLARED:
        bits &= ~DECLARED
        restore_variable(state, name, ABSENT, bits)
        state.assign(name, value)
        return
    if bits & REFERENCE:
        target = state.variables.get(name)
        if isinstance(target, NameReference):
            inner, keys = state.compiler.path(target)(state)
            write_path(state, inner, keys, value)
        else:
            set_reference(state, name, text_of(value))
        return
    if bits & COMPUTED:
        assign_computed(state, name, value)
        return
    state.variables[name] = value_by_attributes(state, value, bits)
    if isinstance(value, ARRAYS):
        state.attributes[name] = bits | ARRAY
    if state.owned is not None:
        state.owned.discard(name)


def assign_to_array(state: State, name: str, value: Any, bits: int) -> None:
    """Replace an array, or set its first element, as `a=x` does in sh."""
    bits &= ~(DECLARED | ARRAY)
    if isinstance(value, CONTAINERS):
        restore_variable(state, name, ABSENT, bits)
        state.assign(name, value)
        return
    state.attributes[name] = bits | ARRAY
    element = value_by_attributes(state, value, bits)
    write_path(state, name, [first_key(state.variables[name])], element)


def set_reference(state: State, name: str, text: str) -> None:
    """Make a name reference point at the variable or element that `text` names."""
    try:
        state.compiler.path(text)
    except (ScriptError, ValueError):
        fix = f"{name}=name, or {name}='name[key]'"
        raise RuntimeDiagnostic(
            "E203", "this is not the name of a variable", f"{name}={text}", fix
        ) from None
    state.variables[name] = NameReference(text)


def value_by_attributes(state: State, value: Any, bits: int) -> Any:
    """Return the value converted as the attributes require; lists are converted per element."""
    if isinstance(value, list):
        converted = deep_copy(value)
        converted[:] = [value_by_attributes(state, item, bits) for item in value]  # type: ignore[index]
        return converted
    if bits & INTEGER:
        return integer_value(state, value)
    if bits & LOWER:
        return to_lower(text_of(value))
    if bits & UPPER:
        return to_upper(text_of(value))
    return value


def integer_value(state: State, value: Any) -> int:
    """Evaluate the value as an arithmetic expression, as `declare -i` does."""
    text = text_of(value)
    number = parse_shell_number(text)
    if number is None:
        number = evaluate_arithmetic(state, text)
    if not isinstance(number, int):
        raise RuntimeDiagnostic("E208", "the variable holds whole numbers only", text)
    return number


def assign_computed(state: State, name: str, value: Any) -> None:
    """Assign to a computed variable: `RANDOM=1` seeds the generator, `SECONDS=0` is now."""
    number = parse_shell_number(text_of(value))
    if name == "RANDOM":
        from random import Random  # noqa: PLC0415 - few scripts seed it

        state.own_random = Random(number)
    elif name == "SECONDS":
        state.seconds_from = state.session.clock() - int(number or 0) * 1_000_000_000


def as_array(value: Any) -> Any:
    """Return the current value of a variable as an array, as `declare -a` does."""
    if isinstance(value, list):
        return ShellList(value)
    return ShellList() if value is None else ShellList([value])


def append_to_attributed(state: State, name: str, value: Any) -> None:
    """`x+=value` for a variable with attributes: integers are added, other values appended."""
    bits = state.attributes[name]
    is_followed = bits & REFERENCE and isinstance(state.variables.get(name), NameReference)
    if bits & READONLY and not is_followed:
        raise readonly_variable(name)
    if is_followed:
        inner, keys = reference_target(state, name, ())
        if inner in state.attributes and inner != name and not keys:
            append_to_attributed(state, inner, value)
        else:
            write_path(state, inner, keys, value, append=True)
        return
    old = state.own_value(name)
    if bits & ARRAY and not isinstance(value, CONTAINERS):
        element = value_by_attributes(state, value, bits)
        write_path(state, name, [first_key(old)], element, append=True)
        return
    if bits & ARRAY and not bits & (INTEGER | LOWER | UPPER):
        append_value(state, old, value)
        return
    if bits & INTEGER and not isinstance(old, list):
        state.assign(name, integer_value(state, old or 0) + integer_value(state, value))
        return
    state.assign(name, append_value(state, old, value_by_attributes(state, value, bits)))
