"""keysh - run a script in a separate shell."""

from __future__ import annotations

from keysh.diagnostics.dialect import KEYSH, declared_dialect
from keysh.interp.engine.scripts import run_in_own_shell
from keysh.interp.run.options import (
    DEFAULT_FLAGS,
    FROM_COMMAND_STRING,
    FROM_STDIN,
    OPTION_BITS,
    OPTION_LETTERS,
    with_option,
)
from keysh.interp.state.call import os_error_text
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import words_for_function
from keysh.schema.declare import command
from keysh.syntax.bash_differences import option_refusal
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

NOT_FOUND_STATUS, NOT_ALLOWED_STATUS, USAGE_STATUS = 127, 126, 2
IGNORED_LETTERS = "il"  # interactive, login
# Long options of bash; they have no effect, because no start-up file is read.
LONG_OPTIONS = (
    "--debug", "--debugger", "--login", "--noediting", "--noprofile", "--norc", "--posix",
    "--restricted", "--verbose",
)  # fmt: skip
LONG_OPTIONS_WITH_VALUE = ("--init-file", "--rcfile")


@command(compatible="GNU bash 5.2")
def keysh(sh: Call, *words: Raw) -> int:
    """Run a script in a separate shell that changes nothing in this one.

    words ...  options, then -c TEXT with $0 and the arguments, or a file and its
               arguments; without either the script is standard input

    Options are those of `set`: -e, -u, -x, -o pipefail and so on; -s reads standard
    input. The script sees exported variables.
    """
    return run_shell(sh, words, None)


def run_shell(sh: Call, words: Sequence[object], dialect: Dialect | None) -> int:
    """Run a script in a separate shell; without a dialect, in the one that the script declares."""
    state = state_of(sh)
    arguments = words_for_function(words)
    flags, letters, first = parse_options(sh, arguments, dialect or KEYSH)
    rest = arguments[first:]
    if "c" in letters:
        if not rest:
            raise sh.fail("-c: option requires an argument", USAGE_STATUS)
        name = text_of(rest[1]) if len(rest) > 1 else sh.name
        text = text_of(rest[0])
        flags |= FROM_COMMAND_STRING
        return run_in_own_shell(state, text, name, rest[2:], dialect or KEYSH, flags)
    if not rest or "s" in letters:
        text = sh.stdin.read()
        spoken = dialect or declared_dialect(text) or KEYSH
        return run_in_own_shell(state, text, sh.name, rest, spoken, flags | FROM_STDIN)
    path = text_of(rest[0])
    try:
        with sh.open_reader(path) as reader:
            text = reader.read()
    except IsADirectoryError:
        raise sh.fail(f"{path}: Is a directory", NOT_ALLOWED_STATUS) from None
    except OSError as error:
        raise sh.fail(f"{path}: {os_error_text(error)}", NOT_FOUND_STATUS) from None
    state.session.script_files[path] = None
    spoken = dialect or declared_dialect(text, path) or KEYSH
    return run_in_own_shell(state, text, path, rest[1:], spoken, flags)


def parse_options(sh: Call, words: list[object], dialect: Dialect) -> tuple[int, str, int]:
    """Return the initial flags, the option letters and the index of the first operand."""
    flags, letters, index = DEFAULT_FLAGS, "", 0
    while index < len(words):
        word = text_of(words[index])
        if word[:1] not in ("-", "+") or word in ("-", "+"):
            break
        index += 1
        if word == "--":
            break
        if word in LONG_OPTIONS_WITH_VALUE:
            index += 1
            continue
        if word[:2] == "--":
            if word not in LONG_OPTIONS:
                raise sh.fail(f"{word}: invalid option", USAGE_STATUS)
            continue
        for letter in word[1:]:
            name = OPTION_LETTERS.get(letter, "")
            if letter in "oO" and index < len(words):
                name = text_of(words[index])
                index += 1
            letters += letter
            if name in OPTION_BITS:
                if refused := option_refusal(name, word[0] == "-", dialect):
                    raise sh.fail(refused, USAGE_STATUS)
                flags = with_option(flags, name, word[0] == "-", dialect)
            elif letter not in f"cs{IGNORED_LETTERS}":
                raise sh.fail(f"{word}: invalid option", USAGE_STATUS)
    return flags, letters, index
