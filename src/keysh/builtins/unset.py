"""unset - unset variables and functions."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure
from keysh.interp.state.state_of_call import state_of, variable_path
from keysh.interp.variables.value_paths import unset_path
from keysh.interp.variables.variable import READONLY, NameReference
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.values import CONTAINERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw

ALL_SUBSCRIPTS = ("[@]", "[*]")


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def unset(
    sh: Call,
    *words: Raw,
    functions: bool = False,
    variables: bool = False,
    references: bool = False,
) -> None:
    """Unset variables, or functions if no variable has the name.

    words ...         names, or elements such as u[k]
    -f, --functions   unset functions only
    -v, --variables   unset variables only
    -n, --references  unset a name reference itself, not its target
    """
    state = state_of(sh)
    if functions and variables:
        raise sh.fail("cannot simultaneously unset a function and a variable")
    for text in raw_texts(words):
        if functions:
            state.functions.pop(text, None)
            continue
        if variables or references or "[" in text or is_variable(state, text):
            unset_variable(sh, state, text, references)
        else:
            state.functions.pop(text, None)


def is_variable(state: State, name: str) -> bool:
    """Whether a variable has the name, perhaps a local one without a value."""
    return (
        name in state.variables
        or name in state.attributes
        or any(frame.saved_variables and name in frame.saved_variables for frame in state.frames)
    )


def unset_variable(sh: Call, state: State, text: str, is_reference: bool) -> None:
    """Unset a variable, one of its elements, or all of them."""
    found = state.variables.get(text)
    if isinstance(found, NameReference) and not is_reference:
        text = found
    is_all = text.endswith(ALL_SUBSCRIPTS)
    try:
        name, keys = variable_path(sh, text[:-3] if is_all else text)
    except CommandFailure as failure:
        sh.warn(failure.message, failure.status)
        return
    if state.attributes.get(name, 0) & READONLY:
        sh.warn(f"{name}: cannot unset: readonly variable")
        return
    if is_all and not keys:
        value = state.own_value(name)
        if isinstance(value, CONTAINERS):
            value.clear()
        return
    unset_path(state, name, keys)
