"""push - append to a list."""

from __future__ import annotations

from keysh.interp.run.problem import Problem
from keysh.interp.state.state_of_call import place_of, state_of
from keysh.interp.variables.value_paths import MISSING, found, write
from keysh.schema.arguments import passed, written
from keysh.schema.declare import command
from keysh.values import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def push(sh: Call, *words: Raw) -> None:
    """Append values to the list that a variable holds.

    words ...  the variable, or a path such as u[tags]; then the values
    """
    if not words:
        raise sh.fail("missing operand\nfix: push xs value", 2)
    state = state_of(sh)
    [target] = written(words[:1])
    name, keys = place_of(sh, target)
    value = found(state, name, keys)
    if not isinstance(value, list):
        fact = "there is no such list" if value is MISSING else f"a {name_of(value)} is no list"
        raise Problem("E203", fact, target, f"{target}=[]")
    items = [state.inner(item) for item in passed(words[1:])]
    write(state, name, keys, items, append=True)
