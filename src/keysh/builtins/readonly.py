"""readonly - make variables readonly."""

from __future__ import annotations

from keysh.interp.builtin_operations.variable_declarations import (
    DeclareOptions,
    declare_all,
    mark_functions,
)
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import declare_lines, readonly_function_lines
from keysh.interp.variables.variable import READONLY
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def readonly(
    sh: Call,
    *words: Raw,
    array: bool = False,
    record: bool = False,
    functions: bool = False,
    print: bool = False,
) -> str:
    """Forbid further assignments to variables; without words, show readonly variables.

    words ...        NAME or NAME=VALUE
    -a, --array      indexed arrays
    -A, --record     associative arrays
    -f, --functions  functions, which then can be neither defined again nor unset
    -p, --print      show readonly variables as commands
    """
    state = state_of(sh)
    if functions:
        if not words:
            return readonly_function_lines(state)
        mark_functions(sh, state, raw_texts(words), lambda function: function.with_readonly())
        return ""
    if not words:
        return declare_lines(state, READONLY)
    declare_all(
        sh, state, words, DeclareOptions(READONLY, kind="A" if record else "a" if array else "")
    )
    return ""
