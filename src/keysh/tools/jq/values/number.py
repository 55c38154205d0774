"""Numbers: integers are ints of any size, others are floats; a literal keeps its spelling.

Arithmetic is done in 64-bit floats, as in jq; a result that a float represents exactly is an int.
A number that is copied from the input to the output is printed with all its digits.
"""

from __future__ import annotations

import re

from keysh.text.shell_numbers import bounded_number

MAX_EXACT_INT = 1 << 53  # the largest up to which floats represent every integer
MAX_SIGNIFICANT_DIGITS = 17  # digits of a literal that determine its float
SIGNIFICANT_INT_LIMIT = 10**MAX_SIGNIFICANT_DIGITS  # integers below it have no more digits
MAX_DOUBLE = 1.7976931348623157e308
NAN = float("nan")

NUMBER_LITERAL = re.compile(r"([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?")
MAX_EXPONENT = 999_999_999
NAN_LITERAL = re.compile(r"[-+]?nan", re.IGNORECASE)
INFINITY_LITERAL = re.compile(r"([-+]?)inf(?:inity)?", re.IGNORECASE)


class LiteralFloat(float):
    """A float read from a literal that `repr` does not print back; `text` is its spelling."""

    __slots__ = ("text",)
    text: str


def number_of(text: str) -> int | float | None:
    """Parse a number; None if the text is not one."""
    match = NUMBER_LITERAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return non_finite_number(text)
    sign, whole, fraction, exponent = match.groups()
    if fraction is None and exponent is None and not (sign == "-" and not whole.strip("0")):
        if len(whole) <= 4000:
            return int(text)
        exponent = "0"
    return literal_float(sign, whole, fraction or "", exponent or "0", fraction is not None)


def non_finite_number(text: str) -> float | None:
    """Parse `nan` and `Infinity`, which jq accepts too."""
    if NAN_LITERAL.fullmatch(text):
        return NAN
    match = INFINITY_LITERAL.fullmatch(text)
    return float(match[1] + "inf") if match is not None else None


def literal_float(sign: str, whole: str, fraction: str, exponent: str, has_point: bool) -> float:
    """Make a float that keeps its literal, in the canonical spelling of jq.

    It is to-scientific-string of the decimal arithmetic specification: 1.50 stays, 1e2 is 1E+2.
    """
    power = clipped_exponent(exponent) - len(fraction)
    digits = (whole + fraction).lstrip("0") or "0"
    sign = sign.strip("+")
    all_digits = digits
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
        text
        if len(all_digits) <= MAX_SIGNIFICANT_DIGITS
        else rounded_literal(sign, all_digits, adjusted)
    )
    value.text = text
    return value


def clipped_exponent(text: str) -> int:
    """Return an exponent; one that no number has as the next after the largest or smallest."""
    size = min(bounded_number(text.lstrip("+-")), MAX_EXPONENT + 1)
    return -size if text[0] == "-" else size


def rounded_literal(sign: str, digits: str, exponent: int) -> str:
    """Round a literal to 17 significant digits, halves to even.

    The decimal point stands after the first digit.
    """
    rounded, first, others = (
        int(digits[:MAX_SIGNIFICANT_DIGITS]),
        digits[MAX_SIGNIFICANT_DIGITS],
        digits[MAX_SIGNIFICANT_DIGITS + 1 :].strip("0"),
    )
    rounded += first > "5" or (first == "5" and (others != "" or rounded % 2 == 1))
    return f"{sign}{rounded}e{exponent - MAX_SIGNIFICANT_DIGITS + 1}"


def int_if_exact(value: float) -> int | float:
    """Convert a float to an int if it is an integer that floats represent exactly."""
    if (
        -MAX_EXACT_INT <= value <= MAX_EXACT_INT
        and value == int(value)
        and (value or str(value)[0] != "-")
    ):
        return int(value)
    return value


def number_text(value: int | float) -> str:
    """Format a number as jq does: up to 17 digits, infinity as the largest double, nan as null."""
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
    point = len(before) + int(exponent or "0")  # the position of the point in the digits
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
    """Format an int; one of thousands of digits, which Python refuses, as the largest double."""
    try:
        return str(value)
    except ValueError:
        return number_text(MAX_DOUBLE if value > 0 else -MAX_DOUBLE)


def as_float(value: int | float) -> float:
    """Convert a number to a float; an int that is too large becomes infinite."""
    try:
        if value.__class__ is int and not -SIGNIFICANT_INT_LIMIT < value < SIGNIFICANT_INT_LIMIT:
            digits = str(abs(value))
            return float(rounded_literal("-" * (value < 0), digits, len(digits) - 1))
        return float(value)
    except (OverflowError, ValueError):  # an int of thousands of digits
        return float("inf") if value > 0 else float("-inf")


def as_index(value: int | float) -> int:
    """Convert a number to an array index: truncate its fraction."""
    if value.__class__ is int:
        return value
    return int(min(max(value, -2147483648.0), 2147483647.0)) if value == value else 0
