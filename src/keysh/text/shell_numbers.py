"""Numbers as sh writes them: `42`, `-7`, `0x1f`, `017`, `2#101`; and `0b1`, `0o7`, `1.5`, `2e3`."""

from __future__ import annotations

DECIMAL_DIGITS = "0123456789"
BASE_DIGITS = (
    DECIMAL_DIGITS + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
)  # as bash counts
BASE_PREFIXES = {"x": 16, "b": 2, "o": 8}
MIN_INT64, MAX_INT64 = -(1 << 63), (1 << 63) - 1
MAX_INTEGER_DIGITS = 4000  # Python refuses to read much more
MAX_ID_DIGITS = 18  # digits of a process, a job, a descriptor


def parse_shell_number(text: str) -> int | float | None:
    """The number a text is, of any size, or None. Blanks around it do not count; nothing is 0."""
    if text.isdecimal() and text[0] != "0" and text.isascii() and len(text) < MAX_INTEGER_DIGITS:
        return int(text)
    digits = text.strip(" \t\n")
    if not digits:
        return 0
    sign = digits[0] if digits[0] in "+-" else ""
    found = unsigned_number(digits[len(sign) :])
    return -found if found is not None and sign == "-" else found


def is_digits(text: str) -> bool:
    """Whether a text is digits and nothing else; Python takes those of every script for such."""
    return text.isascii() and text.isdecimal()


def bounded_number(digits: str) -> int:
    """The number of digits; of too many the first of them, more than anything has or there is."""
    return int(digits.lstrip("0")[:MAX_ID_DIGITS] or 0)


def unsigned_number(text: str) -> int | float | None:
    """The number of a text without sign or blanks."""
    if not text.isascii() or len(text) > MAX_INTEGER_DIGITS:
        return None
    if text.isdecimal():
        return number_in_base(text, 8 if text[0] == "0" else 10)
    base, mark, digits = text.partition("#")
    if mark:
        is_base = base.isdecimal() and len(base) < 3 and 2 <= int(base) <= 64
        return number_in_base(digits, int(base)) if is_base else None
    if text[:1] == "0" and text[1:2].lower() in BASE_PREFIXES:
        return number_in_base(text[2:], BASE_PREFIXES[text[1].lower()])
    if text.strip(DECIMAL_DIGITS + ".eE+-") or text[:1] in "+-" or text[-1] not in DECIMAL_DIGITS:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def number_in_base(digits: str, base: int) -> int | None:
    """The number that digits of a base are; capitals are other digits above base 36 only."""
    if base <= 36:
        try:
            return int(digits, base) if digits.isalnum() else None
        except ValueError:
            return None
    number = 0
    for digit in digits:
        value = BASE_DIGITS.find(digit)
        if not 0 <= value < base:
            return None
        number = number * base + value
    return number if digits else None
