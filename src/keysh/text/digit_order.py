"""Digit order: names whose numbers count as numbers, as the C library's strverscmp has them.

    000  00  01  010  09  0  1  9  10

Numbers that begin with a zero are fractions: the more zeros, the less.
"""

from __future__ import annotations

from functools import cmp_to_key

DIGITS = frozenset(b"0123456789")


def compared(one: bytes, other: bytes) -> int:
    """Less than 0, 0, or more, as the first stands before the other or behind it."""
    if one == other:
        return 0
    at = 0
    while at < len(one) and at < len(other) and one[at] == other[at]:
        at += 1
    start = at  # of the digits that stand before the difference
    while start and one[start - 1] in DIGITS:
        start -= 1
    first, second = one[at : at + 1], other[at : at + 1]
    begins = (one[start : start + 1], other[start : start + 1])
    if all(digit and digit in b"123456789" for digit in begins):
        lengths = digits_from(one, at), digits_from(other, at)
        if lengths[0] != lengths[1]:
            return lengths[0] - lengths[1]
    elif start < at and not one[start:at].strip(b"0") and (is_digit(first) or is_digit(second)):
        # In a fraction a digit stands before anything else.
        return place(first) - place(second)
    return (first or b"\0")[0] - (second or b"\0")[0]


def digits_from(text: bytes, at: int) -> int:
    """How many digits stand from a place on."""
    end = at
    while end < len(text) and text[end] in DIGITS:
        end += 1
    return end - at


def is_digit(char: bytes) -> bool:
    """Whether a byte, which may be none, is a digit."""
    return bool(char) and char[0] in DIGITS


def place(char: bytes) -> int:
    """Where a byte stands beside digits; those before them, and no byte, stand behind."""
    return ((char or b"\0")[0] - 0x30) % 256


digit_key = cmp_to_key(compared)  # for sorting
