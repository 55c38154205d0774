"""set - set shell options and positional parameters."""

from __future__ import annotations

from keysh.interp.run.options import (
    OPTION_BITS,
    OPTION_LETTERS,
    SET_OPTIONS,
    is_option_on,
    with_option,
)
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import function_lines, variable_lines
from keysh.schema.arguments import words_for_function
from keysh.schema.declare import command
from keysh.syntax.bash_differences import option_refusal
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw

STATUS_USAGE = 2
USAGE = "usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]"


@command
def set_(sh: Call, *words: Raw) -> str:
    """Turn shell options on (-) or off (+), and set the arguments $1, $2 and so on.

    words ...  options, then arguments; -- ends the options

      -a, -o allexport    export assigned variables
      -C, -o noclobber    do not overwrite files with >
      -e, -o errexit      exit if a command fails outside a condition
      -f, -o noglob       do not expand globs
      -n, -o noexec       check commands but do not run them
      -u, -o nounset      treat unset variables as errors
      -v, -o verbose      in the bash dialect: print each line before it runs
      -x, -o xtrace       print each command before it runs
      -o pipefail         a pipeline fails if any of its commands fails
      -o nullglob         a glob without matches expands to nothing
      -o failglob         a glob without matches is an error (the default)

    `set -o` lists the options, `set +o` lists them as commands; `set` alone lists
    variables and functions.
    """
    state = state_of(sh)
    arguments = words_for_function(words)
    if not arguments:
        return variable_lines(state) + function_lines(state)
    listing, index = "", 0
    while index < len(arguments):
        text = text_of(arguments[index])
        if text in ("--", "-"):
            index += 1
            if text == "-":
                state.flags &= ~(OPTION_BITS["xtrace"] | OPTION_BITS["verbose"])
            if text == "--" or index < len(arguments):
                state.arguments = list(arguments[index:])
            break
        if text[:1] not in ("-", "+"):
            state.arguments = list(arguments[index:])
            break
        index += 1
        for letter in text[1:]:
            if letter != "o":
                set_option_letter(sh, state, letter, text[0] == "-")
            elif index < len(arguments):
                set_option(sh, state, text_of(arguments[index]), text[0] == "-")
                index += 1
            else:
                listing += option_lines(state, text[0] == "-")
    return listing


def set_option_letter(sh: Call, state: State, letter: str, is_on: bool) -> None:
    """Switch an option by its letter."""
    if letter not in OPTION_LETTERS:
        sh.warn(f"{'-' if is_on else '+'}{letter}: invalid option")
        raise sh.fail(USAGE, STATUS_USAGE)
    set_option(sh, state, OPTION_LETTERS[letter], is_on)


def set_option(sh: Call, state: State, name: str, is_on: bool) -> None:
    """Switch an option by its name."""
    if name not in OPTION_BITS:
        raise sh.fail(f"{name}: invalid option name", STATUS_USAGE)
    if refused := option_refusal(name, is_on, state.dialect):
        raise sh.fail(refused, STATUS_USAGE)
    state.flags = with_option(state.flags, name, is_on, state.dialect)


def option_lines(state: State, as_table: bool) -> str:
    """Return the options as a table or as commands.

    `posix` is left out: the scripts that autoconf writes turn it on wherever it is listed.
    """
    lines: list[str] = []
    for name in SET_OPTIONS:
        if name == "posix":
            continue
        is_on = is_option_on(state.flags, name, state.dialect)
        table = f"{name:<15}\t{'on' if is_on else 'off'}\n"
        lines.append(table if as_table else f"set {'-' if is_on else '+'}o {name}\n")
    return "".join(lines)
