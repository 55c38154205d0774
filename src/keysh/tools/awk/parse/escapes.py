r"""Escapes in texts and in regular expressions, and warnings of those that nothing knows.

`"\."` is a plain dot, where most who write it mean `"\\."`; `/\d/` is a plain d.
"""

from __future__ import annotations

import re

ESCAPES = {
    '"': '"', "/": "/", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v",
}  # fmt: skip
ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|\n()|(.))|\\$", re.DOTALL)
UNKNOWN_IN_TEXT = re.compile(r"\\(?:([^\\\"abfnrtvx0-7\n])|.)", re.DOTALL)
UNKNOWN_IN_REGEX = re.compile(r"""\\(?:([!"#%&,89:;=@AC-RTUVX-Z_cdeg-mopquz~])|.)""", re.DOTALL)


def unescaped(text: str) -> str:
    """A text with its escapes read, as between quotes and in `-v name=text`."""
    if "\\" not in text:
        return text
    made = ESCAPE.sub(escape, text)
    return made.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def escape(found: re.Match[str]) -> str:
    octal, hexadecimal, newline, char = found.groups()
    if octal or hexadecimal:
        number = (int(octal, 8) if octal else int(hexadecimal, 16)) & 0xFF
        return chr(number) if number < 0x80 else chr(0xDC00 + number)
    if newline is not None:
        return ""
    if char is None:
        return "\\"
    return ESCAPES.get(char, char if char != "x" else "\\x")


def warnings_of_text(text: str) -> list[str]:
    """What is said of a text as it is written."""
    unknown = UNKNOWN_IN_TEXT.findall(text) if "\\" in text else ()
    return [
        f"warning: escape sequence `\\{one}' treated as plain `{one}'" for one in unknown if one
    ]


def warnings_of_regex(pattern: str) -> list[str]:
    """What is said of a regular expression."""
    unknown = UNKNOWN_IN_REGEX.findall(pattern) if "\\" in pattern else ()
    says = "is not a known regexp operator"
    return [f"warning: regexp escape sequence `\\{one}' {says}" for one in unknown if one]
