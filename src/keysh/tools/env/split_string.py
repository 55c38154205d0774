"""Split strings: the words of `env -S`, by the rules that GNU's env 9.1 has for them.

-S 'A=${HOME} "two words" it\\'s\\_x # comment'
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
    """A text that is no such string."""


def split_string(text: str, variables: Mapping[str, str]) -> list[str]:
    """The words; a variable stands for its value, which is not split again."""
    words: list[str] = []
    word: list[str] | None = None
    quote, at = "", 0
    while at < len(text):
        char = text[at]
        at += 1
        if not quote and (char in BLANKS or text.startswith("\\_", at - 1)):
            at += char == "\\"
            if word is not None:
                words.append("".join(word))
            word = None
            continue
        if not quote and ((char == "#" and word is None) or text.startswith("\\c", at - 1)):
            break
        if char == "$" and quote != "'":
            found = VARIABLE_REFERENCE.match(text, at - 1)
            if found is None:
                says = "only ${VARNAME} expansion is supported, error at: "
                raise SplitStringError(says + text[at - 1 :])
            at = found.end()
            if found[1] in variables:
                word = [*(word or ()), variables[found[1]]]
            continue
        word = word or []
        if char in "'\"" and quote in ("", char):
            quote = "" if quote else char
        elif char == "\\" and (quote != "'" or text[at : at + 1] in ("\\", "'")):
            word.append(unescape(text[at : at + 1], quote))
            at += 1
        else:
            word.append(char)
    if quote:
        raise SplitStringError("no terminating quote in -S string")
    return words if word is None else [*words, "".join(word)]


def unescape(char: str, quote: str) -> str:
    """What a backslash and a character mean."""
    if not char:
        raise SplitStringError("invalid backslash at end of string in -S")
    if char == "c":
        raise SplitStringError("'\\c' must not appear in double-quoted -S string")
    if char == "_" and quote:
        return " "
    if char not in ESCAPES:
        raise SplitStringError(f"invalid sequence '\\{char}' in -S")
    return ESCAPES[char]
