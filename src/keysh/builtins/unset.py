"""unset - unset variables and functions."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.state.call import CommandFailure
from keysh.interp.state.state_of_call import state_of, variable_path
from keysh.interp.variables.value_paths import reference_text, unset_path
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
            unset_function(sh, state, text)
            continue
        if variables or references or "[" in text or is_variable(state, text):
            unset_variable(sh, state, text, references)
        else:
            unset_function(sh, state, text)


def unset_function(sh: Call, state: State, name: str) -> None:
    """Unset a function, if there is one."""
    function = state.functions.get(name)
    if function is None:
        return
    if function.is_readonly:
        sh.warn(f"{name}: cannot unset: readonly function")
    else:
        del state.functions[name]


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
    if is_reference and not isinstance(found, NameReference):
        return
    if isinstance(found, NameReference) and not is_reference:
        text = reference_text(state, found)
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
        if isinstance(value, dict) and state.dialect is BASH:
            value.pop(text[-2], None)  # an ordinary key
        elif isinstance(value, CONTAINERS):
            value.clear()
        return
    unset_path(state, name, keys)
