"""Variable attributes: how `declare -i -l -u -n -r` change an assignment."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.scope import restore_variable
from keysh.interp.variables.converted_values import CONVERSIONS, converted_value, integer_value
from keysh.interp.variables.value_paths import (
    append_value,
    assigned_value,
    reference_target,
    write_path,
)
from keysh.interp.variables.variable import (
    ARRAY,
    COMPUTED,
    DECLARED,
    READONLY,
    REFERENCE,
    NameReference,
    first_key,
    readonly_variable,
)
from keysh.text.shell_numbers import parse_shell_number
from keysh.values import ABSENT, ARRAYS, CONTAINERS, ShellList, text_of

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
            inner, keys = state.compiler.path(target, state)(state)
            write_path(state, inner, keys, value)
        else:
            set_reference(state, name, text_of(value))
        return
    if bits & COMPUTED:
        assign_computed(state, name, value)
        return
    state.variables[name] = converted_value(state, value, bits) if bits & CONVERSIONS else value
    if isinstance(value, ARRAYS):
        state.attributes[name] = bits | ARRAY
    if state.owned:
        state.owned.pop(name, None)


def assign_to_array(state: State, name: str, value: Any, bits: int) -> None:
    """Replace an array, or set its first element, as `a=x` does in sh."""
    bits &= ~(DECLARED | ARRAY)
    if isinstance(value, CONTAINERS):
        restore_variable(state, name, ABSENT, bits)
        state.assign(name, value)
        return
    state.attributes[name] = bits | ARRAY
    write_path(state, name, [first_key(state.variables[name])], value)


def set_reference(state: State, name: str, text: str) -> None:
    """Make a name reference point at the variable or element that `text` names."""
    try:
        state.compiler.path(text, state)
    except (ScriptError, ValueError):
        fix = f"{name}=name, or {name}='name[key]'"
        raise RuntimeDiagnostic(
            "E203", "this is not the name of a variable", f"{name}={text}", fix
        ) from None
    state.variables[name] = NameReference(text)


def assign_computed(state: State, name: str, value: Any) -> None:
    """Assign to a computed variable: `RANDOM=1` seeds the generator, `SECONDS=0` is now."""
    number = parse_shell_number(text_of(value))
    if name == "RANDOM":
        if number is None and state.dialect.evaluates_text:
            number = integer_value(state, value)
        state.random_seed = int(number or 0) & 0xFFFFFFFF, 0
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
        write_path(state, name, [first_key(old)], value, append=True)
        return
    if bits & ARRAY and not bits & CONVERSIONS:
        append_value(state, old, value)
        state.attributes[name] &= ~DECLARED
        return
    if value.__class__ is ShellList and old is not None and not isinstance(old, CONTAINERS):
        old = ShellList([old])  # `x+=(…)` makes an array of the text
    state.assign(name, assigned_value(state, old, value, bits, append=True))
