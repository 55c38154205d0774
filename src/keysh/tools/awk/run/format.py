"""printf and sprintf: a format is compiled once, to a function of the values."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from keysh.text.printf import Conversion, format_conversion, parse_size
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import NumericString, Unset, inf_nan_text, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.tools.awk.run.values import Value

    TextOf: TypeAlias = Callable[[Value], str]
    Format: TypeAlias = Callable[[TextOf, Sequence[Value]], str]

# %, a value's place, flags, width, precision, one of the lengths that C knows, and the letter.
DIRECTIVE_PATTERN = re.compile(
    r"%(?:([-+ #0'.0-9]*%)|(?:([0-9]+)\$)?([-+ #0']*)(\*(?:[0-9]+\$)?|[0-9]*)"
    r"(?:(\.)(\*(?:[0-9]+\$)?|-?[0-9]*))?[hlLjzt]?([diouxXeEfFgGaAcs]))"
)
REAL_CONVERSIONS = "eEfFgG"


def number_formatter(form: str) -> Callable[[float], str]:
    """CONVFMT or OFMT, as a function."""
    directives = [found for found in DIRECTIVE_PATTERN.finditer(form) if not found[1]]
    if len(directives) == 1 and form == directives[0][0]:
        conversion = fixed_conversion(directives[0])
        if conversion is not None and conversion.letter in "diouxXeEfFgG":
            return lambda number: format_number(conversion, number)
    return lambda number: form if not directives else format_within_text(form, number)


def format_within_text(form: str, number: float) -> str:
    """A number by an odd form, such as one with text around."""
    found = next(found for found in DIRECTIVE_PATTERN.finditer(form) if not found[1])
    conversion = fixed_conversion(found)
    made = format_number(conversion, number) if conversion is not None else ""
    return form[: found.start()] + made + form[found.end() :]


def fixed_conversion(found: re.Match[str]) -> Conversion | None:
    """The conversion of a directive that takes neither width nor precision from the values."""
    _, place, flags, width, dot, precision, letter = found.groups()
    if place or width[:1] == "*" or (precision or "")[:1] == "*":
        return None
    exact = None if not dot or precision.startswith("-") else parse_size(precision)
    return Conversion(flags, parse_size(width), exact, letter)


def python_template(form: str) -> tuple[str, str] | None:
    """The format as Python's `%` has it, and the letters of its values; None where it differs."""
    pieces: list[str] = []
    letters: list[str] = []
    at = 0
    for found in DIRECTIVE_PATTERN.finditer(form):
        if "%" in form[at : found.start()]:
            return None
        pieces.append(form[at : found.start()])
        at = found.end()
        if found[1]:
            pieces.append("%%")
            continue
        conversion = fixed_conversion(found)
        letter = found[7]
        if (
            conversion is None
            or letter not in f"dis{REAL_CONVERSIONS}"
            or not conversion.python_format
        ):
            return None
        if max(conversion.width, conversion.precision or 0) > 1000:
            return None
        pieces.append(conversion.python_format)
        letters.append(letter)
    if "%" in form[at:]:
        return None
    return "".join([*pieces, form[at:]]), "".join(letters)


def integer_of(value: Value) -> int:
    """A value as the whole number that a width is; 0 if it is no number at all."""
    number = number_of(value)
    return int(number) if math.isfinite(number) else 0


def template_filler(form: str, python: str, letters: str) -> Callable[..., str]:
    """The function that fills a format, of which Python's reading is known, with texts and
    numbers. To numbers that are none Python gives other names.
    """
    reals = [i for i, letter in enumerate(letters) if letter in REAL_CONVERSIONS]

    def filled(*values: str | float) -> str:
        try:
            for i in reals:
                if not -math.inf < values[i] < math.inf:  # type: ignore[operator]
                    raise ValueError
            return python % values
        except (OverflowError, ValueError):
            return compile_format(form)(str, values)

    return filled


@lru_cache(maxsize=256)
def compile_format(form: str) -> Format:
    """The function that formats values by a format."""
    pieces: list[str | re.Match[str]] = []
    at = 0
    for found in DIRECTIVE_PATTERN.finditer(form):
        pieces += [form[at : found.start()], "%" if found[1] else found]
        at = found.end()
    pieces.append(form[at:])
    places = {
        place for piece in pieces if isinstance(piece, re.Match) for place in argument_places(piece)
    }

    def apply(text_of: TextOf, values: Sequence[Value]) -> str:
        taken = place = 0
        if len(places) > 1 and "" in places:
            raise AwkFatal("must use `count$' on all formats or none")

        def take(index: str) -> Value:
            nonlocal taken
            if index:
                return value_at(values, index)
            taken += 1
            if taken > len(values):
                says = f"not enough arguments to satisfy format string\n\t`{form}'\n\t"
                raise AwkFatal(f"{says}{' ' * (place + 1)}^ ran out for this one")
            return values[taken - 1]

        made: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                made.append(piece)
            else:
                place = piece.start()
                made.append(format_directive(text_of, piece, take))
        return "".join(made)

    return apply


def argument_places(found: re.Match[str]) -> list[str]:
    """Which values a directive takes: `2` behind `2$`, empty for the next one."""
    _, place, _, width, dot, precision, _ = found.groups()
    stars = [one for one in (width, precision if dot else "") if one[:1] == "*"]
    return [place or "", *[star[1:-1] for star in stars]]


def value_at(values: Sequence[Value], index: str) -> Value:
    """The value that `2$` takes."""
    number = int(index[:9])
    if not number:
        raise AwkFatal("argument index with `$' must be > 0")
    if number > len(values):
        raise AwkFatal(f"argument index {number} greater than total number of supplied arguments")
    return values[number - 1]


def format_directive(text_of: TextOf, found: re.Match[str], take: Callable[[str], Value]) -> str:
    """One directive with its values."""
    _, place, flags, width, dot, precision, letter = found.groups()

    def size(text: str) -> int:
        return integer_of(take(text[1:-1])) if text[:1] == "*" else parse_size(text)

    columns = size(width)
    exact = None
    if dot:
        exact = size(precision)
        exact = None if exact < 0 else exact
    if columns < 0:
        columns, flags = -columns, flags + "-"
    value = take(place or "")
    conversion = Conversion(flags, columns, exact, letter)
    if letter == "s":
        return format_conversion(conversion, text_of(value))
    if letter == "c":
        return format_conversion(conversion, character_text(text_of, value))
    return format_number(conversion, number_of(value))


def character_text(text_of: TextOf, value: Value) -> str:
    """%c: a number's character, a text's first."""
    if value.__class__ in (float, NumericString, Unset):
        number = number_of(value)
        code = int(number) if math.isfinite(number) else 0
        if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000:
            return chr(code)
        code &= 0xFF
        return chr(code) if code < 0x80 else chr(0xDC00 + code)
    return text_of(value)[:1] or "\0"


def format_number(conversion: Conversion, number: float) -> str:
    """A number by a conversion. A whole one of any size is written in full."""
    letter = conversion.letter
    if not math.isfinite(number):  # whatever the width
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
