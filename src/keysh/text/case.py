"""Letters in upper and lower case, one for one: a text keeps its length."""

from __future__ import annotations

CAPITAL_SIGMA = "\u03a3"  # which Python lowers by its place in the word


def to_upper(text: str) -> str:
    """In upper case; a letter without a single capital stays as it is."""
    made = text.upper()
    return made if len(made) == len(text) else "".join(map(upper_character, text))


def upper_character(char: str) -> str:
    made = char.upper()
    return made if len(made) == 1 else char


def to_lower(text: str) -> str:
    """In lower case, in the same way."""
    made = text.lower()
    is_exact = len(made) == len(text) and (text.isascii() or CAPITAL_SIGMA not in text)
    return made if is_exact else "".join(map(lower_character, text))


def lower_character(char: str) -> str:
    return char.lower()[:1]  # of a dotted capital I Python makes an i and a dot, the C library an i
