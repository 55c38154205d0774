"""Parse and format scaled numbers such as `1.5K`, rounded like C's long doubles."""

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
MAX_DIGITS = 27  # on each side of the decimal point


class InvalidNumber(Exception):
    """The text is not a number of the requested scale; the message says why."""


def to_long_double(value: Fraction) -> Fraction:
    """Round a value to the nearest long double."""
    numerator, denominator = value.numerator, value.denominator
    if numerator.bit_length() <= MANTISSA_BITS and not denominator & (denominator - 1):
        return value  # it is exact
    rounded = nearest_long_double(False, abs(numerator), denominator, 0)[0]
    mantissa = -rounded.mantissa if numerator < 0 else rounded.mantissa
    return Fraction(mantissa << max(rounded.power, 0), 1 << max(-rounded.power, 0))


def parse_scaled(text: str, scale: str) -> tuple[Fraction, int]:
    """Return the value of a number and the number of its decimals."""
    match = DECIMAL_NUMBER.match(text)
    assert match is not None  # it may be empty
    sign, whole, point, fraction = match.groups()
    if not (whole or fraction) or (point and not fraction):
        raise InvalidNumber(f"invalid number: {locale_quoted_text(text)}")
    whole = whole.lstrip("0")
    if len(whole) > MAX_DIGITS or len(fraction or "") > MAX_DIGITS:
        raise InvalidNumber(f"value too large to be converted: {locale_quoted_text(text)}")
    value = to_long_double(Fraction(int(whole or 0)))
    precision = len(fraction or "")
    if fraction:
        value = to_long_double(value + to_long_double(Fraction(int(fraction), 10**precision)))
    rest = text[match.end() :]
    if scale == "iec-i" and not rest:
        raise InvalidNumber(
            f"missing 'i' suffix in input: {locale_quoted_text(text)} (e.g Ki/Mi/Gi)"
        )
    if rest:
        rest = rest.lstrip(" \t")
        if rest[:1] not in SUFFIXES:  # "" after blanks counts as a suffix of power 0
            raise InvalidNumber(f"invalid suffix in input: {locale_quoted_text(text)}")
        if scale == "none":
            message = (
                f"rejecting suffix in input: {locale_quoted_text(text)} (consider using --from)"
            )
            raise InvalidNumber(message)
        power = SUFFIXES.index(rest[0]) + 1 if rest else 0
        base, rest, precision = SCALE_BASES[scale], rest[1:], 0
        if scale == "auto" and rest[:1] == "i":
            base, rest = 1024, rest[1:]
        elif scale == "iec-i":
            if rest[:1] != "i":
                message = f"missing 'i' suffix in input: {locale_quoted_text(text)} (e.g Ki/Mi/Gi)"
                raise InvalidNumber(message)
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
    value: Fraction, precision: int, scale: str, rounding: str, precision_option: int | None
) -> str:
    """Format a value; `precision_option` is the precision of --format."""
    round_value = ROUNDINGS[rounding]
    if scale == "none":
        digits = precision if precision_option is None else precision_option
        return format_fixed(round_to_digits(value, digits, round_value), digits)
    base, power = SCALE_BASES[scale], 0
    while abs(value) >= base:
        value = to_long_double(value / base)
        power += 1
    digits = (
        min(power * 3, precision_option)
        if precision_option is not None
        else 1
        if abs(value) < 10
        else 0
    )
    value = round_to_digits(value, digits, round_value)
    if abs(value) >= base:
        value = to_long_double(value / base)
        power += 1
    if precision_option is None:
        precision_option = 1 if value and abs(value) < 10 and power else 0
    suffix = SUFFIXES[power - 1] if 0 < power <= len(SUFFIXES) else ""
    return (
        format_fixed(value, precision_option) + suffix + ("i" if scale == "iec-i" and power else "")
    )


def round_to_digits(
    value: Fraction, digits: int, round_value: Callable[[Fraction], int]
) -> Fraction:
    """Round a value to `digits` decimals."""
    return to_long_double(Fraction(round_value(to_long_double(value * 10**digits))) / 10**digits)


def format_fixed(value: Fraction, digits: int) -> str:
    """Format a value with `digits` decimals, rounding half to even."""
    number = round(abs(value) * 10**digits)
    text = str(number).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else sign + text
