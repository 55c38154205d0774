"""Scaled numbers: `1.5K` read and shown, with the C library's rounding of long doubles."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor

from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.long_double import MANTISSA_BITS, nearest_long_double

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIXES = "KMGTPEZY"
SCALE_BASES = {"si": 1000, "iec": 1024, "iec-i": 1024, "auto": 1000, "none": 1}
DECIMAL_NUMBER = re.compile(r"(-?)([0-9]*)(?:(\.)([0-9]*))?")
MAX_DIGITS = 27  # on each side of the point


class InvalidNumber(Exception):
    """A text is no number of the kind that is asked for; the message says why."""


def to_long_double(value: Fraction) -> Fraction:
    """The long double that is nearest to a value."""
    above, below = value.numerator, value.denominator
    if above.bit_length() <= MANTISSA_BITS and not below & (below - 1):
        return value  # for it is one
    made = nearest_long_double(False, abs(above), below, 0)[0]
    mantissa = -made.mantissa if above < 0 else made.mantissa
    return Fraction(mantissa << max(made.power, 0), 1 << max(-made.power, 0))


def parse_scaled(text: str, scale: str) -> tuple[Fraction, int]:
    """The value of a number, and how many digits stand behind its point."""
    match = DECIMAL_NUMBER.match(text)
    assert match is not None  # it may be empty
    sign, whole, point, part = match.groups()
    if not (whole or part) or (point and not part):
        raise InvalidNumber(f"invalid number: {locale_quoted_text(text)}")
    whole = whole.lstrip("0")
    if len(whole) > MAX_DIGITS or len(part or "") > MAX_DIGITS:
        raise InvalidNumber(f"value too large to be converted: {locale_quoted_text(text)}")
    value = to_long_double(Fraction(int(whole or 0)))
    precision = len(part or "")
    if part:
        value = to_long_double(value + to_long_double(Fraction(int(part), 10**precision)))
    rest = text[match.end() :]
    if scale == "iec-i" and not rest:
        raise InvalidNumber(
            f"missing 'i' suffix in input: {locale_quoted_text(text)} (e.g Ki/Mi/Gi)"
        )
    if rest:
        rest = rest.lstrip(" \t")
        if rest[:1] not in SUFFIXES:  # nothing behind blanks is one, of no power
            raise InvalidNumber(f"invalid suffix in input: {locale_quoted_text(text)}")
        if scale == "none":
            says = f"rejecting suffix in input: {locale_quoted_text(text)} (consider using --from)"
            raise InvalidNumber(says)
        power = SUFFIXES.index(rest[0]) + 1 if rest else 0
        base, rest, precision = SCALE_BASES[scale], rest[1:], 0
        if scale == "auto" and rest[:1] == "i":
            base, rest = 1024, rest[1:]
        elif scale == "iec-i":
            if rest[:1] != "i":
                says = f"missing 'i' suffix in input: {locale_quoted_text(text)} (e.g Ki/Mi/Gi)"
                raise InvalidNumber(says)
            rest = rest[1:]
        value = to_long_double(value * base**power)
        if rest:
            raise InvalidNumber(
                f"invalid suffix in input {locale_quoted_text(text)}: {locale_quoted_text(rest)}"
            )
    return (-value if sign else value), precision


ROUNDINGS: dict[str, Callable[[Fraction], int]] = {
    "up": ceil,
    "down": floor,
    "from-zero": lambda value: ceil(value) if value > 0 else floor(value),
    "towards-zero": int,
    "nearest": lambda value: floor(value + Fraction(1, 2)) if value > 0 else ceil(
        value - Fraction(1, 2)
    ),
}  # fmt: skip


def format_scaled(
    value: Fraction, precision: int, scale: str, rounding: str, asked: int | None
) -> str:
    """A value as text; `asked` is the precision that a format gives."""
    turn = ROUNDINGS[rounding]
    if scale == "none":
        digits = precision if asked is None else asked
        return format_fixed(round_to_digits(value, digits, turn), digits)
    base, power = SCALE_BASES[scale], 0
    while abs(value) >= base:
        value = to_long_double(value / base)
        power += 1
    digits = min(power * 3, asked) if asked is not None else 1 if abs(value) < 10 else 0
    value = round_to_digits(value, digits, turn)
    if abs(value) >= base:
        value = to_long_double(value / base)
        power += 1
    if asked is None:
        asked = 1 if value and abs(value) < 10 and power else 0
    suffix = SUFFIXES[power - 1] if 0 < power <= len(SUFFIXES) else ""
    return format_fixed(value, asked) + suffix + ("i" if scale == "iec-i" and power else "")


def round_to_digits(value: Fraction, digits: int, turn: Callable[[Fraction], int]) -> Fraction:
    """A value rounded to so many digits behind the point."""
    return to_long_double(Fraction(turn(to_long_double(value * 10**digits))) / 10**digits)


def format_fixed(value: Fraction, digits: int) -> str:
    """A value with so many digits behind the point; a half goes to the even one."""
    number = round(abs(value) * 10**digits)
    text = str(number).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else sign + text
