"""Colors in a text, `di=01;34:*.py=33`: what stands behind an equals sign, escapes read."""

from __future__ import annotations

import re

from keysh.text.escapes import byte_character

COLOR_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
           "v": "\v", "?": "\x7f", "_": " "}  # fmt: skip
# A backslash before an octal or a hexadecimal number or a character, a caret before a letter.
COLOR_CHARACTER = re.compile(
    r"\\(?P<octal>[0-7]+)|\\[xX](?P<hexadecimal>[0-9a-fA-F]*)|\\(?P<escaped>.)"
    r"|\^(?P<control>[@-~?])|[^\\^]",
    re.DOTALL,
)


class BadColors(ValueError):
    """A text that tells no colors; what it says may be empty."""


def read_color(text: str, at: int) -> tuple[str, int]:
    """The color behind an equals sign, and the place behind it."""
    if text[at : at + 1] != "=":
        raise BadColors
    return read_color_value(text, at + 1, ":")


def read_color_value(text: str, at: int, end: str) -> tuple[str, int]:
    """The text up to an end, in which a backslash and a caret stand for other characters."""
    made = []
    while at < len(text) and text[at] not in (end, ":"):
        found = COLOR_CHARACTER.match(text, at)
        if found is None:
            raise BadColors
        made.append(character_of(found))
        at = found.end()
    return "".join(made), at


def character_of(found: re.Match[str]) -> str:
    """What a character, or an escape, stands for."""
    if found["octal"] or found["hexadecimal"] is not None:
        base = 8 if found["octal"] else 16
        return byte_character(int(found["octal"] or found["hexadecimal"] or "0", base) & 0xFF)
    if found["control"]:
        return "\x7f" if found["control"] == "?" else chr(ord(found["control"]) & 0x1F)
    if found["escaped"]:
        return COLOR_ESCAPES.get(found["escaped"], found["escaped"])
    return found[0]
