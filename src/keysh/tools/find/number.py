"""Numbers as find compares with them: `+N`, `-N` and `N`."""

from __future__ import annotations

import re

MOST = (1 << 64) - 1
WHOLE = re.compile(r"([-+]?)[ \t-\r]*\+?([0-9]{1,1000})", re.ASCII)
AMOUNT = re.compile(
    r"([-+]?)[ \t-\r]*([-+]?(?:"
    r"0[xX](?=\.?[0-9a-fA-F])[0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][-+]?[0-9]+)?"
    r"|(?=\.?[0-9])[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?|inf(?:inity)?))",
    re.ASCII,
)  # what C's strtod reads


def compared(text: str) -> tuple[str, int] | None:
    """The sign and the number; None for what is no number, or too large for one."""
    found = WHOLE.fullmatch(text)
    if found is None or int(found[2]) > MOST:
        return None
    return found[1], int(found[2])


def amount(text: str) -> tuple[str, int | float] | None:
    """The sign and a number with a fraction, if any; None for what is no number."""
    found = AMOUNT.fullmatch(text)
    if found is None:
        return None
    digits = found[2]
    value = float.fromhex(digits) if "x" in digits.lower() else float(digits)
    return found[1], int(value) if value.is_integer() else value


def holds(sign: str, value: float, number: float) -> bool:
    return value > number if sign == "+" else value < number if sign == "-" else value == number
