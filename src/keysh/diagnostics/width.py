"""The number of terminal columns of a character, as the C library's wcwidth has it."""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width


class CharacterWidths(dict[int, int]):
    """Column widths by code point, each computed once: 0, 1 or 2.

    Unprintable characters have width 0.
    """

    def __missing__(self, code_point: int) -> int:
        char = chr(code_point)
        self[code_point] = width = (
            0 if not is_printed(char) or is_combining(char) else character_width(char)
        )
        return width


def is_printed(char: str) -> bool:
    """Whether the C library considers a character printable: assigned and no control."""
    return char.isprintable() or category(char) in ("Zs", "Cf", "Co")


def is_combining(char: str) -> bool:
    """Whether a character joins the one before it: marks, formats, and trailing Hangul."""
    kind = category(char)
    if combining(char) or kind in ("Mn", "Me"):
        return True
    return (kind == "Cf" and char != "\xad") or "\u1160" <= char <= "\u11ff"


def character_width(char: str) -> int:
    """Return the width of a character that is not combining."""
    return 2 if east_asian_width(char) in ("W", "F") else 1
