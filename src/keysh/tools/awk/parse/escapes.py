r"""Escapes in strings and regular expressions, and warnings about unknown ones.

`"\."` is a plain dot, though `"\\."` is usually meant; `/\d/` is a plain d.
"""

from __future__ import annotations

import re

from keysh.text.escapes import C_ESCAPES

CHARACTER_ESCAPES = {**C_ESCAPES, '"': '"', "/": "/"}
ESCAPE_PATTERN = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|\n()|(.))|\\$", re.DOTALL)
UNKNOWN_IN_TEXT = re.compile(r"\\(?:([^\\\"abfnrtvx0-7\n])|.)", re.DOTALL)
UNKNOWN_IN_REGEX = re.compile(r"""\\(?:([!"#%&,89:;=@AC-RTUVX-Z_cdeg-mopquz~])|.)""", re.DOTALL)


def unescape(text: str) -> str:
    """Replace the escapes in a string constant or in `-v name=text`."""
    if "\\" not in text:
        return text
    result = ESCAPE_PATTERN.sub(unescaped_character, text)
    return result.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def unescaped_character(match: re.Match[str]) -> str:
    octal, hexadecimal, newline, char = match.groups()
    if octal or hexadecimal:
        number = (int(octal, 8) if octal else int(hexadecimal, 16)) & 0xFF
        return chr(number) if number < 0x80 else chr(0xDC00 + number)
    if newline is not None:
        return ""
    if char is None:
        return "\\"
    return CHARACTER_ESCAPES.get(char, char)


def string_warnings(text: str) -> list[str]:
    """Return the warnings about a string constant."""
    unknown = UNKNOWN_IN_TEXT.findall(text) if "\\" in text else ()
    return [
        f"warning: escape sequence `\\{char}' treated as plain `{char}'" for char in unknown if char
    ]


def regex_warnings(pattern: str) -> list[str]:
    """Return the warnings about a regular expression."""
    unknown = UNKNOWN_IN_REGEX.findall(pattern) if "\\" in pattern else ()
    problem = "is not a known regexp operator"
    return [f"warning: regexp escape sequence `\\{char}' {problem}" for char in unknown if char]
