"""declare - set attributes and values of variables, or show them."""

from __future__ import annotations

from keysh.interp.builtin_operations.variable_declarations import (
    DeclareOptions,
    declare_all,
    mark_functions,
    take_plus_words,
)
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import (
    declare_line,
    declare_lines,
    function_lines,
    function_name_line,
    function_text,
    variable_lines,
)
from keysh.interp.variables.locals import function_frame
from keysh.interp.variables.variable import EXPORTED, INTEGER, LOWER, READONLY, REFERENCE, UPPER
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw

ATTRIBUTE_BITS = {
    "integer": INTEGER, "lower": LOWER, "upper": UPPER, "reference": REFERENCE,
    "readonly": READONLY, "export": EXPORTED,
}  # fmt: skip


@command(
    refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False), ignored="-t, --trace"
)
def declare(
    sh: Call,
    *words: Raw,
    array: bool = False,
    record: bool = False,
    functions: bool = False,
    function_names: bool = False,
    global_: bool = False,
    integer: bool = False,
    inherit: bool = False,
    lower: bool = False,
    reference: bool = False,
    print: bool = False,
    readonly: bool = False,
    upper: bool = False,
    export: bool = False,
) -> str:
    """Set attributes and values of variables, or show them.

    words ...             NAME or NAME=VALUE; +LETTERS before them removes
                          attributes
    -a, --array           indexed array
    -A, --record          associative array
    -f, --functions       show functions
    -F, --function-names  show names of functions
    -g, --global          declare a global variable, even in a function
    -i, --integer         evaluate assigned values as arithmetic expressions
    -I, --inherit         let a local variable inherit the value it hides
    -l, --lower           convert assigned values to lower case
    -n, --reference       refer to the variable that the value names
    -p, --print           show variables as commands
    -r, --readonly        forbid further assignments
    -u, --upper           convert assigned values to upper case
    -x, --export          export to the environment of commands

    In a function the variables are local.
    """
    state = state_of(sh)
    options = DeclareOptions(
        sum(bit for name, bit in ATTRIBUTE_BITS.items() if (name, True) in sh.given)
    )
    options.array_kind = "A" if record else "a" if array else ""
    rest = take_plus_words(sh, words, options)
    if functions or function_names:
        if rest and (readonly or export):
            known = [name for name in raw_texts(rest) if name in state.functions]
            sh.status = 0 if len(known) == len(rest) else 1
            if readonly:
                mark_functions(sh, state, known, lambda function: function.with_readonly())
            if export:
                mark_functions(sh, state, known, lambda function: function.with_export(True))
            return ""
        return functions_text(sh, state, raw_texts(rest), not functions)
    if print and rest:
        print_variables(sh, state, raw_texts(rest))
        return ""
    if rest:
        options.is_global = global_
        options.frame = None if global_ else function_frame(state)
        options.inherits = inherit
        declare_all(sh, state, rest, options)
        return ""
    if print or options.bits_to_set or options.array_kind:
        return declare_lines(
            state, options.bits_to_set, {"a": list, "A": dict}.get(options.array_kind)
        )
    return variable_lines(state) + function_lines(state)


def print_variables(sh: Call, state: State, names: Iterable[str]) -> None:
    """Print variables as `declare` commands."""
    for name in names:
        line = declare_line(state, name)
        if line is None:
            sh.warn(f"{name}: not found")
        else:
            sh.out.write(f"{line}\n")


def functions_text(sh: Call, state: State, names: Sequence[str], only_names: bool) -> str:
    """Return functions, or their names; an unknown name sets the status to 1."""
    defined = [name for name in names or sorted(state.functions) if name in state.functions]
    if names and len(defined) < len(names):
        sh.status = 1
    if not only_names:
        return "".join(function_text(state.functions[name]) for name in defined)
    return "".join(
        f"{name if names else function_name_line(state.functions[name])}\n" for name in defined
    )
