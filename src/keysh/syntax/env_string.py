r"""Split the text of `env -S` into words, by the rules of GNU env 9.1.

-S 'A=${HOME} "two words" it\'s\_x # comment'
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

BLANKS = " \t\n\v\f\r"
ESCAPES = {
    "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "#": "#", "$": "$", '"': '"', "'": "'",
    "\\": "\\",
}  # fmt: skip
VARIABLE_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", re.ASCII)


class SplitStringError(Exception):
    """The text cannot be split; the message says why."""


def split_string(text: str, variables: Mapping[str, str]) -> list[str]:
    """Return the words; the value of a variable is not split again."""
    words: list[str] = []
    word: list[str] | None = None
    quote, position = "", 0
    while position < len(text):
        char = text[position]
        position += 1
        if not quote and (char in BLANKS or text.startswith("\\_", position - 1)):
            position += char == "\\"
            if word is not None:
                words.append("".join(word))
            word = None
            continue
        if not quote and ((char == "#" and word is None) or text.startswith("\\c", position - 1)):
            break
        if char == "$" and quote != "'":
            match = VARIABLE_REFERENCE.match(text, position - 1)
            if match is None:
                message = "only ${VARNAME} expansion is supported, error at: "
                raise SplitStringError(message + text[position - 1 :])
            position = match.end()
            if match[1] in variables:
                word = [*(word or ()), variables[match[1]]]
            continue
        word = word or []
        if char in "'\"" and quote in ("", char):
            quote = "" if quote else char
        elif char == "\\" and (quote != "'" or text[position : position + 1] in ("\\", "'")):
            word.append(unescape(text[position : position + 1], quote))
            position += 1
        else:
            word.append(char)
    if quote:
        raise SplitStringError("no terminating quote in -S string")
    return words if word is None else [*words, "".join(word)]


def unescape(char: str, quote: str) -> str:
    """Return what a backslash followed by a character means."""
    if not char:
        raise SplitStringError("invalid backslash at end of string in -S")
    if char == "c":
        raise SplitStringError("'\\c' must not appear in double-quoted -S string")
    if char == "_" and quote:
        return " "
    if char not in ESCAPES:
        raise SplitStringError(f"invalid sequence '\\{char}' in -S")
    return ESCAPES[char]
