"""Numbers: whole ones are ints of any size, others floats, and a literal keeps its spelling.

What is computed is a 64-bit float, as in jq; an int that a float holds exactly stays an int. A
number that is only carried from the input to the output is printed with the digits it came with.
"""

from __future__ import annotations

import re

MAX_EXACT_INT = 1 << 53  # up to here a float holds every whole number
MAX_SIGNIFICANT_DIGITS = 17  # of a literal, that count for the float it stands for
SIGNIFICANT_INT_LIMIT = 10**MAX_SIGNIFICANT_DIGITS  # whole numbers below have no more
MAX_DOUBLE = 1.7976931348623157e308
NAN = float("nan")

NUMBER_LITERAL = re.compile(r"([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?")
MAX_EXPONENT = 999_999_999
NAN_LITERAL = re.compile(r"[-+]?nan", re.IGNORECASE)
INFINITY_LITERAL = re.compile(r"([-+]?)inf(?:inity)?", re.IGNORECASE)


class LiteralFloat(float):
    """A float that came as a literal which does not print back as written."""

    __slots__ = ("text",)
    text: str


def number_of(text: str) -> int | float | None:
    """The number that a literal means; None where it is no number."""
    found = NUMBER_LITERAL.fullmatch(text)
    if found is None or not (found[2] or found[3]):
        return non_finite_number(text)
    sign, whole, fraction, exponent = found.groups()
    if fraction is None and exponent is None and not (sign == "-" and not whole.strip("0")):
        if len(whole) <= 4000:
            return int(text)
        exponent = "0"
    return literal_float(sign, whole, fraction or "", exponent or "0", fraction is not None)


def non_finite_number(text: str) -> float | None:
    """`nan` and `Infinity`, which jq reads too."""
    if NAN_LITERAL.fullmatch(text):
        return NAN
    found = INFINITY_LITERAL.fullmatch(text)
    return float(found[1] + "inf") if found is not None else None


def literal_float(sign: str, whole: str, fraction: str, exponent: str, has_point: bool) -> float:
    """A literal in the one spelling that jq gives it: digits, and an exponent where it needs one.

    That of the decimal arithmetic specification, to-scientific-string: 1.50 stays, 1e2 is 1E+2.
    """
    power = min(max(int(exponent), -MAX_EXPONENT - 1), MAX_EXPONENT + 1) - len(fraction)
    digits = (whole + fraction).lstrip("0") or "0"
    sign = sign.strip("+")
    every = digits
    adjusted = power + len(digits) - 1
    if adjusted > MAX_EXPONENT:
        return float(f"{sign}inf")
    if power <= 0 and adjusted >= -6:
        if power:
            digits = digits.rjust(1 - power, "0")
            digits = f"{digits[:power]}.{digits[power:]}"
        text = sign + digits
    else:
        point = "." if len(digits) > 1 else ""
        text = f"{sign}{digits[0]}{point}{digits[1:]}E{adjusted:+d}"
    value = LiteralFloat(
        text if len(every) <= MAX_SIGNIFICANT_DIGITS else rounded_literal(sign, every, adjusted)
    )
    value.text = text
    return value


def rounded_literal(sign: str, digits: str, exponent: int) -> str:
    """A literal with no more digits than count, halves rounded to the even one.

    The point is behind the first digit.
    """
    kept, first, others = (
        int(digits[:MAX_SIGNIFICANT_DIGITS]),
        digits[MAX_SIGNIFICANT_DIGITS],
        digits[MAX_SIGNIFICANT_DIGITS + 1 :].strip("0"),
    )
    kept += first > "5" or (first == "5" and (others != "" or kept % 2 == 1))
    return f"{sign}{kept}e{exponent - MAX_SIGNIFICANT_DIGITS + 1}"


def int_if_exact(value: float) -> int | float:
    """A float as an int where it is one that floats hold exactly."""
    if (
        -MAX_EXACT_INT <= value <= MAX_EXACT_INT
        and value == int(value)
        and (value or str(value)[0] != "-")
    ):
        return int(value)
    return value


def number_text(value: int | float) -> str:
    """A number as jq prints it: 17 digits at most, infinity as the largest number, nan as null."""
    if value.__class__ is int:
        return int_text(value)
    if isinstance(value, LiteralFloat):
        return value.text
    if value != value:
        return "null"
    value = min(max(value, -MAX_DOUBLE), MAX_DOUBLE)
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    sign = "-" if mantissa[0] == "-" else ""
    before, _, after = mantissa.lstrip("-").partition(".")
    after = "" if after == "0" else after
    point = len(before) + int(exponent or "0")  # where the point stands in the digits
    digits = before + after
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.lstrip("0").rstrip("0")
    if not digits:
        return f"{sign}0"
    if point <= -4 or point > len(digits) + 15:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}e{point - 1:+03d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return f"{sign}{digits.ljust(point, '0')}"
    return f"{sign}{digits[:point]}.{digits[point:]}"


def int_text(value: int) -> str:
    """A whole number; one of thousands of digits, which Python does not print, as a float."""
    try:
        return str(value)
    except ValueError:
        return number_text(MAX_DOUBLE if value > 0 else -MAX_DOUBLE)


def as_float(value: int | float) -> float:
    """A number as a plain float; an int beyond all floats is infinite."""
    try:
        if value.__class__ is int and not -SIGNIFICANT_INT_LIMIT < value < SIGNIFICANT_INT_LIMIT:
            digits = str(abs(value))
            return float(rounded_literal("-" * (value < 0), digits, len(digits) - 1))
        return float(value)
    except (OverflowError, ValueError):  # of thousands of digits
        return float("inf") if value > 0 else float("-inf")


def as_index(value: int | float) -> int:
    """A number as a place in an array: its fraction is cut off."""
    if value.__class__ is int:
        return value
    return int(min(max(value, -2147483648.0), 2147483647.0)) if value == value else 0
