"""The order of versions, as `sort -V` and `ls -v` have it: a2 before a10, a~ before a.

gnulib's filevercmp. Names are first compared without their suffixes (`.tar.gz`), then with them.
"""

from __future__ import annotations

import re
import sys
from functools import cmp_to_key

# Digit order: names whose numbers count as numbers, as the C library's strverscmp has them.

DIGIT_BYTES = frozenset(b"0123456789")


def compare_digit_order(one: bytes, other: bytes) -> int:
    """Less than 0, 0, or more, as the first stands before the other or behind it."""
    if one == other:
        return 0
    at = 0
    while at < len(one) and at < len(other) and one[at] == other[at]:
        at += 1
    start = at  # of the digits that stand before the difference
    while start and one[start - 1] in DIGIT_BYTES:
        start -= 1
    first, second = one[at : at + 1], other[at : at + 1]
    begins = (one[start : start + 1], other[start : start + 1])
    if all(digit and digit in b"123456789" for digit in begins):
        lengths = count_digits(one, at), count_digits(other, at)
        if lengths[0] != lengths[1]:
            return lengths[0] - lengths[1]
    elif start < at and not one[start:at].strip(b"0") and (is_digit(first) or is_digit(second)):
        # In a fraction a digit stands before anything else.
        return byte_class(first) - byte_class(second)
    return (first or b"\0")[0] - (second or b"\0")[0]


def count_digits(text: bytes, at: int) -> int:
    """How many digits stand from a place on."""
    end = at
    while end < len(text) and text[end] in DIGIT_BYTES:
        end += 1
    return end - at


def is_digit(char: bytes) -> bool:
    """Whether a byte, which may be none, is a digit."""
    return bool(char) and char[0] in DIGIT_BYTES


def byte_class(char: bytes) -> int:
    """Where a byte stands beside digits; those before them, and no byte, stand behind."""
    return ((char or b"\0")[0] - 0x30) % 256


digit_key = cmp_to_key(compare_digit_order)  # for sorting


VERSION_SUFFIX = re.compile(r"[A-Za-z~][A-Za-z0-9~]*")
DIGIT_RUN = re.compile(r"([0-9]+)")
# What stands for a character among those that are no digits, and for where these stop.
TILDE_ORDER, END_ORDER = map(chr, range(2))
CHARACTER_ORDER = {
    number: chr(number + (3 if chr(number).isalpha() and number < 128 else 300))
    for number in range(256)
} | {ord("~"): TILDE_ORDER}

MAX_LENGTH_CHARACTER = sys.maxunicode  # lengths below are one character


def version_key(octets: str) -> tuple[int, str, str]:
    """What to order a name by."""
    whole = comparison_key(octets)
    short = without_suffixes(octets)
    first = whole if short == octets else comparison_key(short)
    if not octets.startswith("."):
        return (4 if octets else 0, first, whole)
    return ({".": 1, "..": 2}.get(octets, 3), first, whole)


def without_suffixes(name: str) -> str:
    """A name without its suffixes."""
    end = len(name)
    while (dot := name.rfind(".", 0, end)) >= 0 and VERSION_SUFFIX.fullmatch(name, dot + 1, end):
        end = dot
    return name[:end]


def comparison_key(name: str) -> str:
    """A name in steps to compare: what is no number, and the number by its length and digits."""
    steps = DIGIT_RUN.split(name)
    if len(steps) > 1 and not steps[-1] and not steps[-2].strip("0"):
        del steps[-2:]  # zeros at the end are as nothing there
    found: list[str] = []
    for text, digits in zip(steps[::2], steps[1::2], strict=False):
        digits = digits.lstrip("0")
        found += (text.translate(CHARACTER_ORDER), END_ORDER, length_key(digits), digits)
    # Behind its end a name goes on as if with nothing, which is more than a tilde.
    found += (steps[-1].translate(CHARACTER_ORDER), END_ORDER, length_key(""), END_ORDER)
    return "".join(found)


def length_key(digits: str) -> str:
    """What stands for the length of a number."""
    length = len(digits)
    return (
        chr(length) if length < MAX_LENGTH_CHARACTER else f"{chr(MAX_LENGTH_CHARACTER)}{length:020}"
    )
