"""read - read a line into variables."""

from __future__ import annotations

from keysh.interp.builtin_operations.number_operand import Number, parse_number
from keysh.interp.builtin_operations.read_line import GUARD_CODE_POINT, descriptor_reader, read_text
from keysh.interp.state.call import os_error_text
from keysh.interp.state.state_of_call import state_of, variable_path
from keysh.interp.variables.value_paths import write_path
from keysh.interp.words.word_splitting import field_separators
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.fields import WHITE_SEPARATORS, field_splitter
from keysh.values import ShellList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.builtin_operations.read_line import PartReader
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Duration, Raw


@command(
    refusals=Refusals(
        usage_status=2, invalid_values={"timeout": "{}: invalid timeout specification"}
    ),
    style=OptionStyle(binds_by_key=False),
    ignored="-e, --edit; -i, --initial TEXT",
)
def read(
    sh: Call,
    *words: Raw,
    array: str | None = None,
    delimiter: str = "\n",
    most: Number | None = None,
    exactly: Number | None = None,
    prompt: str | None = None,
    raw: bool = False,
    silent: bool = False,
    timeout: Duration | None = None,
    descriptor: int = 0,
) -> int:
    r"""Read a line and split it at the characters of $IFS into variables.

    words ...               variables or elements; the last one gets the rest of the
                            line (default: $REPLY gets the whole line)
    -a, --array NAME        assign all words to the array NAME
    -d, --delimiter CHAR    the line terminator; empty for NUL
    -n, --most NUM          read at most NUM characters
    -N, --exactly NUM       read exactly NUM characters, without splitting
    -p, --prompt TEXT       print TEXT first if the input is a terminal
    -r, --raw               treat backslash as an ordinary character
    -s, --silent            do not echo input from a terminal
    -t, --timeout DURATION  wait at most DURATION seconds for a terminal or file of
                            the host, then fail with 142; with 0, read nothing and
                            just test for input
    -u, --descriptor FD     read from descriptor FD

    Without -r a backslash quotes the next character and joins lines. The status is
    1 if the input ends before the line does.
    """
    state = state_of(sh)
    reader = descriptor_reader(sh, state, descriptor)
    names = raw_texts(words)
    if timeout == 0:
        from keysh.builtins.read.terminal_input import has_input  # noqa: PLC0415 - only for `read -t 0`

        return 0 if has_input(reader) else 1
    terminator = delimiter[:1] or "\0"
    separators = field_separators(state)
    if exactly is not None:
        terminator, separators = "", ""
    limit = character_count(sh, most if exactly is None else exactly)
    escapes = None if raw else separators

    def take(source: PartReader) -> tuple[str, bool]:
        return read_text(state, source, limit, terminator, escapes)

    takes_keys = limit is not None or terminator != "\n"
    is_open_file = reader.fd >= 0 and (prompt or silent or takes_keys)
    if is_open_file or (timeout is not None and hasattr(reader, "is_ready")):
        from keysh.builtins.read.terminal_input import TerminalInput  # noqa: PLC0415 - few scripts ask anybody

        typing = TerminalInput(prompt or "", timeout, is_silent=silent, takes_keys=takes_keys)
        text, status = typing.read(state, reader, take)
    else:
        try:
            text, is_whole = take(reader)
        except OSError as error:
            raise sh.fail(f"read error: {descriptor}: {os_error_text(error)}") from None
        status = 0 if is_whole else 1
    if terminator != "\0" and "\0" in text:
        text = text.replace("\0", "")
    assign_words(sh, state, text, names, array, separators)
    return status


def character_count(sh: Call, text: str | None) -> int | None:
    """Parse a number of characters."""
    number = None if text is None else parse_number(text)
    if text is not None and (number is None or number < 0):
        raise sh.fail(f"{text}: invalid number")
    return number


def assign_words(
    sh: Call, state: State, text: str, names: list[str], array: str | None, separators: str
) -> None:
    """Split a line and assign the words."""
    guarded = {GUARD_CODE_POINT + at: char for at, char in enumerate(separators)}
    if array is not None:
        words = field_splitter(separators).words(text)
        if any(chr(guard) in text for guard in guarded):
            words = [word.translate(guarded) for word in words]
        if isinstance(state.own_value(array), dict):
            raise sh.fail(f"{array}: not an indexed array")
        state.assign(array, ShellList(words))
    elif not names:
        state.assign("REPLY", text.translate(guarded))
    elif len(names) == 1 and separators == WHITE_SEPARATORS:
        set_target(sh, state, names[0], text.strip(WHITE_SEPARATORS).translate(guarded))
    else:
        for name, word in zip(
            names, field_splitter(separators).parts(text, len(names)), strict=True
        ):
            set_target(sh, state, name, word.translate(guarded))


def set_target(sh: Call, state: State, target: str, text: str) -> None:
    """Assign to a variable or an element."""
    name, keys = variable_path(sh, target)
    if keys:
        write_path(state, name, keys, text)
    else:
        state.assign(name, text)
