"""local - declare local variables of a function."""

from __future__ import annotations

from keysh.interp.builtin_operations.variable_declarations import (
    DeclareOptions,
    declare_all,
    take_plus_words,
)
from keysh.interp.run.function import SAVED_OPTIONS_KEY
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import declare_line
from keysh.interp.variables.locals import function_frame, make_options_local
from keysh.interp.variables.variable import EXPORTED, INTEGER, LOWER, READONLY, REFERENCE, UPPER
from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

ATTRIBUTE_BITS = {
    "integer": INTEGER, "lower": LOWER, "upper": UPPER, "reference": REFERENCE,
    "readonly": READONLY, "export": EXPORTED,
}  # fmt: skip


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def local(
    sh: Call,
    *words: Raw,
    array: bool = False,
    record: bool = False,
    integer: bool = False,
    inherit: bool = False,
    lower: bool = False,
    reference: bool = False,
    print: bool = False,
    readonly: bool = False,
    upper: bool = False,
    export: bool = False,
) -> str:
    """Declare local variables of the current function; without words, show them.

    words ...        NAME or NAME=VALUE; - makes the options of `set` local;
                     +LETTERS before them removes attributes
    -a, --array      indexed array
    -A, --record     associative array
    -i, --integer    evaluate assigned values as arithmetic expressions
    -I, --inherit    inherit the value and attributes of the hidden variable
    -l, --lower      convert assigned values to lower case
    -n, --reference  refer to the variable that the value names
    -p, --print      show local variables
    -r, --readonly   forbid further assignments
    -u, --upper      convert assigned values to upper case
    -x, --export     export to the environment of commands
    """
    state = state_of(sh)
    frame = function_frame(state)
    if frame is None:
        raise sh.fail("can only be used in a function")
    if words:
        options = DeclareOptions(
            sum(bit for name, bit in ATTRIBUTE_BITS.items() if (name, True) in sh.given)
        )
        options.array_kind = "A" if record else "a" if array else ""
        options.frame, options.inherits = frame, inherit
        rest = take_plus_words(sh, words, options)
        variables = [word for word in rest if word != SAVED_OPTIONS_KEY]
        if len(variables) < len(rest):
            make_options_local(state)
        declare_all(sh, state, variables, options)
        return ""
    names = sorted({*(frame.saved_variables or ())} - {SAVED_OPTIONS_KEY})
    return "".join(f"{declare_line(state, name) or f'declare -- {name}'}\n" for name in names)
