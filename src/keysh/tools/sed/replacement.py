"""The parser of replacements of `s`."""

from __future__ import annotations

from keysh.tools.sed.escapes import resolve_escapes
from keysh.tools.sed.script import CaseChange, SedReplacement


def parse_replacement(text: str, *, is_posix: bool = False) -> SedReplacement:
    """Parse the replacement of `s`."""
    text = resolve_escapes(text, "&\\")
    pieces: list[str | int | CaseChange] = []
    plain: list[str] = []
    offset = 0
    while offset < len(text):
        char = text[offset]
        offset += 1
        part: int | CaseChange | None = None
        if char == "\\" and offset < len(text):
            char = text[offset]
            offset += 1
            if char in "0123456789":
                part = int(char)
            elif char in "ULEul" and not is_posix:
                part = CaseChange(char)
            elif char == "n":
                char = "\n"
        elif char == "&":
            part = 0
        if part is None:
            plain.append(char)
            continue
        if plain:
            pieces.append("".join(plain))
            plain.clear()
        pieces.append(part)
    if plain:
        pieces.append("".join(plain))
    return SedReplacement(pieces)
