"""printf and sprintf. A format is compiled once to a function of the values."""

from __future__ import annotations

import math
import re

from keysh.text.cache import TextCache
from keysh.text.printf import MAX_FIELD_CHARACTERS, Conversion, format_conversion, parse_size
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import NumericString, Unset, inf_nan_text, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeAlias

    from keysh.tools.awk.run.values import Value

    TextOf: TypeAlias = Callable[[Value], str]
    Weigh: TypeAlias = Callable[[int], None]  # refuses a text of too many characters

    class FieldWeigher(Protocol):
        """The part of the machine that formats use."""

        def weigh_field(self, size: int) -> None: ...

    Format: TypeAlias = Callable[[TextOf, Sequence[Value], Weigh], str]

# %, argument index, flags, width, precision, a length modifier of C, and the conversion letter.
DIRECTIVE_PATTERN = re.compile(
    r"%(?:([-+ #0'.0-9]*%)|(?:([0-9]+)\$)?([-+ #0']*)(\*(?:[0-9]+\$)?|[0-9]*)"
    r"(?:(\.)(\*(?:[0-9]+\$)?|-?[0-9]*))?[hlLjzt]?([diouxXeEfFgGaAcs]))"
)
REAL_CONVERSIONS = "eEfFgG"
FORMATS = TextCache(300)
MAX_TEMPLATE_FIELD, MAX_TEMPLATE_DIRECTIVES = 1000, 50
DEFAULT_NUMBER_FORMAT = "%.6g"


def number_formatter(format_string: str, weigh: Weigh) -> Callable[[float], str]:
    """Return the function that formats numbers by CONVFMT or OFMT."""
    if format_string == DEFAULT_NUMBER_FORMAT:
        return default_number_text
    directives = [match for match in DIRECTIVE_PATTERN.finditer(format_string) if not match[1]]
    if len(directives) == 1 and format_string == directives[0][0]:
        conversion = fixed_conversion(directives[0])
        if conversion is not None and conversion.letter in "diouxXeEfFgG":
            return lambda number: format_number(conversion, number, weigh)
    return lambda number: (
        format_string if not directives else format_within_text(format_string, number, weigh)
    )


def default_number_text(number: float) -> str:
    """Format a number as every program does that sets neither CONVFMT nor OFMT."""
    return f"{number:.6g}" if math.isfinite(number) else inf_nan_text(number)


def format_within_text(format_string: str, number: float, weigh: Weigh) -> str:
    """Format a number by a form with other text around the directive."""
    match = next(match for match in DIRECTIVE_PATTERN.finditer(format_string) if not match[1])
    conversion = fixed_conversion(match)
    text = format_number(conversion, number, weigh) if conversion is not None else ""
    weigh(len(format_string) + len(text))
    return format_string[: match.start()] + text + format_string[match.end() :]


def fixed_conversion(match: re.Match[str]) -> Conversion | None:
    """Return the conversion of a directive without `*` or `$`; None for others."""
    _, index, flags, width, dot, precision, letter = match.groups()
    if index or width[:1] == "*" or (precision or "")[:1] == "*":
        return None
    exact = None if not dot or precision.startswith("-") else parse_size(precision)
    return Conversion(flags, parse_size(width), exact, letter)


def python_template(format_string: str) -> tuple[str, str] | None:
    """Return the format for Python's `%` and its conversion letters; None if awk's differs."""
    pieces: list[str] = []
    letters: list[str] = []
    position = 0
    for match in DIRECTIVE_PATTERN.finditer(format_string):
        if "%" in format_string[position : match.start()]:
            return None
        pieces.append(format_string[position : match.start()])
        position = match.end()
        if match[1]:
            pieces.append("%%")
            continue
        conversion = fixed_conversion(match)
        letter = match[7]
        if (
            conversion is None
            or letter not in f"dis{REAL_CONVERSIONS}"
            or not conversion.python_format
        ):
            return None
        if max(conversion.width, conversion.precision or 0) > MAX_TEMPLATE_FIELD:
            return None
        pieces.append(conversion.python_format)
        letters.append(letter)
    if "%" in format_string[position:] or len(letters) > MAX_TEMPLATE_DIRECTIVES:
        return None
    return "".join([*pieces, format_string[position:]]), "".join(letters)


def integer_of(value: Value) -> int:
    """Return a value as an integer, for a width or precision; 0 if it is not finite."""
    number = number_of(value)
    return int(number) if math.isfinite(number) else 0


def template_filler(format_string: str, python_format: str, letters: str) -> Callable[..., str]:
    """Return the function that formats with Python's `%`.

    It falls back to awk's own formatting for infinities and NaN, which Python spells differently.
    """
    reals = [i for i, letter in enumerate(letters) if letter in REAL_CONVERSIONS]

    def fill(machine: FieldWeigher, *values: str | float) -> str:
        try:
            for i in reals:
                if not -math.inf < values[i] < math.inf:  # type: ignore[operator]
                    raise ValueError
            return python_format % values
        except (OverflowError, ValueError):
            return compile_format(format_string)(str, values, machine.weigh_field)

    return fill


def compile_format(format_string: str) -> Format:
    """Return the function of the values that a format is compiled to."""
    known: Format | None = FORMATS.get(format_string)
    if known is None:
        known = make_format(format_string)
        FORMATS.store(format_string, known)
    return known


def make_format(format_string: str) -> Format:
    """Compile a format to a function of the values."""
    pieces: list[str | re.Match[str]] = []
    position = 0
    for match in DIRECTIVE_PATTERN.finditer(format_string):
        pieces += [format_string[position : match.start()], "%" if match[1] else match]
        position = match.end()
    pieces.append(format_string[position:])
    indexes = {
        index for piece in pieces if isinstance(piece, re.Match) for index in argument_places(piece)
    }

    def apply(text_of: TextOf, values: Sequence[Value], weigh: Weigh) -> str:
        count = column = size = 0
        if len(indexes) > 1 and "" in indexes:
            raise AwkFatal("must use `count$' on all formats or none")

        def take(index: str) -> Value:
            nonlocal count
            if index:
                return value_at(values, index)
            count += 1
            if count > len(values):
                message = f"not enough arguments to satisfy format string\n\t`{format_string}'\n\t"
                raise AwkFatal(f"{message}{' ' * (column + 1)}^ ran out for this one")
            return values[count - 1]

        texts: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                texts.append(piece)
            else:
                column = piece.start()
                texts.append(format_directive(text_of, piece, take, weigh))
            size += len(texts[-1])
            weigh(size)
        return "".join(texts)

    return apply


def argument_places(match: re.Match[str]) -> list[str]:
    """Return the arguments that a directive takes: `2` for `2$`, empty for the next one."""
    _, index, _, width, dot, precision, _ = match.groups()
    stars = [size for size in (width, precision if dot else "") if size[:1] == "*"]
    return [index or "", *[star[1:-1] for star in stars]]


def value_at(values: Sequence[Value], index: str) -> Value:
    """Return the value for `2$`."""
    number = int(index[:9])
    if not number:
        raise AwkFatal("argument index with `$' must be > 0")
    if number > len(values):
        raise AwkFatal(f"argument index {number} greater than total number of supplied arguments")
    return values[number - 1]


def format_directive(
    text_of: TextOf, match: re.Match[str], take: Callable[[str], Value], weigh: Weigh
) -> str:
    """Format one directive, taking its values."""
    _, index, flags, width, dot, precision, letter = match.groups()

    def size(text: str) -> int:
        return integer_of(take(text[1:-1])) if text[:1] == "*" else parse_size(text)

    columns = size(width)
    exact = None
    if dot:
        exact = size(precision)
        exact = None if exact < 0 else exact
    if columns < 0:
        columns, flags = -columns, flags + "-"
    value = take(index or "")
    conversion = Conversion(flags, columns, exact, letter)
    if letter in "sc":
        weigh_field(conversion, weigh)
    if letter == "s":
        return format_conversion(conversion, text_of(value))
    if letter == "c":
        return format_conversion(conversion, character_text(text_of, value))
    return format_number(conversion, number_of(value), weigh)


def weigh_field(conversion: Conversion, weigh: Weigh) -> None:
    """Stop the run if a field is too wide; one that awk itself refuses has an error of its own."""
    size = max(conversion.width, conversion.precision or 0)
    if size <= MAX_FIELD_CHARACTERS:
        weigh(size)


def character_text(text_of: TextOf, value: Value) -> str:
    """Format %c: the character with a number's code, or the first one of a string."""
    if value.__class__ in (float, NumericString, Unset):
        number = number_of(value)
        code = int(number) if math.isfinite(number) else 0
        if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000:
            return chr(code)
        code &= 0xFF
        return chr(code) if code < 0x80 else chr(0xDC00 + code)
    return text_of(value)[:1] or "\0"


def format_number(conversion: Conversion, number: float, weigh: Weigh) -> str:
    """Format a number. Integers of any size are written in full."""
    weigh_field(conversion, weigh)
    letter = conversion.letter
    if not math.isfinite(number):  # the width is ignored
        return inf_nan_text(number).upper() if letter in "EFGA" else inf_nan_text(number)
    if letter not in "diouxX":
        return format_conversion(conversion, number)
    value = int(number)
    if letter in "ouxX" and not 0 <= value < 1 << 64:
        if not -(1 << 63) <= value < 0:
            return format_conversion(
                Conversion(conversion.flags, conversion.width, None, "g"), number
            )
        value += 1 << 64
    return format_conversion(conversion, value)
