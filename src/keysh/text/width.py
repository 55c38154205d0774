"""Width: how many columns of a terminal a character takes, as the C library's wcwidth has it."""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width


class CharacterWidths(dict[int, int]):
    """Widths by the numbers of characters, each worked out once: 0, 1 or 2.

    What is not printed takes no column.
    """

    def __missing__(self, number: int) -> int:
        char = chr(number)
        self[number] = width = (
            0 if not is_printed(char) or is_combining(char) else character_width(char)
        )
        return width


def is_printed(char: str) -> bool:
    """Whether the C library prints a character: it is no control, and it has been assigned."""
    return char.isprintable() or category(char) in ("Zs", "Cf", "Co")


def is_combining(char: str) -> bool:
    """Whether a character joins the one before it: marks, formats, and the tails of Hangul."""
    kind = category(char)
    if combining(char) or kind in ("Mn", "Me"):
        return True
    return (kind == "Cf" and char != "\xad") or "\u1160" <= char <= "\u11ff"


def character_width(char: str) -> int:
    """The columns of a character that takes any."""
    return 2 if east_asian_width(char) in ("W", "F") else 1


def display_width(text: str) -> int:
    """The columns of a text without tabs."""
    if text.isascii() and text.isprintable():
        return len(text)
    widths = CharacterWidths()
    return sum(widths[ord(char)] for char in text)
