"""Read and write bc's numbers in any base. A number is a Decimal with the scale in its exponent."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_DOWN, Context, Decimal
from functools import lru_cache
from math import ceil, log10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ZERO, ONE = Decimal(0), Decimal(1)
# Sums, differences and products are exact; other results are truncated toward zero.
EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=ROUND_DOWN, traps=[], clamp=0)
DIGIT_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_PLAIN_DIGITS = 256  # longer numbers are converted in halves
MAX_CHARACTER_BASE = 16  # the largest base whose digits are written as single characters


@lru_cache(maxsize=256)
def quantum(scale: int) -> Decimal:
    """Return the smallest positive number of a scale."""
    return Decimal((0, (1,), -scale))


def scale_of(value: Decimal) -> int:
    """Return the number of digits after the point."""
    return -EXACT.subtract(value, value).adjusted()


def size_of(value: Decimal) -> int:
    """Return the number of digits before and after the point."""
    return max(value.adjusted() + 1, 0) + scale_of(value)


def cut_to_scale(value: Decimal, scale: int) -> Decimal:
    """Truncate a number to a scale."""
    return EXACT.quantize(value, quantum(scale))


# ---------------------------------------------------------------- reading


def parse_numeral(text: str, base: int) -> Decimal:
    """Return the number that a numeral stands for in a base.

    A digit that is too large for the base counts as its largest digit, unless it is the only one:
    in base 10 the only digit of the numeral, in other bases the only one before the point.
    """
    whole, point, fraction = text.partition(".")
    if base == 10 and not any(digit >= "A" for digit in text):
        return Decimal(text if whole or not point else "0" + text)
    is_alone = len(whole) == 1 and not (fraction and base == 10)
    value = Decimal(DIGIT_CHARACTERS.index(whole)) if is_alone else parse_whole_numeral(whole, base)
    if not fraction:
        return value
    places = len(fraction)
    above = EXACT.scaleb(parse_whole_numeral(fraction, base), places)
    part = EXACT.divide_int(above, power_of(base, places))
    return EXACT.add(value, EXACT.scaleb(part, -places))


def parse_whole_numeral(digits: str, base: int) -> Decimal:
    """Return the integer that digits stand for; digits too large count as the largest."""
    if base < len(DIGIT_CHARACTERS):
        last = DIGIT_CHARACTERS[base - 1]
        digits = "".join([min(digit, last) for digit in digits])
    return integer_of_digits(digits, base, {})


def integer_of_digits(digits: str, base: int, powers: dict[int, Decimal]) -> Decimal:
    """Return the integer that valid digits stand for. `powers` caches powers of the base."""
    if len(digits) <= MAX_PLAIN_DIGITS:
        return Decimal(int(digits, base)) if digits else ZERO
    size = MAX_PLAIN_DIGITS
    while size * 2 < len(digits):
        size *= 2
    if size not in powers:
        powers[size] = power_of(base, size)
    high, low = (
        integer_of_digits(digits[:-size], base, powers),
        integer_of_digits(digits[-size:], base, powers),
    )
    return EXACT.add(EXACT.multiply(high, powers[size]), low)


def power_of(base: int, exponent: int) -> Decimal:
    """Return a power of an integer."""
    return EXACT.power(Decimal(base), exponent)


# ---------------------------------------------------------------- writing


def format_numeral(value: Decimal, base: int, tick: Callable[[], None]) -> str:
    """Return a number in a base as bc writes it."""
    if not value:
        return "0"
    if base == 10:
        text = f"{value:f}"
        if text.startswith("0."):
            return text[1:]
        return "-" + text[2:] if text.startswith("-0.") else text
    sign = "-" if value < 0 else ""
    value = value.copy_abs()
    whole = cut_to_scale(value, 0)
    scale = scale_of(value)
    text = sign + digits_text(digits_of(whole, base, tick), base, " ") if whole else sign
    if not scale:
        return text
    places = fraction_places(scale, base)
    above = EXACT.multiply(EXACT.subtract(value, whole), power_of(base, places))
    digits = digits_of(cut_to_scale(above, 0), base, tick)
    digits[:0] = [0] * (places - len(digits))
    return f"{text}.{digits_text(digits, base, '')}"


def digits_text(digits: list[int], base: int, lead: str) -> str:
    """Return digits as characters, or for large bases as `lead` and numbers of equal width."""
    if base <= MAX_CHARACTER_BASE:
        return "".join([DIGIT_CHARACTERS[digit] for digit in digits])
    width = len(str(base - 1))
    return lead + " ".join([f"{digit:0{width}}" for digit in digits])


def fraction_places(scale: int, base: int) -> int:
    """Return how many digits after the point a base needs for `scale` decimal places."""
    exact = scale / log10(base)
    near = round(exact)
    if abs(exact - near) > 1e-3:
        return ceil(exact)
    return near if power_of(base, near) >= power_of(10, scale) else near + 1


def digits_of(value: Decimal, base: int, tick: Callable[[], None]) -> list[int]:
    """Return the digits of an integer in a base; none for 0."""
    powers = [Decimal(base)]  # base ** 2 ** i
    while powers[-1].adjusted() * 2 <= value.adjusted():
        powers.append(EXACT.multiply(powers[-1], powers[-1]))
        tick()
    digits = list(split_digits(value, base, powers, len(powers) - 1, tick))
    first = next((i for i, digit in enumerate(digits) if digit), len(digits))
    return digits[first:]


def split_digits(
    value: Decimal, base: int, powers: list[Decimal], level: int, tick: Callable[[], None]
) -> Iterator[int]:
    """Yield the digits of a number below `powers[level] ** 2`, with leading zeros."""
    if powers[level].adjusted() < MAX_PLAIN_DIGITS:
        number, digits = int(value), []
        for _ in range(2 << level):
            number, digit = divmod(number, base)
            digits.append(digit)
        yield from reversed(digits)
        return
    tick()
    high, low = EXACT.divmod(value, powers[level])
    yield from split_digits(high, base, powers, level - 1, tick)
    yield from split_digits(low, base, powers, level - 1, tick)
