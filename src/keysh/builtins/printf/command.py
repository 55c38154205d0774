"""printf - format and print arguments."""

from __future__ import annotations

from keysh.builtins.printf.form import OutputStopped, parse_format
from keysh.builtins.printf.values import PrintfArguments
from keysh.interp.run.budget import MIN_RESERVED_BYTES
from keysh.interp.state.call import CommandFailure
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OutputStyle, command
from keysh.text.chunks import rejoin_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.builtins.printf.form import PrintfFormat
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

LARGE_FORMAT_CHARACTERS = 1 << 16  # repeated; less is not worth asking for memory

USAGE = "usage: printf [-v var] format [arguments]"


def only_prints(format_text: str | None) -> bool:
    """Whether a call with this format assigns nothing, by -v or %n."""
    if format_text is None or format_text[:1] == "-":
        return False
    return not parse_format(format_text).stores_count


@command(output=OutputStyle(from_words=only_prints))
def printf(sh: Call, *words: Raw) -> int:
    r"""Format and print arguments; the format is reused until all are consumed.

    words ...  the format and its arguments, after -v NAME to assign the output to a
               variable

    Escapes: \a \b \e \f \n \r \t \v \\ \" \? \NNN (octal) \xHH \uHHHH \UHHHHHHHH.
    Directives: %[flags][width][.precision] and d or i signed, o u x X unsigned, e E
    f F g G a A floating point, c character, s string, b string with escapes, of
    which \c ends all output, q Q shell-quoted string, (FORMAT)T time in seconds or
    -1 for now, n stores the number of bytes printed. %% is a percent sign; a width
    or precision of * is taken from the arguments.
    """
    texts = expanded_texts(words)
    target = None
    if texts and texts[0][:1] == "-" and texts[0] != "-":
        target, at = parse_options(sh, texts)
        texts = texts[at:]
    if not texts:
        sh.note(USAGE)
        return 2
    text = format_arguments(sh, texts[0], texts[1:], prints=target is None)
    if target is None:
        sh.out.write(text)
    else:
        assign_target(sh, target, text)
    return sh.status


def parse_options(sh: Call, texts: list[str]) -> tuple[str | None, int]:
    """Return the variable of -v and the index of the format."""
    target, index = None, 0
    while index < len(texts) and texts[index][:1] == "-" and texts[index] != "-":
        text = texts[index]
        index += 1
        if text == "--":
            break
        if text[1] != "v":
            refuse_usage(sh, f"-{text[1]}: invalid option")
        target = text[2:]
        if not target:
            if index == len(texts):
                refuse_usage(sh, "-v: option requires an argument")
            target = texts[index]
            index += 1
    return target, index


def refuse_usage(sh: Call, message: str) -> None:
    raise sh.fail(f"{message}\nprintf: {USAGE}", 2)


def format_arguments(sh: Call, format_text: str, texts: list[str], *, prints: bool) -> str:
    """Format the arguments; problems are reported and may end the output."""
    compiled = parse_format(format_text)
    template = compiled.template
    total = sum(map(len, texts))
    if total >= MIN_RESERVED_BYTES:  # three calls of each short line
        sh.reserve(total)
    if template is not None:
        # The format is repeated, as one text, before the others are filled in.
        size = len(template.text) * (len(texts) // (template.count or len(texts) + 1))
        if size > LARGE_FORMAT_CHARACTERS:
            sh.reserve(2 * size)
        return template.fill(texts)
    text = run_steps(sh, compiled, texts, prints=prints)
    return text if text.isascii() else rejoin_characters(text)


def run_steps(sh: Call, form: PrintfFormat, texts: list[str], *, prints: bool) -> str:
    """Format step by step, for directives other than a plain `%s`."""
    values = PrintfArguments(sh, texts, prints=prints)
    pieces = values.pieces
    try:
        remaining = -1
        while remaining != values.remaining:  # stop after a round that consumes nothing
            sh.tick()
            remaining = values.remaining
            for step in form.steps:  # one by one, because %n counts the output so far
                pieces += (step,) if isinstance(step, str) else (step(values),)
            if not values.remaining:
                break
    except OutputStopped as stop:
        pieces.append(stop.text)
    return "".join(pieces)


def assign_target(sh: Call, target: str, text: str) -> None:
    """Assign to a variable or to an element of one."""
    from keysh.interp.state.state_of_call import state_of, variable_path  # noqa: PLC0415 - only for -v
    from keysh.interp.variables.value_paths import write_path  # noqa: PLC0415 - only for -v

    try:
        name, keys = variable_path(sh, target)
    except CommandFailure as failure:
        failure.status = 2
        raise
    state = state_of(sh)
    state.check_text(text)
    if keys:
        write_path(state, name, keys, text)
    else:
        state.assign(name, text)
