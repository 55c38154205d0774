"""echo - print arguments."""

from __future__ import annotations

from keysh.interp.run.budget import MIN_RESERVED_BYTES
from keysh.interp.run.options import XPG_ECHO
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(from_words=lambda _: True), style=OptionStyle(has_help=False))
def echo(sh: Call, *words: Raw) -> None:
    r"""Print the arguments separated by spaces, followed by a newline.

    words ...  options, then what to print

    The only options are words of the letters n (no newline at the end), e
    (interpret escapes) and E (do not). The escapes are \a \b \e \f \n \r \t \v \\
    \0NNN (octal) \xHH \uHHHH \UHHHHHHHH, and \c, which ends the output. With `shopt
    -s xpg_echo` they are interpreted without -e as well.
    """
    texts = expanded_texts(words)
    has_newline, has_escapes, index = True, None, 0
    while index < len(texts) and is_option_word(texts[index]):
        for letter in texts[index][1:]:
            if letter == "n":
                has_newline = False
            else:
                has_escapes = letter == "e"
        index += 1
    size = sum(map(len, texts))
    if size >= MIN_RESERVED_BYTES:  # three calls of each short line
        sh.reserve(size)
    text, is_over = " ".join(texts[index:]), False
    if "\\" in text and (has_escapes or (has_escapes is None and is_xpg_echo(sh))):
        from keysh.text.escapes import expand_escapes  # noqa: PLC0415 - few texts have any

        text, is_over = expand_escapes(text)
    sh.out.write(f"{text}\n" if has_newline and not is_over else text)


def is_xpg_echo(sh: Call) -> bool:
    """Tell whether `shopt -s xpg_echo` is on."""
    from keysh.interp.state.state_of_call import call_state  # noqa: PLC0415 - only for a backslash

    return bool(call_state(sh).flags & XPG_ECHO)


def is_option_word(text: str) -> bool:
    """Tell whether a word consists of echo's option letters, as in `-ne`."""
    return text[:1] == "-" and len(text) > 1 and not text[1:].strip("neE")
