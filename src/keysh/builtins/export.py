"""export - export variables to the environment."""

from __future__ import annotations

from keysh.interp.builtin_operations.variable_declarations import (
    DeclareOptions,
    declare_all,
    mark_functions,
)
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import declare_lines
from keysh.interp.variables.variable import EXPORTED
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def export(
    sh: Call, *words: Raw, functions: bool = False, no: bool = False, print: bool = False
) -> str:
    """Export variables to the environment of commands; without words, show them.

    words ...        NAME or NAME=VALUE
    -f, --functions  export functions to child shells, such as `bash -c f`
    -n, --no         stop exporting
    -p, --print      show exported variables as commands
    """
    state = state_of(sh)
    if functions:
        mark_functions(sh, state, raw_texts(words), lambda function: function.with_export(not no))
        return ""
    if words:
        wanted = DeclareOptions(0, EXPORTED) if no else DeclareOptions(EXPORTED)
        wanted.declares_unset = not no
        declare_all(sh, state, words, wanted)
        return ""
    return declare_lines(state, EXPORTED)
