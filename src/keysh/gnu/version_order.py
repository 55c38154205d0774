"""Version order, as in `sort -V` and `ls -v`: a2 before a10, a~ before a.

This is gnulib's filevercmp: names are compared first without their suffixes (`.tar.gz`), then
with them.
"""

from __future__ import annotations

import re
import sys
from functools import cmp_to_key

# Digit order: the C library's strverscmp, which compares runs of digits as numbers.

DIGIT_BYTES = frozenset(b"0123456789")


def compare_digit_order(first_name: bytes, second_name: bytes) -> int:
    """Return a number below, equal to or above 0, as for `cmp`."""
    if first_name == second_name:
        return 0
    position = 0
    while (
        position < len(first_name)
        and position < len(second_name)
        and first_name[position] == second_name[position]
    ):
        position += 1
    start = position  # of the run of digits before the difference
    while start and first_name[start - 1] in DIGIT_BYTES:
        start -= 1
    first, second = first_name[position : position + 1], second_name[position : position + 1]
    begins = (first_name[start : start + 1], second_name[start : start + 1])
    if all(digit and digit in b"123456789" for digit in begins):
        lengths = count_digits(first_name, position), count_digits(second_name, position)
        if lengths[0] != lengths[1]:
            return lengths[0] - lengths[1]
    elif (
        start < position
        and not first_name[start:position].strip(b"0")
        and (is_digit(first) or is_digit(second))
    ):
        # After leading zeros, digits sort before everything else.
        return byte_class(first) - byte_class(second)
    return (first or b"\0")[0] - (second or b"\0")[0]


def count_digits(text: bytes, position: int) -> int:
    """Return the number of digits at an offset."""
    end = position
    while end < len(text) and text[end] in DIGIT_BYTES:
        end += 1
    return end - position


def is_digit(char: bytes) -> bool:
    """Whether a byte, which may be missing, is a digit."""
    return bool(char) and char[0] in DIGIT_BYTES


def byte_class(char: bytes) -> int:
    """Return a byte's rank relative to digits; lower bytes and none rank last."""
    return ((char or b"\0")[0] - 0x30) % 256


digit_key = cmp_to_key(compare_digit_order)  # for sorting


VERSION_SUFFIX = re.compile(r"[A-Za-z~][A-Za-z0-9~]*")
DIGIT_RUN = re.compile(r"([0-9]+)")
# The order of characters that are no digits, and of the end of a run of them.
TILDE_ORDER, END_ORDER = map(chr, range(2))
CHARACTER_ORDER = {
    number: chr(number + (3 if chr(number).isalpha() and number < 128 else 300))
    for number in range(256)
} | {ord("~"): TILDE_ORDER}

MAX_LENGTH_CHARACTER = sys.maxunicode  # shorter lengths are one character


def version_key(octets: str) -> tuple[int, str, str]:
    """Return the sort key of a name."""
    full_key = comparison_key(octets)
    bare_name = without_suffixes(octets)
    bare_key = full_key if bare_name == octets else comparison_key(bare_name)
    if not octets.startswith("."):
        return (4 if octets else 0, bare_key, full_key)
    return ({".": 1, "..": 2}.get(octets, 3), bare_key, full_key)


def without_suffixes(name: str) -> str:
    """Return a name without its suffixes."""
    end = len(name)
    while (dot := name.rfind(".", 0, end)) >= 0 and VERSION_SUFFIX.fullmatch(name, dot + 1, end):
        end = dot
    return name[:end]


def comparison_key(name: str) -> str:
    """Return the key for runs of other characters and of digits; numbers sort by length first."""
    steps = DIGIT_RUN.split(name)
    if len(steps) > 1 and not steps[-1] and not steps[-2].strip("0"):
        del steps[-2:]  # trailing zeros count as nothing
    key_parts: list[str] = []
    for text, digits in zip(steps[::2], steps[1::2], strict=False):
        digits = digits.lstrip("0")
        key_parts += (text.translate(CHARACTER_ORDER), END_ORDER, length_key(digits), digits)
    # A name ends with an empty number, which sorts after a tilde.
    key_parts += (steps[-1].translate(CHARACTER_ORDER), END_ORDER, length_key(""), END_ORDER)
    return "".join(key_parts)


def length_key(digits: str) -> str:
    """Return a character that sorts by the length of a number."""
    length = len(digits)
    return (
        chr(length) if length < MAX_LENGTH_CHARACTER else f"{chr(MAX_LENGTH_CHARACTER)}{length:020}"
    )
