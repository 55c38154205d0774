"""The environment of a program: the exported variables, as text."""

from __future__ import annotations

from keysh.runtime.utf8 import require_utf8
from keysh.runtime.variable import EXPORTED
from keysh.values import CONTAINERS, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.runtime.state import State


def exported(state: State) -> dict[str, str]:
    """The exported variables. An array of sh is not passed on, as in every shell.

    Other lists and records cannot be exported.
    """
    variables = state.variables
    found: dict[str, str] = {}
    for name, bits in state.attributes.items():
        if not bits & EXPORTED or name not in variables:
            continue
        value = variables[name]
        if value.__class__ is str:
            found[name] = value
        elif not isinstance(value, CONTAINERS):
            found[name] = text_of(value)
    return found


def checked(env: Mapping[str, str]) -> Mapping[str, str]:
    """The same environment, which a program must be able to read as text."""
    for name, value in env.items():
        require_utf8(
            value, f"${name} is not UTF-8, as a program's environment must be",
            f"hand the bytes over in a file or by standard input, or `export -n {name}`",
        )  # fmt: skip
    return env
