"""Shell tests: `-v x`, `-R x`, `-o option` and `-t n`, for `test` and `[[ … ]]`."""

from __future__ import annotations

from os import isatty

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.options import OPTION_BITS, is_option_on
from keysh.interp.variables.value_paths import elements, text_path_value
from keysh.interp.variables.variable import NameReference, first_element
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import ABSENT, ARRAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call_state import CallState
    from keysh.interp.state.state import State


def is_variable_set(state: State, path: str) -> bool:
    """`-v`: whether a value path is set; for a bare array whether its first element is."""
    name = path.partition("[")[0]
    if is_digits(name):
        return path == name and bounded_number(name) <= len(state.arguments)
    if not name.isidentifier() or not name.isascii():
        return False
    if path in (f"{name}[@]", f"{name}[*]"):
        value = text_path_value(state, name)
        if isinstance(value, dict) and state.dialect is BASH:
            return path[-2] in value  # an ordinary key
        return value is not ABSENT and bool(elements(value))
    try:
        value = text_path_value(state, path)
    except (KeyshError, ValueError):  # not a value path
        return False
    if path == name and isinstance(value, ARRAYS):
        return first_element(value) is not ABSENT
    return value is not ABSENT


def is_reference(state: State, name: str) -> bool:
    """`-R`: whether a variable is a name reference."""
    return state.variables.get(name).__class__ is NameReference


def is_option_named_on(state: State, option: str) -> bool:
    """`-o`: whether a shell option is on."""
    return option in OPTION_BITS and is_option_on(state.flags, option, state.dialect)


def is_terminal(state: CallState, number: str) -> bool:
    """`-t`: whether a descriptor is a terminal of the host."""
    descriptor = state.descriptors.get(bounded_number(number)) if is_digits(number) else None
    ends = (descriptor.reader, descriptor.writer) if descriptor is not None else ()
    return any(end is not None and end.fd >= 0 and isatty(end.fd) for end in ends)


SHELL_TESTS: dict[str, Callable[[State, str], bool]] = {
    "-v": is_variable_set, "-R": is_reference, "-o": is_option_named_on, "-t": is_terminal,
}  # fmt: skip
