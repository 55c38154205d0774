"""Numbers as sh writes them: `42`, `-7`, `0x1f`, `017`, `2#101`; and `0b1`, `0o7`, `1.5`, `2e3`."""

from __future__ import annotations

DECIMAL = "0123456789"
DIGITS = DECIMAL + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"  # as bash counts
PREFIXES = {"x": 16, "b": 2, "o": 8}
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
MOST_DIGITS = 4000  # Python refuses to read much more
MOST_OF_A_NAME = 18  # digits of a process, a job, a descriptor


def number_of(text: str) -> int | float | None:
    """The number a text is, of any size, or None. Blanks around it do not count; nothing is 0."""
    if text.isdecimal() and text[0] != "0" and text.isascii() and len(text) < MOST_DIGITS:
        return int(text)
    digits = text.strip(" \t\n")
    if not digits:
        return 0
    sign = digits[0] if digits[0] in "+-" else ""
    found = unsigned(digits[len(sign) :])
    return -found if found is not None and sign == "-" else found


def is_digits(text: str) -> bool:
    """Whether a text is digits and nothing else; Python takes those of every script for such."""
    return text.isascii() and text.isdecimal()


def known_number(digits: str) -> int:
    """The number of digits; of too many the first of them, more than anything has or there is."""
    return int(digits.lstrip("0")[:MOST_OF_A_NAME] or 0)


def unsigned(text: str) -> int | float | None:
    """The number of a text without sign or blanks."""
    if not text.isascii() or len(text) > MOST_DIGITS:
        return None
    if text.isdecimal():
        return whole(text, 8 if text[0] == "0" else 10)
    base, mark, digits = text.partition("#")
    if mark:
        is_base = base.isdecimal() and len(base) < 3 and 2 <= int(base) <= 64
        return whole(digits, int(base)) if is_base else None
    if text[:1] == "0" and text[1:2].lower() in PREFIXES:
        return whole(text[2:], PREFIXES[text[1].lower()])
    if text.strip(DECIMAL + ".eE+-") or text[:1] in "+-" or text[-1] not in DECIMAL:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def whole(digits: str, base: int) -> int | None:
    """The number that digits of a base are; capitals are other digits above base 36 only."""
    if base <= 36:
        try:
            return int(digits, base) if digits.isalnum() else None
        except ValueError:
            return None
    number = 0
    for digit in digits:
        value = DIGITS.find(digit)
        if not 0 <= value < base:
            return None
        number = number * base + value
    return number if digits else None
