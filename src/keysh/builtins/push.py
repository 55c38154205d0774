"""push - append values to a list."""

from __future__ import annotations

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.state_of_call import state_of, variable_path
from keysh.interp.variables.value_paths import path_value, write_path
from keysh.schema.arguments import raw_texts, words_for_function
from keysh.schema.declare import command
from keysh.values import ABSENT, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def push(sh: Call, *words: Raw) -> None:
    """Append values to a list.

    words ...  the variable, or a path such as u[tags]; then the values
    """
    if not words:
        raise sh.fail("missing operand\nfix: push xs value", 2)
    state = state_of(sh)
    [target] = raw_texts(words[:1])
    name, keys = variable_path(sh, target)
    value = path_value(state, name, keys)
    if not isinstance(value, list):
        fact = f"a {type_name(value)} is not a list"
        if value is ABSENT:
            fact = "there is no list with this name"
        raise RuntimeDiagnostic("E203", fact, target, f"{target}=[]")
    items = [state.element_copy(item) for item in words_for_function(words[1:])]
    write_path(state, name, keys, items, append=True)
