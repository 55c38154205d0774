"""Numbers as find compares with them: `+N`, `-N` and `N`."""

from __future__ import annotations


def compared(text: str) -> tuple[str, int] | None:
    """The sign and the number; None for what is no number."""
    sign = text[:1] if text[:1] in ("+", "-") else ""
    digits = text[len(sign) :]
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 1000
    return (sign, int(digits)) if is_number else None


def holds(sign: str, value: int, number: int) -> bool:
    return value > number if sign == "+" else value < number if sign == "-" else value == number
