"""getopts - parse options, one at each call."""

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
    """Parse the next option of the arguments; fail if there are no more.

    options    the option letters, each followed by : if it takes a value; a
               leading : suppresses messages
    name       the variable for the letter; an invalid option sets it to ?
    words ...  the arguments (default: those of the function or script)

    $OPTARG is set to the value of the option, $OPTIND to the index of the next
    argument.
    """
    state = state_of(sh)
    arguments = [
        text_of(word) for word in (words_for_function(words) if words else state.arguments)
    ]
    index, offset = next_position(state)
    word = arguments[index - 1] if index <= len(arguments) else ""
    if offset >= len(word):  # the arguments are others than before
        offset = 0
    if not offset:
        if word[:1] != "-" or word in ("-", "--"):
            index = min(index, len(arguments) + 1)  # there may have been more of them before
            return end_options(sh, state, name, index + (word == "--"))
        offset = 1
    letter = word[offset]
    offset += 1
    if offset >= len(word):
        index, offset = index + 1, 0
    is_silent = options[:1] == ":"
    position = options.find(letter) if letter != ":" else -1
    value: str | None = None
    if position < 0:
        value = report_bad_option(sh, state, is_silent, "illegal option", letter)
        letter = "?"
    elif options[position + 1 : position + 2] == ":":
        if offset:
            value, index, offset = word[offset:], index + 1, 0
        elif index <= len(arguments):
            value, index = arguments[index - 1], index + 1
        else:
            value = report_bad_option(sh, state, is_silent, "option requires an argument", letter)
            letter = ":" if is_silent else "?"
    if value is None:
        state.unset("OPTARG")
    else:
        state.assign("OPTARG", value)
    set_position(state, index, offset)
    return assign_letter(sh, state, name, letter)


def next_position(state: State) -> tuple[int, int]:
    """Return the index of the next argument and the offset in it; setting $OPTIND restarts."""
    text = text_of(state.variables.get("OPTIND", 1))
    index = bounded_number(text) if is_digits(text) else 1
    return state.getopts_position if state.getopts_position[0] == index else (max(1, index), 0)


def set_position(state: State, index: int, offset: int) -> None:
    """Record where the next call continues."""
    state.getopts_position = (index, offset)
    state.assign("OPTIND", index)


def report_bad_option(
    sh: Call, state: State, is_silent: bool, message: str, letter: str
) -> str | None:
    """Report an invalid option; in silent mode return the letter for $OPTARG instead."""
    if is_silent:
        return letter
    if text_of(state.variables.get("OPTERR", 1)) != "0":
        sh.err.write(f"{state.name}: {message} -- {letter}\n")
    return None


def end_options(sh: Call, state: State, name: str, index: int) -> int:
    """Handle the end of the options."""
    state.unset("OPTARG")
    set_position(state, index, 0)
    return assign_letter(sh, state, name, "?") or 1


def assign_letter(sh: Call, state: State, name: str, letter: str) -> int:
    """Assign the letter to the script's variable."""
    if not name.isidentifier():
        raise invalid_identifier(sh, name)
    state.assign(name, letter)
    return 0
