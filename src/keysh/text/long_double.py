"""Long doubles: numbers of 64 significant bits, which is what bash's printf counts in.

A number is `mantissa * 2 ** power`, and everything about it is whole-number arithmetic.
"""

from __future__ import annotations

import re

MANTISSA_BITS = 64
MAX_POWER, MIN_POWER = 16384 - MANTISSA_BITS, -16445
# A sign, then digits with a power of ten, or hexadecimal ones with a power of two.
DECIMAL_NUMBER = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?")
HEXADECIMAL_NUMBER = re.compile(r"0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([-+]?[0-9]+))?")
NAMED_NUMBER = re.compile(r"(inf)(?:inity)?|(nan)(?:\([0-9A-Za-z_]*\))?", re.IGNORECASE)
MAX_POWER_DIGITS = 8  # digits of a power that are read; more say no more


class LongDouble:
    """A number, or the name of what is none: "inf", "nan"."""

    __slots__ = ("is_negative", "mantissa", "name", "power")

    def __init__(self, is_negative: bool, mantissa: int, power: int, name: str = "") -> None:
        self.is_negative, self.mantissa, self.power, self.name = is_negative, mantissa, power, name

    def format_digits(self, letter: str, precision: int | None, *, alternative: bool) -> str:
        """The number without its sign, as the conversion of a letter has it."""
        kind = letter.lower()
        if self.name:
            made = self.name
        elif kind == "a":
            made = self.format_hexadecimal(precision, alternative=alternative)
        elif kind == "f":
            made = self.format_fixed(6 if precision is None else precision, alternative=alternative)
        elif kind == "e":
            made = self.format_scientific(
                6 if precision is None else precision, alternative=alternative
            )
        else:
            made = self.format_general(
                6 if precision is None else precision or 1, alternative=alternative
            )
        return made.upper() if letter.isupper() else made

    def scaled_integer(self, places: int) -> int:
        """The number times a power of ten, rounded to a whole one, half to even."""
        above, below = self.mantissa, 1
        if places >= 0:
            above *= 10**places
        else:
            below *= 10**-places
        if self.power >= 0:
            above <<= self.power
        else:
            below <<= -self.power
        return rounded_quotient(above, below)

    def format_fixed(self, places: int, *, alternative: bool) -> str:
        digits = integer_text(self.scaled_integer(places)).rjust(places + 1, "0")
        point = "." if places or alternative else ""
        return digits[: len(digits) - places] + point + digits[len(digits) - places :]

    def format_scientific(self, places: int, *, alternative: bool) -> str:
        digits, exponent = self.significant_digits(places + 1)
        point = "." if places or alternative else ""
        return f"{digits[0]}{point}{digits[1:]}e{exponent:+03d}"

    def significant_digits(self, count: int) -> tuple[str, int]:
        """So many digits, and the power of ten of the first."""
        if not self.mantissa:
            return "0" * count, 0
        # 0.30103 is the logarithm of 2: the guess is the power, or one too small.
        exponent = int((self.mantissa.bit_length() + self.power - 1) * 0.30102999566398) - 1
        while True:
            digits = integer_text(self.scaled_integer(count - 1 - exponent))
            if len(digits) <= count:
                return digits.ljust(count, "0"), exponent
            exponent += 1

    def format_general(self, count: int, *, alternative: bool) -> str:
        exponent = self.significant_digits(count)[1]
        if -4 <= exponent < count:
            made, power = self.format_fixed(count - 1 - exponent, alternative=alternative), ""
        else:
            made = self.format_scientific(count - 1, alternative=alternative)
            made, _, power = made.partition("e")
            power = f"e{power}"
        if "." in made and not alternative:
            made = made.rstrip("0").rstrip(".")
        return made + power

    def format_hexadecimal(self, precision: int | None, *, alternative: bool) -> str:
        """`c.8p-3`: the first digit holds four bits."""
        mantissa, power = self.mantissa, self.power
        if not mantissa:
            zeros = "0" * (precision or 0)
            return f"0{'.' if zeros or alternative else ''}{zeros}p+0"
        # The smallest numbers have a power of their own, and zeros in front.
        shift = min(MANTISSA_BITS - mantissa.bit_length(), power - MIN_POWER)
        mantissa, power = mantissa << shift, power - shift
        if precision is not None and precision < 15:
            places = 4 * (15 - precision)
            mantissa = rounded_quotient(mantissa, 1 << places) << places
            if mantissa >> MANTISSA_BITS:
                mantissa, power = mantissa >> 4, power + 4
        digits = f"{mantissa:016x}"
        rest = digits[1:].rstrip("0") if precision is None else digits[1:].ljust(precision, "0")
        rest = rest if precision is None else rest[:precision]
        return f"{digits[0]}{'.' if rest or alternative else ''}{rest}p{power + 60:+d}"


def rounded_quotient(above: int, below: int) -> int:
    """A quotient, rounded to a whole number, half to even."""
    quotient, rest = divmod(above, below)
    is_up = 2 * rest > below or (2 * rest == below and quotient % 2 == 1)
    return quotient + is_up


def integer_text(number: int) -> str:
    """The digits of a number of any length: Python's own `str` stops at 4,300."""
    if number.bit_length() < 14000:
        return str(number)
    half = number.bit_length() * 3 // 20  # about half the digits
    high, low = divmod(number, 10**half)
    return integer_text(high) + integer_text(low).rjust(half, "0")


def parse_long_double(text: str) -> tuple[LongDouble, int, bool]:
    """The number that a text begins with, how long that is, and whether it fits.

    A length of 0 means that there is no number.
    """
    at = len(text) - len(text.lstrip(" \t\n\v\f\r"))
    is_negative = text[at : at + 1] == "-"
    at += text[at : at + 1] in ("-", "+") and at < len(text)
    named = NAMED_NUMBER.match(text, at)
    if named is not None:
        return LongDouble(is_negative, 0, 0, "inf" if named[1] else "nan"), named.end(), True
    found = HEXADECIMAL_NUMBER.match(text, at)
    if found is not None and (found[1] or found[2]):
        digits, fraction = found[1], found[2] or ""
        power = parse_power(found[3]) - 4 * len(fraction)
        made, fits = nearest_long_double(is_negative, int(digits + fraction, 16), 1, power)
        return made, found.end(), fits
    found = DECIMAL_NUMBER.match(text, at)
    if found is None or not (found[1] or found[2]):
        return LongDouble(False, 0, 0), 0, True
    digits, fraction = found[1], found[2] or ""
    value = integer_of_digits((digits + fraction)[:5000] or "0")
    power = parse_power(found[3]) - len(fraction) + max(len(digits + fraction) - 5000, 0)
    if not value:
        return LongDouble(is_negative, 0, 0), found.end(), True
    power = max(min(power, 6000), -12000)
    if power >= 0:
        made, fits = nearest_long_double(is_negative, value * 10**power, 1, 0)
    else:
        made, fits = nearest_long_double(is_negative, value, 10**-power, 0)
    return made, found.end(), fits


def parse_power(text: str | None) -> int:
    if not text:
        return 0
    digits = text.lstrip("+-").lstrip("0")[:MAX_POWER_DIGITS] or "0"
    return -int(digits) if text[0] == "-" else int(digits)


def integer_of_digits(digits: str) -> int:
    """A whole number of up to 5,000 digits."""
    high, low = digits[:4000], digits[4000:]
    shift: int = 10 ** len(low)
    return int(high) * shift + int(low or "0")


def nearest_long_double(
    is_negative: bool, above: int, below: int, power: int
) -> tuple[LongDouble, bool]:
    """The long double nearest to `above / below * 2 ** power`, and whether it is in range."""
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
