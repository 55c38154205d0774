"""Format numbers and strings as C's printf does, by conversions such as `%-8.3f`.

    format_conversion(Conversion("0", 8, 3, "f"), 3.14159) == "0003.142"

The flag `'`, which groups digits, has no effect in the C locale.
"""

from __future__ import annotations

import math

from keysh.text.long_double import LongDouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Number: TypeAlias = int | float | LongDouble

INTEGER_LETTERS = "diouxX"
MAX_FIELD_CHARACTERS = 1 << 24  # wider fields and longer fractions are refused
WIDTH_DIGITS_LIMIT = 10  # more digits only need to exceed the maximum


class FieldTooWide(ValueError):
    """A width or a precision that is too large."""


def parse_size(digits: str) -> int:
    """Parse a width or a precision; "" is 0. Excess digits are dropped: it is too large anyway."""
    return int(digits.lstrip("0")[:WIDTH_DIGITS_LIMIT] or 0)


class Conversion:
    """What is between `%` and its letter: flags, width, and precision or None."""

    __slots__ = ("flags", "letter", "precision", "width")

    def __init__(self, flags: str, width: int, precision: int | None, letter: str) -> None:
        self.flags, self.width, self.precision, self.letter = flags, width, precision, letter

    @property
    def python_format(self) -> str:
        """The same conversion for Python's `%`; empty if Python has no equal one.

        The value must then be an int for an integer's letter, and finite for a float's.
        """
        flags, letter, precision = self.flags.replace("'", ""), self.letter, self.precision
        if letter in "ouxX":  # unsigned
            flags = flags.replace("+", "").replace(" ", "")
        if letter in "aA" or (letter in INTEGER_LETTERS and precision is not None):
            return ""
        if ("#" in flags and letter in "oxX") or (letter in "sc" and flags.strip("-")):
            return ""
        width = str(self.width) if self.width else ""
        dot = "" if precision is None else f".{precision}"
        return f"%{flags}{width}{dot}{letter.replace('i', 'd').replace('u', 'd')}"


def format_conversion(conversion: Conversion, value: Number | str) -> str:
    """Format a value: an int for `diouxX`, a float for `eEfFgGaA`, or a string.

    A LongDouble is formatted with the digits of C's long double, except by `%a`.
    """
    width, precision, flags = conversion.width, conversion.precision, conversion.flags
    if max(width, precision or 0) > MAX_FIELD_CHARACTERS:
        raise FieldTooWide(f"a field of {max(width, precision or 0)} characters")
    if isinstance(value, str):
        text = value if precision is None or conversion.letter == "c" else value[:precision]
        return text.ljust(width) if "-" in flags else text.rjust(width)
    is_negative, prefix, digits, can_fill = number_parts(conversion, value)
    sign = "-" if is_negative else ""
    if not sign and conversion.letter not in "ouxX":
        sign = "+" if "+" in flags else " " if " " in flags else ""
    text = sign + prefix + digits
    if len(text) >= width:
        return text
    if "-" in flags:
        return text.ljust(width)
    if "0" in flags and can_fill:
        return sign + prefix + digits.rjust(width - len(sign) - len(prefix), "0")
    return text.rjust(width)


def number_parts(conversion: Conversion, value: Number) -> tuple[bool, str, str, bool]:
    """Return whether a number is negative, its prefix, its digits, and whether zeros may pad it."""
    letter, precision = conversion.letter, conversion.precision
    alternative = "#" in conversion.flags
    if isinstance(value, LongDouble):
        if letter not in "aA":
            digits = value.format_digits(letter, precision, alternative=alternative)
            return value.is_negative, "", digits, not value.name
        value = value.to_float()
    if letter in INTEGER_LETTERS:
        prefix, digits = integer_parts(int(value), letter, precision, alternative)
        return value < 0, prefix, digits, precision is None
    is_negative = math.copysign(1.0, value) < 0
    if not math.isfinite(value):
        name = "nan" if math.isnan(value) else "inf"
        return is_negative, "", name.upper() if letter.isupper() else name, False
    if letter in "aA":
        return is_negative, *hexadecimal_parts(abs(value), letter, precision, alternative), True
    exact = 6 if precision is None else precision
    digits = f"%{'#' if alternative else ''}.{exact}{letter}" % abs(value)
    return is_negative, "", digits, True


def integer_parts(
    value: int, letter: str, precision: int | None, alternative: bool
) -> tuple[str, str]:
    """Return the prefix and digits of an integer without its sign."""
    digits = format(abs(value), {"i": "d", "u": "d"}.get(letter, letter))
    if precision is not None:
        digits = digits.rjust(precision, "0")
        if not precision and not value:
            digits = ""
    if not alternative:
        return "", digits
    if letter == "o":
        return "", digits if digits[:1] == "0" else f"0{digits}"
    return (f"0{letter}" if letter in "xX" and value else ""), digits


def hexadecimal_parts(
    value: float, letter: str, precision: int | None, alternative: bool
) -> tuple[str, str]:
    """Return the prefix and digits for `%a`, such as `1.8p+1`: a fraction and a power of two."""
    fraction, power = math.frexp(value)
    if value:
        # Scale from [0.5, 1) to [1, 2); subnormal numbers keep the smallest exponent.
        shift = max(power - 1, -1022)
        bits = int(math.ldexp(fraction, power - shift + 52))
        power = shift
    else:
        bits = power = 0
    if precision is None:
        digits = f"{bits & ((1 << 52) - 1):013x}".rstrip("0")
    else:
        if precision < 13:  # round half to even
            unit = 1 << (4 * (13 - precision))
            quotient, rest = divmod(bits, unit)
            quotient += rest > unit // 2 or (rest == unit // 2 and quotient & 1)
            bits = quotient * unit
        digits = f"{bits & ((1 << 52) - 1):013x}".ljust(precision, "0")[:precision]
    point = "." if digits or alternative else ""
    text = f"{bits >> 52}{point}{digits}p{power:+d}"
    return ("0X", text.upper()) if letter == "A" else ("0x", text)
