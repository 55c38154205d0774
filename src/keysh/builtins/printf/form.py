"""Forms: printf's formats, compiled once: what stands between the directives, and for each of
those the function that writes it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.escapes import byte_character, code_point_text
from keysh.text.printf import Conversion, FieldTooWide, format_conversion, parse_size
from keysh.text.shell_quoting import backslash_escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.builtins.printf.values import PrintfArguments

    Step: TypeAlias = Callable[[PrintfArguments], str]

# %, flags, width, precision, C's lengths, and a letter or (FORMAT)T.
DIRECTIVE = re.compile(
    r"%(?:(%)|([-+ #0']*)(\*|[0-9]*)(?:(\.)(\*|-?[0-9]*))?([hlLjzt]*)(?:\(([^()]*)\)(.?)|(.?)))",
    re.DOTALL,
)
ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{1,2})|u(?P<short>[0-9a-fA-F]{1,4})"
    r"|U(?P<long>[0-9a-fA-F]{1,8})|(?P<char>.))",
    re.DOTALL,
)
# In %b a zero may stand before an octal number.
ARGUMENT_ESCAPE = re.compile(
    ESCAPE.pattern.replace("[0-7]{1,3}", "0[0-7]{0,3}|[1-7][0-7]{0,2}"), re.DOTALL
)
SINGLE_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\\": "\\",
}  # fmt: skip
QUOTE_ESCAPES = {'"': '"', "'": "'", "?": "?"}
MISSING_DIGITS = {"x": "missing hex digit for \\x", "u": "missing unicode digit for \\u",
           "U": "missing unicode digit for \\U"}  # fmt: skip


class OutputStopped(Exception):
    """No more is to be printed; `text` is the last of it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class PrintfFormat:
    """A format: texts and steps, and how many directives it has.

    `template` is the format as Python's `%` has it, where every directive is a plain `%s`.
    """

    __slots__ = ("count", "steps", "template")

    def __init__(self, steps: list[str | Step], count: int, template: str) -> None:
        self.steps, self.count, self.template = steps, count, template


@lru_cache(maxsize=512)
def parse_format(text: str) -> PrintfFormat:
    """The form of a format."""
    steps: list[str | Step] = []
    templates: list[str] = []
    count = at = plain = 0
    while True:
        start = text.find("%", at)
        piece = parse_literal(text[at : start if start >= 0 else len(text)])
        steps += piece
        templates += [one.replace("%", "%%") for one in piece if isinstance(one, str)]
        if start < 0 or (found := DIRECTIVE.match(text, start)) is None:
            break
        at = found.end()
        if found[1]:
            steps.append("%")
            templates.append("%%")
            continue
        count += 1
        plain += found[0] == "%s"
        templates.append("%s")
        steps.append(compile_directive(found))
    is_plain = plain == count > 0 and len(templates) == len(steps)
    return PrintfFormat(steps, count, "".join(templates) if is_plain else "")


def parse_literal(text: str) -> list[str | Step]:
    """What stands between directives: texts, and steps that tell of broken escapes."""
    if "\\" not in text:
        return [text] if text else []
    made: list[str | Step] = []
    at = 0
    for found in ESCAPE.finditer(text):
        made.append(text[at : found.start()])
        at = found.end()
        if found["char"] in MISSING_DIGITS:
            made.append(warning_step(found[0], MISSING_DIGITS[found["char"]]))
        else:
            made.append(escape_value(found, QUOTE_ESCAPES))
    made.append(text[at:])
    if all(isinstance(one, str) for one in made):
        return ["".join(one for one in made if isinstance(one, str))]
    return made


def warning_step(text: str, message: str) -> Step:
    """A step that prints a text and tells what is wrong with it."""

    def step(values: PrintfArguments) -> str:
        values.sh.err.write(f"{values.sh.name}: {message}\n")
        return text

    return step


def escape_value(found: re.Match[str], quotes: dict[str, str]) -> str:
    """What an escape stands for."""
    if found["octal"]:
        return byte_character(int(found["octal"], 8) & 0xFF)
    if found["hex"]:
        return byte_character(int(found["hex"], 16))
    code = found["short"] or found["long"]
    if code:
        return code_point_text(int(code, 16))
    char = found["char"]
    return SINGLE_ESCAPES.get(char) or quotes.get(char) or found[0]


def unescape_argument(values: PrintfArguments, text: str) -> tuple[str, bool]:
    r"""The text of %b, and whether `\c` has ended all output."""
    if "\\" not in text:
        return text, False
    pieces: list[str] = []
    at = 0
    for found in ARGUMENT_ESCAPE.finditer(text):
        pieces.append(text[at : found.start()])
        at = found.end()
        char = found["char"]
        if char == "c":
            return "".join(pieces), True
        if char in MISSING_DIGITS:
            values.sh.err.write(f"{values.sh.name}: {MISSING_DIGITS[char]}\n")
        pieces.append(escape_value(found, {}))
    pieces.append(text[at:])
    return "".join(pieces), False


# ---------------------------------------------------------------- directives


def compile_directive(found: re.Match[str]) -> Step:
    """The step of a directive."""
    flags, width, dot, precision, letter = found[2], found[3], found[4], found[5], found[9]
    write = find_writer(found)

    def step(values: PrintfArguments) -> str:
        columns = values.integer() if width == "*" else parse_size(width)
        exact = None
        if dot:
            exact = values.integer() if precision == "*" else parse_size(precision.rstrip("-"))
            exact = None if exact < 0 else exact
        signs = flags
        if columns < 0:
            columns, signs = -columns, signs + "-"
        try:
            return write(values, Conversion(signs, columns, exact, letter or "s"))
        except FieldTooWide as error:
            values.sh.warn(str(error))
            raise OutputStopped from None

    if width or dot or flags or letter not in ("s", "d"):
        return step
    conversion = Conversion("", 0, None, letter)
    return lambda values: write(values, conversion)


def find_writer(found: re.Match[str]) -> Callable[[PrintfArguments, Conversion], str]:
    """The function that writes a directive's value."""
    time_form, time_letter, letter = found[7], found[8], found[9]
    if time_form is not None:
        return time_writer(time_form, time_letter, found)
    writer = WRITERS.get(letter)
    if writer is not None:
        return writer
    message = f"`{letter}': invalid format character"
    if not letter:
        message = f"`{found[0]}': missing format character"

    def refuse(values: PrintfArguments, conversion: Conversion) -> str:
        values.sh.warn(message)
        raise OutputStopped

    return refuse


def write_signed(values: PrintfArguments, conversion: Conversion) -> str:
    return format_conversion(conversion, values.integer())


def write_unsigned(values: PrintfArguments, conversion: Conversion) -> str:
    return format_conversion(conversion, values.integer(is_signed=False))


def write_fraction(values: PrintfArguments, conversion: Conversion) -> str:
    return format_conversion(conversion, values.fraction())


def write_text(values: PrintfArguments, conversion: Conversion) -> str:
    return fit_text(values.text(), conversion)


def fit_text(text: str, conversion: Conversion) -> str:
    """A text cut and filled to a width; bash counts bytes."""
    if not conversion.width and conversion.precision is None:
        return text
    if text.isascii():
        return format_conversion(conversion, text)
    made = format_conversion(conversion, bytes_of_text(text).decode("latin-1"))
    return text_of_bytes(made.encode("latin-1"))


def write_character(values: PrintfArguments, conversion: Conversion) -> str:
    """%c: the first byte, which of an empty text is NUL."""
    first = bytes_of_text(values.text())[:1] or b"\0"
    return fit_text(
        text_of_bytes(first),
        Conversion(conversion.flags, conversion.width, None, "c"),
    )


def write_escaped(values: PrintfArguments, conversion: Conversion) -> str:
    made, is_over = unescape_argument(values, values.text())
    made = fit_text(made, conversion)
    if is_over:
        values.sh.status = 0
        raise OutputStopped(made)
    return made


def write_quoted(values: PrintfArguments, conversion: Conversion) -> str:
    """%q: the precision cuts what is quoted."""
    return fit_text(backslash_escaped(values.text()), conversion)


def write_cut_quoted(values: PrintfArguments, conversion: Conversion) -> str:
    """%Q: the precision cuts before it is quoted."""
    value = values.text()
    if conversion.precision is not None:
        value = fit_text(value, Conversion("", 0, conversion.precision, "s"))
    return fit_text(
        backslash_escaped(value), Conversion(conversion.flags, conversion.width, None, "s")
    )


def store_count(values: PrintfArguments, conversion: Conversion) -> str:
    """%n: a variable gets the number of bytes that are printed."""
    from keysh.interp.state.state_of_call import state_of  # noqa: PLC0415 - only for %n

    name = values.text()
    if name:
        if not (name.isidentifier() and name.isascii()):
            values.sh.warn(f"`{name}': not a valid identifier")
            raise OutputStopped
        state_of(values.sh).assign(name, str(len(bytes_of_text("".join(values.pieces)))))
    return ""


def time_writer(
    form: str, letter: str, found: re.Match[str]
) -> Callable[[PrintfArguments, Conversion], str]:
    """`%(FORMAT)T`: seconds since 1970; -1, or nothing, is now."""
    if letter != "T":

        def refuse(values: PrintfArguments, conversion: Conversion) -> str:
            values.warn(f"`{letter}': invalid time format specification")
            return found[0]

        return refuse

    def write(values: PrintfArguments, conversion: Conversion) -> str:
        # Only here is the calendar needed.
        from keysh.text.dates.moment import Moment  # noqa: PLC0415
        from keysh.text.dates.strftime import format_moment_as_c as as_time  # noqa: PLC0415
        from keysh.text.dates.time_zone import find_zone  # noqa: PLC0415

        seconds = values.integer() if values.remaining else -1
        at = values.sh.now() if seconds in (-1, -2) else seconds * 10**9
        zone = find_zone(values.sh.env.get("TZ"))
        return fit_text(as_time(form or "%X", Moment(at, zone)), conversion)

    return write


WRITERS: dict[str, Callable[[PrintfArguments, Conversion], str]] = {
    **dict.fromkeys("di", write_signed), **dict.fromkeys("ouxX", write_unsigned),
    **dict.fromkeys("eEfFgGaA", write_fraction), "s": write_text, "c": write_character, "b": write_escaped,
    "q": write_quoted, "Q": write_cut_quoted, "n": store_count,
}  # fmt: skip
