"""Read the colors in LS_COLORS, `di=01;34:*.py=33`: the value after an equals sign."""

from __future__ import annotations

import re

from keysh.text.escapes import byte_character

COLOR_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "?": "\x7f", "_": " ",
}  # fmt: skip
# A backslash before an octal or hexadecimal number or a character; a caret before a letter.
COLOR_CHARACTER = re.compile(
    r"\\(?P<octal>[0-7]+)|\\[xX](?P<hexadecimal>[0-9a-fA-F]*)|\\(?P<escaped>.)"
    r"|\^(?P<control>[@-~?])|[^\\^]",
    re.DOTALL,
)


class BadColors(ValueError):
    """Invalid colors. The message may be empty."""


def read_color(text: str, position: int) -> tuple[str, int]:
    """Return the color after an equals sign, and where it ends."""
    if text[position : position + 1] != "=":
        raise BadColors
    return read_color_value(text, position + 1, ":")


def read_color_value(text: str, position: int, terminator: str) -> tuple[str, int]:
    """Read up to a terminator or colon, expanding escapes."""
    pieces = []
    while position < len(text) and text[position] not in (terminator, ":"):
        match = COLOR_CHARACTER.match(text, position)
        if match is None:
            raise BadColors
        pieces.append(character_of(match))
        position = match.end()
    return "".join(pieces), position


def character_of(match: re.Match[str]) -> str:
    """Return the character that a match stands for."""
    if match["octal"] or match["hexadecimal"] is not None:
        base = 8 if match["octal"] else 16
        return byte_character(int(match["octal"] or match["hexadecimal"] or "0", base) & 0xFF)
    if match["control"]:
        return "\x7f" if match["control"] == "?" else chr(ord(match["control"]) & 0x1F)
    if match["escaped"]:
        return COLOR_ESCAPES.get(match["escaped"], match["escaped"])
    return match[0]
