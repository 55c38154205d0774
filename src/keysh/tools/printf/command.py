"""printf - print text by a format."""

from __future__ import annotations

from keysh.interp.state.call import Failure
from keysh.schema.arguments import expanded
from keysh.schema.declare import command
from keysh.text.chunks import rejoined
from keysh.tools.printf.form import Stopped, form_of
from keysh.tools.printf.values import Values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.tools.printf.form import Form

USAGE = "printf: usage: printf [-v var] format [arguments]\n"


def said(words: Sequence[Any]) -> str | None:
    """What is printed of texts by a format that only puts them in."""
    if not words or not all(word.__class__ is str for word in words) or words[0][:1] == "-":
        return None
    form, *texts = words
    return filled(form_of(form), texts)


def filled(form: Form, texts: list[str]) -> str | None:
    """A format with texts for its directives, if all of those are a plain `%s`."""
    if not form.template or not (texts or form.count):
        return None
    rounds = max(-(-len(texts) // form.count), 1)
    texts += [""] * (rounds * form.count - len(texts))
    return form.template * rounds % tuple(texts)


@command(says=said)
def printf(sh: Call, *words: Raw) -> int:
    r"""Print arguments by a format, which is used again until there are none left.

    words ...  the format, and what it formats; in front of it -v NAME to set a variable instead

    Escapes: \a \b \e \f \n \r \t \v \\ \" \? \NNN (octal) \xHH \uHHHH \UHHHHHHHH.
    %[flags][width][.precision] and one of: d i signed, o u x X unsigned, e E f F g G a A
    fractions, c a character, s a text, b a text with escapes, of which \c ends all output,
    q Q a text as the shell reads it, (FORMAT)T a time in seconds, -1 for now, n counts what is
    printed. %% is a percent sign, * a width or precision among the arguments.
    """
    texts = expanded(words)
    target = None
    if texts and texts[0][:1] == "-" and texts[0] != "-":
        target, at = options(sh, texts)
        texts = texts[at:]
    if not texts:
        sh.err.write(USAGE)
        return 2
    text = printed(sh, texts[0], texts[1:])
    if target is None:
        sh.out.write(text)
    else:
        assign(sh, target, text)
    return sh.status


def options(sh: Call, texts: list[str]) -> tuple[str | None, int]:
    """The variable that -v names, and where the format stands."""
    target, at = None, 0
    while at < len(texts) and texts[at][:1] == "-" and texts[at] != "-":
        text = texts[at]
        at += 1
        if text == "--":
            break
        if text[1] != "v":
            refuse(sh, f"-{text[1]}: invalid option")
        target = text[2:]
        if not target:
            if at == len(texts):
                refuse(sh, "-v: option requires an argument")
            target = texts[at]
            at += 1
    return target, at


def refuse(sh: Call, message: str) -> None:
    raise sh.fail(f"{message}\n{USAGE.rstrip()}", 2)


def printed(sh: Call, form: str, texts: list[str]) -> str:
    """What is printed; what goes wrong is told, and ends it where it must."""
    made = form_of(form)
    text = filled(made, texts)
    if text is None:
        text = stepwise(sh, made, texts)
    return text if text.isascii() else rejoined(text)


def stepwise(sh: Call, made: Form, texts: list[str]) -> str:
    """What is printed, where a directive is more than a plain `%s`."""
    values = Values(sh, texts)
    pieces: list[str] = []
    values.pieces = pieces
    try:
        left = -1
        while left != values.left:  # a round that takes nothing is the last
            sh.tick()
            left = values.left
            for step in made.steps:  # one by one: %n counts what is there
                pieces += (step,) if isinstance(step, str) else (step(values),)
            if not values.left:
                break
    except Stopped as stopped:
        pieces.append(stopped.text)
    return "".join(pieces)


def assign(sh: Call, target: str, text: str) -> None:
    """Set a variable or an element of one."""
    from keysh.interp.state.state_of_call import place_of, state_of  # noqa: PLC0415 - only for -v
    from keysh.interp.variables.value_paths import write  # noqa: PLC0415 - as above

    try:
        name, keys = place_of(sh, target)
    except Failure as failure:
        failure.status = 2
        raise
    state = state_of(sh)
    state.fit(len(text))
    if keys:
        write(state, name, keys, text)
    else:
        state.assign(name, text)
