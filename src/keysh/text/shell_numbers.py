"""Numbers as sh writes them: `42`, `-7`, `0x1f`, `017`, `2#101`; also `0b1`, `0o7`, `1.5`."""

from __future__ import annotations

DECIMAL_DIGITS = "0123456789"
# In bash's order.
BASE_DIGITS = DECIMAL_DIGITS + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
BASE_PREFIXES = {"x": 16, "b": 2, "o": 8}
MIN_INT64, MAX_INT64 = -(1 << 63), (1 << 63) - 1
MAX_INTEGER_DIGITS = 4000  # Python parses at most 4,300
MAX_ID_DIGITS = 18  # of a process, job or descriptor; with so few a number fits into 64 bits


def parse_shell_number(text: str) -> int | float | None:
    """Return the number, of any size, or None. Blanks around it are ignored; "" is 0."""
    if text.isdecimal() and text[0] != "0" and text.isascii() and len(text) < MAX_INTEGER_DIGITS:
        return int(text)
    digits = text.strip(" \t\n")
    if not digits:
        return 0
    sign = digits[0] if digits[0] in "+-" else ""
    number = unsigned_number(digits[len(sign) :])
    return -number if number is not None and sign == "-" else number


def parse_bash_integer(text: str) -> int | None:
    """Return the number as bash reads it, of any size: there are no floats, `0b1` or `0o7`."""
    number = parse_shell_number(text)
    has_prefix = text.strip(" \t\n").lstrip("+-")[1:2] in ("b", "B", "o", "O")
    return number if isinstance(number, int) and not has_prefix else None


def parse_decimal(text: str) -> int | None:
    """Return a number as keysh prints it, of at most 18 digits; None for any other text."""
    digits = text.removeprefix("-")
    is_plain = is_digits(digits) and len(digits) <= MAX_ID_DIGITS
    return int(text) if is_plain and (digits[0] != "0" or digits == "0") else None


def is_digits(text: str) -> bool:
    """Whether a string consists of ASCII digits only."""
    return text.isascii() and text.isdecimal()


def bounded_number(digits: str) -> int:
    """Return the number of some digits. If there are too many, a huge number results."""
    return int(digits.lstrip("0")[:MAX_ID_DIGITS] or 0)


def hexadecimal_float(text: str) -> float:
    """Return the float of `0x1.8p3`, infinity for one that is too large."""
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("-inf" if text[0] == "-" else "inf")


def unsigned_number(text: str) -> int | float | None:
    """Parse a number without sign or blanks."""
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
    """Parse digits of a base. Case matters only above base 36."""
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
