"""echo - print words."""

from __future__ import annotations

from keysh.interp.run.options import XPG_ECHO
from keysh.interp.state.state_of_call import call_state
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(from_words=True), style=OptionStyle(has_help=False))
def echo(sh: Call, *words: Raw) -> None:
    r"""Print words with blanks between them, and a newline.

    words ...  what to print, behind the options

    Options are words of these letters only: -n for no newline at the end, -e to read escapes, -E
    not to. The escapes are \a \b \e \f \n \r \t \v \\ \0NNN (octal) \xHH \uHHHH \UHHHHHHHH, and
    \c, which ends the output. After `shopt -s xpg_echo` they are read without -e too.
    """
    texts = expanded_texts(words)
    has_newline, has_escapes, at = True, bool(call_state(sh).flags & XPG_ECHO), 0
    while at < len(texts) and is_option_word(texts[at]):
        for letter in texts[at][1:]:
            has_newline = has_newline and letter != "n"
            has_escapes = letter == "e" or (has_escapes and letter == "n")
        at += 1
    text, is_over = " ".join(texts[at:]), False
    if has_escapes:
        from keysh.text.escapes import expand_escapes  # noqa: PLC0415 - few texts have any

        text, is_over = expand_escapes(text)
    sh.out.write(f"{text}\n" if has_newline and not is_over else text)


def is_option_word(text: str) -> bool:
    """Whether a word is letters of echo's own, as in `-ne`; any other is printed."""
    return text[:1] == "-" and len(text) > 1 and not text[1:].strip("neE")
