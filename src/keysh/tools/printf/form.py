"""Forms: printf's formats, compiled once: what stands between the directives, and for each of
those the function that writes it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from keysh.text.chunks import encoded, text_of_bytes
from keysh.text.escapes import byte, character
from keysh.text.printf import Conversion, TooWide, formatted, written_size
from keysh.text.shell_quoting import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.tools.printf.values import Values

    Step: TypeAlias = Callable[[Values], str]

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
ESCAPE_OF_TEXT = re.compile(
    ESCAPE.pattern.replace("[0-7]{1,3}", "0[0-7]{0,3}|[1-7][0-7]{0,2}"), re.DOTALL
)
SINGLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\\": "\\",
}  # fmt: skip
QUOTES = {'"': '"', "'": "'", "?": "?"}
MISSING = {"x": "missing hex digit for \\x", "u": "missing unicode digit for \\u",
           "U": "missing unicode digit for \\U"}  # fmt: skip


class Stopped(Exception):
    """No more is to be printed; `text` is the last of it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class Form:
    """A format: texts and steps, and how many directives it has.

    `template` is the format as Python's `%` has it, where every directive is a plain `%s`.
    """

    __slots__ = ("count", "steps", "template")

    def __init__(self, steps: list[str | Step], count: int, template: str) -> None:
        self.steps, self.count, self.template = steps, count, template


@lru_cache(maxsize=512)
def form_of(text: str) -> Form:
    """The form of a format."""
    steps: list[str | Step] = []
    templates: list[str] = []
    count = at = plain = 0
    while True:
        start = text.find("%", at)
        piece = literal(text[at : start if start >= 0 else len(text)])
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
        steps.append(directive(found))
    is_plain = plain == count > 0 and len(templates) == len(steps)
    return Form(steps, count, "".join(templates) if is_plain else "")


def literal(text: str) -> list[str | Step]:
    """What stands between directives: texts, and steps that tell of broken escapes."""
    if "\\" not in text:
        return [text] if text else []
    made: list[str | Step] = []
    at = 0
    for found in ESCAPE.finditer(text):
        made.append(text[at : found.start()])
        at = found.end()
        if found["char"] in MISSING:
            made.append(complaint(found[0], MISSING[found["char"]]))
        else:
            made.append(escape(found, QUOTES))
    made.append(text[at:])
    if all(isinstance(one, str) for one in made):
        return ["".join(one for one in made if isinstance(one, str))]
    return made


def complaint(text: str, message: str) -> Step:
    """A step that prints a text and tells what is wrong with it."""

    def step(values: Values) -> str:
        values.sh.err.write(f"{values.sh.name}: {message}\n")
        return text

    return step


def escape(found: re.Match[str], quotes: dict[str, str]) -> str:
    """What an escape stands for."""
    if found["octal"]:
        return byte(int(found["octal"], 8) & 0xFF)
    if found["hex"]:
        return byte(int(found["hex"], 16))
    code = found["short"] or found["long"]
    if code:
        return character(int(code, 16))
    char = found["char"]
    return SINGLE.get(char) or quotes.get(char) or found[0]


def unescaped(values: Values, text: str) -> tuple[str, bool]:
    r"""The text of %b, and whether `\c` has ended all output."""
    if "\\" not in text:
        return text, False
    pieces: list[str] = []
    at = 0
    for found in ESCAPE_OF_TEXT.finditer(text):
        pieces.append(text[at : found.start()])
        at = found.end()
        char = found["char"]
        if char == "c":
            return "".join(pieces), True
        if char in MISSING:
            values.sh.err.write(f"{values.sh.name}: {MISSING[char]}\n")
        pieces.append(escape(found, {}))
    pieces.append(text[at:])
    return "".join(pieces), False


# ---------------------------------------------------------------- directives


def directive(found: re.Match[str]) -> Step:
    """The step of a directive."""
    flags, width, dot, precision, letter = found[2], found[3], found[4], found[5], found[9]
    write = writer_of(found)

    def step(values: Values) -> str:
        columns = values.whole() if width == "*" else written_size(width)
        exact = None
        if dot:
            exact = values.whole() if precision == "*" else written_size(precision.rstrip("-"))
            exact = None if exact < 0 else exact
        signs = flags
        if columns < 0:
            columns, signs = -columns, signs + "-"
        try:
            return write(values, Conversion(signs, columns, exact, letter or "s"))
        except TooWide as error:
            values.sh.warn(str(error))
            raise Stopped from None

    if width or dot or flags or letter not in ("s", "d"):
        return step
    conversion = Conversion("", 0, None, letter)
    return lambda values: write(values, conversion)


def writer_of(found: re.Match[str]) -> Callable[[Values, Conversion], str]:
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

    def refuse(values: Values, conversion: Conversion) -> str:
        values.sh.warn(message)
        raise Stopped

    return refuse


def signed(values: Values, conversion: Conversion) -> str:
    return formatted(conversion, values.whole())


def unsigned(values: Values, conversion: Conversion) -> str:
    return formatted(conversion, values.whole(is_signed=False))


def fraction(values: Values, conversion: Conversion) -> str:
    return formatted(conversion, values.fraction())


def text(values: Values, conversion: Conversion) -> str:
    return fitted(values.text(), conversion)


def fitted(text: str, conversion: Conversion) -> str:
    """A text cut and filled to a width; bash counts bytes."""
    if not conversion.width and conversion.precision is None:
        return text
    if text.isascii():
        return formatted(conversion, text)
    made = formatted(conversion, encoded(text).decode("latin-1"))
    return text_of_bytes(made.encode("latin-1"))


def char(values: Values, conversion: Conversion) -> str:
    """%c: the first byte, which of an empty text is NUL."""
    first = encoded(values.text())[:1] or b"\0"
    return fitted(
        text_of_bytes(first),
        Conversion(conversion.flags, conversion.width, None, "c"),
    )


def with_escapes(values: Values, conversion: Conversion) -> str:
    made, is_over = unescaped(values, values.text())
    made = fitted(made, conversion)
    if is_over:
        values.sh.status = 0
        raise Stopped(made)
    return made


def for_shell(values: Values, conversion: Conversion) -> str:
    """%q: the precision cuts what is quoted."""
    return fitted(escaped(values.text()), conversion)


def for_shell_cut(values: Values, conversion: Conversion) -> str:
    """%Q: the precision cuts before it is quoted."""
    value = values.text()
    if conversion.precision is not None:
        value = fitted(value, Conversion("", 0, conversion.precision, "s"))
    return fitted(escaped(value), Conversion(conversion.flags, conversion.width, None, "s"))


def count(values: Values, conversion: Conversion) -> str:
    """%n: a variable gets the number of bytes that are printed."""
    from keysh.interp.state.state_of_call import state_of  # noqa: PLC0415 - only for %n

    name = values.text()
    if name:
        if not (name.isidentifier() and name.isascii()):
            values.sh.warn(f"`{name}': not a valid identifier")
            raise Stopped
        state_of(values.sh).assign(name, str(len(encoded("".join(values.pieces)))))
    return ""


def time_writer(
    form: str, letter: str, found: re.Match[str]
) -> Callable[[Values, Conversion], str]:
    """`%(FORMAT)T`: seconds since 1970; -1, or nothing, is now."""
    if letter != "T":

        def refuse(values: Values, conversion: Conversion) -> str:
            values.warn(f"`{letter}': invalid time format specification")
            return found[0]

        return refuse

    def write(values: Values, conversion: Conversion) -> str:
        # Only here is the calendar needed.
        from keysh.text.dates.moment import Moment  # noqa: PLC0415
        from keysh.text.dates.strftime import formatted_by_c as as_time  # noqa: PLC0415
        from keysh.text.dates.time_zone import zone_named  # noqa: PLC0415

        seconds = values.whole() if values.left else -1
        at = values.sh.now() if seconds in (-1, -2) else seconds * 10**9
        zone = zone_named(values.sh.env.get("TZ"))
        return fitted(as_time(form or "%X", Moment(at, zone)), conversion)

    return write


WRITERS: dict[str, Callable[[Values, Conversion], str]] = {
    **dict.fromkeys("di", signed), **dict.fromkeys("ouxX", unsigned),
    **dict.fromkeys("eEfFgGaA", fraction), "s": text, "c": char, "b": with_escapes,
    "q": for_shell, "Q": for_shell_cut, "n": count,
}  # fmt: skip
