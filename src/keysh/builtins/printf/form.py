"""Compile printf formats into literal texts and functions that write the directives."""

from __future__ import annotations

import re

from keysh.text.cache import TextCache
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.escapes import SINGLE_ESCAPES, byte_character, code_point_text
from keysh.text.printf import Conversion, FieldTooWide, format_conversion, parse_size
from keysh.text.printf_template import QUOTE_ESCAPES, printf_template
from keysh.text.shell_quoting import backslash_escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.builtins.printf.values import PrintfArguments
    from keysh.text.printf_template import PrintfTemplate

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
# In %b an octal number may have a leading zero.
ARGUMENT_ESCAPE = re.compile(
    ESCAPE.pattern.replace("[0-7]{1,3}", "0[0-7]{0,3}|[1-7][0-7]{0,2}"), re.DOTALL
)
FORMATS = TextCache(300)
MISSING_DIGITS = {"x": "missing hex digit for \\x", "u": "missing unicode digit for \\u",
           "U": "missing unicode digit for \\U"}  # fmt: skip


class OutputStopped(Exception):
    """Printing ends; `text` is the last output."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class PrintfFormat:
    """A compiled format: its steps, its template if it has one, and whether it contains `%n`."""

    __slots__ = ("steps", "stores_count", "template")

    def __init__(
        self, steps: list[str | Step], template: PrintfTemplate | None, stores_count: bool
    ) -> None:
        self.steps, self.template, self.stores_count = steps, template, stores_count


def parse_format(text: str) -> PrintfFormat:
    """Return a format compiled."""
    known: PrintfFormat | None = FORMATS.get(text)
    if known is None:
        known = compile_format(text)
        FORMATS.store(text, known)
    return known


def compile_format(text: str) -> PrintfFormat:
    """Compile a format."""
    steps: list[str | Step] = []
    position, stores_count = 0, False
    while True:
        start = text.find("%", position)
        steps += parse_literal(text[position : start if start >= 0 else len(text)])
        if start < 0 or (match := DIRECTIVE.match(text, start)) is None:
            break
        position = match.end()
        if match[1]:
            steps.append("%")
            continue
        stores_count |= match[9] == "n"
        steps.append(compile_directive(match))
    return PrintfFormat(steps, printf_template(text), stores_count)


def parse_literal(text: str) -> list[str | Step]:
    """Compile text between directives; broken escapes become steps that warn."""
    if "\\" not in text:
        return [text] if text else []
    steps: list[str | Step] = []
    position = 0
    for match in ESCAPE.finditer(text):
        steps.append(text[position : match.start()])
        position = match.end()
        if match["char"] in MISSING_DIGITS:
            steps.append(warning_step(match[0], MISSING_DIGITS[match["char"]]))
        else:
            steps.append(escape_value(match, QUOTE_ESCAPES))
    steps.append(text[position:])
    if all(isinstance(step, str) for step in steps):
        return ["".join(step for step in steps if isinstance(step, str))]
    return steps


def warning_step(text: str, message: str) -> Step:
    """Return a step that prints `text` and warns."""

    def step(values: PrintfArguments) -> str:
        values.note(message)
        return text

    return step


def escape_value(match: re.Match[str], quotes: dict[str, str]) -> str:
    """Return what an escape stands for."""
    if match["octal"]:
        return byte_character(int(match["octal"], 8) & 0xFF)
    if match["hex"]:
        return byte_character(int(match["hex"], 16))
    code = match["short"] or match["long"]
    if code:
        return code_point_text(int(code, 16))
    char = match["char"]
    return SINGLE_ESCAPES.get(char) or quotes.get(char) or match[0]


def unescape_argument(values: PrintfArguments, text: str) -> tuple[str, bool]:
    r"""Expand escapes in an argument of %b; return it and whether `\c` ended all output."""
    if "\\" not in text:
        return text, False
    pieces: list[str] = []
    position = 0
    for match in ARGUMENT_ESCAPE.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        char = match["char"]
        if char == "c":
            return "".join(pieces), True
        if char in MISSING_DIGITS:
            values.note(MISSING_DIGITS[char])
        pieces.append(escape_value(match, {}))
    pieces.append(text[position:])
    return "".join(pieces), False


# ---------------------------------------------------------------- directives


def compile_directive(match: re.Match[str]) -> Step:
    """Return the step for a directive."""
    flags, width, dot, precision, letter = match[2], match[3], match[4], match[5], match[9]
    write = find_writer(match)

    def step(values: PrintfArguments) -> str:
        column_count = values.integer() if width == "*" else parse_size(width)
        digits = None
        if dot:
            digits = values.integer() if precision == "*" else parse_size(precision.rstrip("-"))
            digits = None if digits < 0 else digits
        all_flags = flags
        if column_count < 0:
            column_count, all_flags = -column_count, all_flags + "-"
        try:
            return write(values, Conversion(all_flags, column_count, digits, letter or "s"))
        except FieldTooWide as error:
            values.fail(str(error))
            raise OutputStopped from None

    if width or dot or flags or letter not in ("s", "d"):
        return step
    conversion = Conversion("", 0, None, letter)
    return lambda values: write(values, conversion)


def find_writer(match: re.Match[str]) -> Callable[[PrintfArguments, Conversion], str]:
    """Return the function that writes the value of a directive."""
    time_form, time_letter, letter = match[7], match[8], match[9]
    if time_form is not None:
        return time_writer(time_form, time_letter, match)
    writer = WRITERS.get(letter)
    if writer is not None:
        return writer
    message = f"`{letter}': invalid format character"
    if not letter:
        message = f"`{match[0]}': missing format character"

    def refuse(values: PrintfArguments, conversion: Conversion) -> str:
        values.fail(message)
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
    """Apply precision and width, which count bytes, to a string."""
    if not conversion.width and conversion.precision is None:
        return text
    if text.isascii():
        return format_conversion(conversion, text)
    fitted = format_conversion(conversion, bytes_of_text(text).decode("latin-1"))
    return text_of_bytes(fitted.encode("latin-1"))


def write_character(values: PrintfArguments, conversion: Conversion) -> str:
    """Write the first byte for %c; NUL for an empty argument."""
    first = bytes_of_text(values.text())[:1] or b"\0"
    return fit_text(
        text_of_bytes(first),
        Conversion(conversion.flags, conversion.width, None, "c"),
    )


def write_escaped(values: PrintfArguments, conversion: Conversion) -> str:
    text, is_over = unescape_argument(values, values.text())
    text = fit_text(text, conversion)
    if is_over:
        values.sh.status = 0
        raise OutputStopped(text)
    return text


def write_quoted(values: PrintfArguments, conversion: Conversion) -> str:
    """Write %q: the precision cuts the quoted text."""
    return fit_text(backslash_escaped(values.text()), conversion)


def write_cut_quoted(values: PrintfArguments, conversion: Conversion) -> str:
    """Write %Q: the precision cuts the text before quoting."""
    value = values.text()
    if conversion.precision is not None:
        value = fit_text(value, Conversion("", 0, conversion.precision, "s"))
    return fit_text(
        backslash_escaped(value), Conversion(conversion.flags, conversion.width, None, "s")
    )


def store_count(values: PrintfArguments, conversion: Conversion) -> str:
    """Store the number of bytes printed so far for %n."""
    from keysh.interp.state.state_of_call import state_of  # noqa: PLC0415 - only for %n

    name = values.text()
    if name:
        if not (name.isidentifier() and name.isascii()):
            values.fail(f"`{name}': not a valid identifier")
            raise OutputStopped
        state_of(values.sh).assign(name, str(values.output_bytes))
    return ""


def time_writer(
    time_format: str, letter: str, match: re.Match[str]
) -> Callable[[PrintfArguments, Conversion], str]:
    """Return the writer of `%(FORMAT)T`; -1 or a missing argument means now."""
    if letter != "T":

        def refuse(values: PrintfArguments, conversion: Conversion) -> str:
            values.warn(f"`{letter}': invalid time format specification")
            return match[0]

        return refuse

    def write(values: PrintfArguments, conversion: Conversion) -> str:
        # Only this directive needs the calendar.
        from keysh.text.dates.moment import Moment  # noqa: PLC0415
        from keysh.text.dates.strftime import format_moment_as_c as as_time  # noqa: PLC0415
        from keysh.text.dates.time_zone import find_zone  # noqa: PLC0415

        seconds = values.integer() if values.remaining else -1
        nanoseconds = values.sh.now() if seconds in (-1, -2) else seconds * 10**9
        zone = find_zone(values.sh.env.get("TZ"))
        return fit_text(as_time(time_format or "%X", Moment(nanoseconds, zone)), conversion)

    return write


WRITERS: dict[str, Callable[[PrintfArguments, Conversion], str]] = {
    **dict.fromkeys("di", write_signed), **dict.fromkeys("ouxX", write_unsigned),
    **dict.fromkeys("eEfFgGaA", write_fraction), "s": write_text,
    "c": write_character, "b": write_escaped, "q": write_quoted, "Q": write_cut_quoted,
    "n": store_count,
}  # fmt: skip
