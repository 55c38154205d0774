"""getopts - the options among arguments, one at each call."""

from __future__ import annotations

from keysh.interp.state.state_of_call import invalid_identifier, state_of
from keysh.schema.arguments import words_for_function
from keysh.schema.declare import Refusals, command
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw


@command(refusals=Refusals(usage_status=2))
def getopts(sh: Call, options: str, name: str, /, *words: Raw) -> int:
    """Find the next option among the arguments; fail where there is none left.

    options    its letters, with : behind one that has a value; with : in front nothing is printed
    name       the variable that gets the letter: ? for one that is wrong
    words ...  the arguments, where they are not those of the function or script

    $OPTARG has the option's value, $OPTIND the number of the argument to look at next.
    """
    state = state_of(sh)
    arguments = [
        text_of(word) for word in (words_for_function(words) if words else state.arguments)
    ]
    at, offset = next_position(state)
    word = arguments[at - 1] if at <= len(arguments) else ""
    if not offset:
        if word[:1] != "-" or word in ("-", "--"):
            return end_options(sh, state, name, at + (word == "--"))
        offset = 1
    letter = word[offset]
    offset += 1
    if offset >= len(word):
        at, offset = at + 1, 0
    is_silent = options[:1] == ":"
    found = options.find(letter) if letter != ":" else -1
    value: str | None = None
    if found < 0:
        value = report_bad_option(sh, state, is_silent, "illegal option", letter)
        letter = "?"
    elif options[found + 1 : found + 2] == ":":
        if offset:
            value, at, offset = word[offset:], at + 1, 0
        elif at <= len(arguments):
            value, at = arguments[at - 1], at + 1
        else:
            value = report_bad_option(sh, state, is_silent, "option requires an argument", letter)
            letter = ":" if is_silent else "?"
    if value is None:
        state.unset("OPTARG")
    else:
        state.assign("OPTARG", value)
    set_position(state, at, offset)
    return assign_letter(sh, state, name, letter)


def next_position(state: State) -> tuple[int, int]:
    """The argument to look at, and the place in it; a script begins anew by setting $OPTIND."""
    text = text_of(state.variables.get("OPTIND", 1))
    at = bounded_number(text) if is_digits(text) else 1
    return state.getopts_position if state.getopts_position[0] == at else (max(1, at), 0)


def set_position(state: State, at: int, offset: int) -> None:
    """Where the next call goes on."""
    state.getopts_position = (at, offset)
    state.assign("OPTIND", at)


def report_bad_option(
    sh: Call, state: State, is_silent: bool, says: str, letter: str
) -> str | None:
    """Say what is wrong, or leave it to the script, which gets the letter."""
    if is_silent:
        return letter
    if text_of(state.variables.get("OPTERR", 1)) != "0":
        sh.err.write(f"{state.name}: {says} -- {letter}\n")
    return None


def end_options(sh: Call, state: State, name: str, at: int) -> int:
    """There are no more options."""
    state.unset("OPTARG")
    set_position(state, at, 0)
    return assign_letter(sh, state, name, "?") or 1


def assign_letter(sh: Call, state: State, name: str, letter: str) -> int:
    """Tell the script the letter."""
    if not name.isidentifier():
        raise invalid_identifier(sh, name)
    state.assign(name, letter)
    return 0
