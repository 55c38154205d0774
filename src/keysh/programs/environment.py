"""The environment of a program: the exported variables, as text."""

from __future__ import annotations

from keysh.runtime.problem import Problem
from keysh.runtime.state import EXPORTED
from keysh.values import CONTAINERS, ShellList, ShellRecord, name_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State


def exported(state: State) -> dict[str, str]:
    """The exported variables. What sh made an array is not passed on, as in every shell."""
    variables = state.variables
    found: dict[str, str] = {}
    for name, bits in state.attributes.items():
        if not bits & EXPORTED or name not in variables:
            continue
        value = variables[name]
        if value.__class__ is str:
            found[name] = value
        elif isinstance(value, ShellList | ShellRecord):
            continue
        elif isinstance(value, CONTAINERS):
            raise Problem(
                "E201", f"a {name_of(value)} cannot be in a program's environment", f"${name}",
                f"export {name}=$(tojson ${name})",
            )  # fmt: skip
        else:
            found[name] = text_of(value)
    return found
