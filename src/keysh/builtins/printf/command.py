"""printf - print text by a format."""

from __future__ import annotations

from keysh.builtins.printf.form import OutputStopped, parse_format
from keysh.builtins.printf.values import PrintfArguments
from keysh.interp.state.call import CommandFailure
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command
from keysh.text.chunks import rejoin_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.builtins.printf.form import PrintfFormat
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

USAGE_LINE = "printf: usage: printf [-v var] format [arguments]\n"


def fill_template(form: PrintfFormat, texts: list[str]) -> str | None:
    """A format with texts for its directives, if all of those are a plain `%s`."""
    if not form.template or not (texts or form.count):
        return None
    rounds = max(-(-len(texts) // form.count), 1)
    texts += [""] * (rounds * form.count - len(texts))
    return form.template * rounds % tuple(texts)


@command
def printf(sh: Call, *words: Raw) -> int:
    r"""Print arguments by a format, which is used again until there are none left.

    words ...  the format, and what it formats; in front of it -v NAME to set a variable instead

    Escapes: \a \b \e \f \n \r \t \v \\ \" \? \NNN (octal) \xHH \uHHHH \UHHHHHHHH.
    %[flags][width][.precision] and one of: d i signed, o u x X unsigned, e E f F g G a A
    fractions, c a character, s a text, b a text with escapes, of which \c ends all output,
    q Q a text as the shell reads it, (FORMAT)T a time in seconds, -1 for now, n counts what is
    printed. %% is a percent sign, * a width or precision among the arguments.
    """
    texts = expanded_texts(words)
    target = None
    if texts and texts[0][:1] == "-" and texts[0] != "-":
        target, at = parse_options(sh, texts)
        texts = texts[at:]
    if not texts:
        sh.err.write(USAGE_LINE)
        return 2
    text = format_arguments(sh, texts[0], texts[1:])
    if target is None:
        sh.out.write(text)
    else:
        assign_target(sh, target, text)
    return sh.status


def parse_options(sh: Call, texts: list[str]) -> tuple[str | None, int]:
    """The variable that -v names, and where the format stands."""
    target, at = None, 0
    while at < len(texts) and texts[at][:1] == "-" and texts[at] != "-":
        text = texts[at]
        at += 1
        if text == "--":
            break
        if text[1] != "v":
            refuse_usage(sh, f"-{text[1]}: invalid option")
        target = text[2:]
        if not target:
            if at == len(texts):
                refuse_usage(sh, "-v: option requires an argument")
            target = texts[at]
            at += 1
    return target, at


def refuse_usage(sh: Call, message: str) -> None:
    raise sh.fail(f"{message}\n{USAGE_LINE.rstrip()}", 2)


def format_arguments(sh: Call, form: str, texts: list[str]) -> str:
    """What is printed; what goes wrong is told, and ends it where it must."""
    made = parse_format(form)
    text = fill_template(made, texts)
    if text is None:
        text = run_steps(sh, made, texts)
    return text if text.isascii() else rejoin_characters(text)


def run_steps(sh: Call, made: PrintfFormat, texts: list[str]) -> str:
    """What is printed, where a directive is more than a plain `%s`."""
    values = PrintfArguments(sh, texts)
    pieces: list[str] = []
    values.pieces = pieces
    try:
        left = -1
        while left != values.remaining:  # a round that takes nothing is the last
            sh.tick()
            left = values.remaining
            for step in made.steps:  # one by one: %n counts what is there
                pieces += (step,) if isinstance(step, str) else (step(values),)
            if not values.remaining:
                break
    except OutputStopped as stopped:
        pieces.append(stopped.text)
    return "".join(pieces)


def assign_target(sh: Call, target: str, text: str) -> None:
    """Set a variable or an element of one."""
    from keysh.interp.state.state_of_call import state_of, variable_path  # noqa: PLC0415 - only for -v
    from keysh.interp.variables.value_paths import write_path  # noqa: PLC0415 - as above

    try:
        name, keys = variable_path(sh, target)
    except CommandFailure as failure:
        failure.status = 2
        raise
    state = state_of(sh)
    state.check_length(len(text))
    if keys:
        write_path(state, name, keys, text)
    else:
        state.assign(name, text)
