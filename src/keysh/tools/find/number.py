"""Numeric arguments of find: `+N`, `-N` and `N`."""

from __future__ import annotations

import re

from keysh.text.shell_numbers import hexadecimal_float

MAX_COMPARED_NUMBER = (1 << 64) - 1
WHOLE_NUMBER = re.compile(r"([-+]?)[ \t-\r]*\+?([0-9]{1,1000})", re.ASCII)
# As C's strtod reads it.
DECIMAL_NUMBER = re.compile(
    r"([-+]?)[ \t-\r]*([-+]?(?:"
    r"0[xX](?=\.?[0-9a-fA-F])[0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][-+]?[0-9]+)?"
    r"|(?=\.?[0-9])[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?|inf(?:inity)?))",
    re.ASCII,
)


def parse_comparison(text: str) -> tuple[str, int] | None:
    """Return the sign and the number, or None if it is invalid or too large."""
    match = WHOLE_NUMBER.fullmatch(text)
    if match is None or int(match[2]) > MAX_COMPARED_NUMBER:
        return None
    return match[1], int(match[2])


def parse_amount(text: str) -> tuple[str, int | float] | None:
    """Return the sign and the number, which may have a fraction, or None."""
    match = DECIMAL_NUMBER.fullmatch(text)
    if match is None:
        return None
    digits = match[2]
    value = hexadecimal_float(digits) if "x" in digits.lower() else float(digits)
    return match[1], int(value) if value.is_integer() else value


def is_satisfied(sign: str, value: float, number: float) -> bool:
    return value > number if sign == "+" else value < number if sign == "-" else value == number
