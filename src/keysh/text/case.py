"""Letters in upper and lower case, one for one: a text keeps its length."""

from __future__ import annotations

FINAL = "\u03a3"  # which Python lowers by its place in the word


def capitals(text: str) -> str:
    """In upper case; a letter without a single capital stays as it is."""
    made = text.upper()
    return made if len(made) == len(text) else "".join(map(capital, text))


def capital(char: str) -> str:
    made = char.upper()
    return made if len(made) == 1 else char


def small_letters(text: str) -> str:
    """In lower case, in the same way."""
    made = text.lower()
    is_exact = len(made) == len(text) and (text.isascii() or FINAL not in text)
    return made if is_exact else "".join(map(small_letter, text))


def small_letter(char: str) -> str:
    return char.lower()[:1]  # of a dotted capital I Python makes an i and a dot, the C library an i
