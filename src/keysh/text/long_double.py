"""Long doubles: numbers with 64 significant bits, as bash's printf uses on x86.

A number is `mantissa * 2 ** power`; all arithmetic is on integers.
"""

from __future__ import annotations

import math
import re

MANTISSA_BITS = 64
MAX_POWER, MIN_POWER = 16384 - MANTISSA_BITS, -16445
# Digits with a power of ten, or hexadecimal digits with a power of two.
DECIMAL_NUMBER = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?")
HEXADECIMAL_NUMBER = re.compile(r"0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([-+]?[0-9]+))?")
NAMED_NUMBER = re.compile(r"(inf)(?:inity)?|(nan)(?:\([0-9A-Za-z_]*\))?", re.IGNORECASE)
MAX_POWER_DIGITS = 8  # more make no difference


class LongDouble:
    """A number, or by its name "inf" or "nan"."""

    __slots__ = ("is_negative", "mantissa", "name", "power")

    def __init__(self, is_negative: bool, mantissa: int, power: int, name: str = "") -> None:
        self.is_negative, self.mantissa, self.power, self.name = is_negative, mantissa, power, name

    def format_digits(self, letter: str, precision: int | None, *, alternative: bool) -> str:
        """Format the number without its sign, by a letter of `eEfFgG`."""
        kind = letter.lower()
        if self.name:
            text = self.name
        elif kind == "f":
            text = self.format_fixed(6 if precision is None else precision, alternative=alternative)
        elif kind == "e":
            text = self.format_scientific(
                6 if precision is None else precision, alternative=alternative
            )
        else:
            text = self.format_general(
                6 if precision is None else precision or 1, alternative=alternative
            )
        return text.upper() if letter.isupper() else text

    def scaled_integer(self, places: int) -> int:
        """Return the number times a power of ten, rounded half to even."""
        numerator, denominator = self.mantissa, 1
        if places >= 0:
            numerator *= 10**places
        else:
            denominator *= 10**-places
        if self.power >= 0:
            numerator <<= self.power
        else:
            denominator <<= -self.power
        return rounded_quotient(numerator, denominator)

    def format_fixed(self, places: int, *, alternative: bool) -> str:
        digits = integer_text(self.scaled_integer(places)).rjust(places + 1, "0")
        point = "." if places or alternative else ""
        return digits[: len(digits) - places] + point + digits[len(digits) - places :]

    def format_scientific(self, places: int, *, alternative: bool) -> str:
        digits, exponent = self.significant_digits(places + 1)
        point = "." if places or alternative else ""
        return f"{digits[0]}{point}{digits[1:]}e{exponent:+03d}"

    def significant_digits(self, count: int) -> tuple[str, int]:
        """Return `count` digits, and the power of ten of the first."""
        if not self.mantissa:
            return "0" * count, 0
        # 0.30103 is log10(2): the estimate is the exponent, or one too small.
        exponent = int((self.mantissa.bit_length() + self.power - 1) * 0.30102999566398) - 1
        while True:
            digits = integer_text(self.scaled_integer(count - 1 - exponent))
            if len(digits) <= count:
                return digits.ljust(count, "0"), exponent
            exponent += 1

    def format_general(self, count: int, *, alternative: bool) -> str:
        exponent = self.significant_digits(count)[1]
        if -4 <= exponent < count:
            text, power = self.format_fixed(count - 1 - exponent, alternative=alternative), ""
        else:
            text = self.format_scientific(count - 1, alternative=alternative)
            text, _, power = text.partition("e")
            power = f"e{power}"
        if "." in text and not alternative:
            text = text.rstrip("0").rstrip(".")
        return text + power

    def to_float(self) -> float:
        """Return the nearest double."""
        if self.name:
            value = float(self.name)
        else:
            try:
                if self.power > 0:
                    value = float(self.mantissa << self.power)
                else:
                    value = self.mantissa / (1 << -self.power)
            except OverflowError:
                value = math.inf
        return -value if self.is_negative else value


def rounded_quotient(numerator: int, denominator: int) -> int:
    """Return a quotient rounded to an integer, half to even."""
    quotient, remainder = divmod(numerator, denominator)
    rounds_up = 2 * remainder > denominator or (2 * remainder == denominator and quotient % 2 == 1)
    return quotient + rounds_up


def integer_text(number: int) -> str:
    """Return the digits of an integer of any size; Python's `str` stops at 4,300."""
    if number.bit_length() < 14000:
        return str(number)
    half = number.bit_length() * 3 // 20  # about half the digits
    high, low = divmod(number, 10**half)
    return integer_text(high) + integer_text(low).rjust(half, "0")


def parse_long_double(text: str) -> tuple[LongDouble, int, bool]:
    """Parse the number at the start of a string; return it, its length, and whether it fits.

    A length of 0 means that there is no number.
    """
    position = len(text) - len(text.lstrip(" \t\n\v\f\r"))
    is_negative = text[position : position + 1] == "-"
    position += text[position : position + 1] in ("-", "+") and position < len(text)
    named = NAMED_NUMBER.match(text, position)
    if named is not None:
        return LongDouble(is_negative, 0, 0, "inf" if named[1] else "nan"), named.end(), True
    match = HEXADECIMAL_NUMBER.match(text, position)
    if match is not None and (match[1] or match[2]):
        digits, fraction = match[1], match[2] or ""
        power = parse_power(match[3]) - 4 * len(fraction)
        number, fits = nearest_long_double(is_negative, int(digits + fraction, 16), 1, power)
        return number, match.end(), fits
    match = DECIMAL_NUMBER.match(text, position)
    if match is None or not (match[1] or match[2]):
        return LongDouble(False, 0, 0), 0, True
    digits, fraction = match[1], match[2] or ""
    value = integer_of_digits((digits + fraction)[:5000] or "0")
    power = parse_power(match[3]) - len(fraction) + max(len(digits + fraction) - 5000, 0)
    if not value:
        return LongDouble(is_negative, 0, 0), match.end(), True
    power = max(min(power, 6000), -12000)
    if power >= 0:
        number, fits = nearest_long_double(is_negative, value * 10**power, 1, 0)
    else:
        number, fits = nearest_long_double(is_negative, value, 10**-power, 0)
    return number, match.end(), fits


def parse_power(text: str | None) -> int:
    if not text:
        return 0
    digits = text.lstrip("+-").lstrip("0")[:MAX_POWER_DIGITS] or "0"
    return -int(digits) if text[0] == "-" else int(digits)


def integer_of_digits(digits: str) -> int:
    """Return an integer of up to 5,000 digits."""
    high, low = digits[:4000], digits[4000:]
    shift: int = 10 ** len(low)
    return int(high) * shift + int(low or "0")


def nearest_long_double(
    is_negative: bool, above: int, below: int, power: int
) -> tuple[LongDouble, bool]:
    """Return the long double nearest to `above / below * 2 ** power`, and whether it fits."""
    if not above:
        return LongDouble(is_negative, 0, 0), True
    shift = MANTISSA_BITS - (above.bit_length() - below.bit_length())
    shift = min(shift, power - MIN_POWER)
    mantissa = rounded_quotient(above << max(shift, 0), below << max(-shift, 0))
    if mantissa.bit_length() > MANTISSA_BITS:
        shift -= mantissa.bit_length() - MANTISSA_BITS
        mantissa = rounded_quotient(above << max(shift, 0), below << max(-shift, 0))
    power -= shift
    if mantissa.bit_length() + power > MAX_POWER + MANTISSA_BITS:
        return LongDouble(is_negative, 0, 0, "inf"), False
    return LongDouble(is_negative, mantissa, power), mantissa.bit_length() == MANTISSA_BITS
