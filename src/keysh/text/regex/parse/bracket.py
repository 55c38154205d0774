"""Parse bracket expressions of regular expressions: `[a-z]`, `[^[:digit:]]`, `[[.-.][=a=]]`."""

from __future__ import annotations

from keysh.text.pattern_parser import CHARACTER_CLASSES
from keysh.text.regex import errors as error
from keysh.text.regex.charset import CharacterSet
from keysh.text.regex.errors import RegexError

CLASS_NAMES = frozenset(CHARACTER_CLASSES) - {"ascii", "word"}


class BracketParser:
    """Parses one bracket expression, from after its `[`.

    With `has_escapes`, as in awk, a backslash means the same as outside.
    """

    __slots__ = ("at", "has_escapes", "start", "text")

    def __init__(self, text: str, at: int, has_escapes: bool = False) -> None:
        self.text, self.at, self.start = text, at, at
        self.has_escapes = has_escapes

    def read(self) -> CharacterSet:
        """Return the set and leave `at` after the `]`."""
        text = self.text
        if self.at == len(text):
            raise RegexError(error.BAD_PATTERN, self.start)
        is_negated = text[self.at] == "^"
        self.at += is_negated
        singles: set[str] = set()
        ranges: list[tuple[int, int]] = []
        classes: list[tuple[str, bool]] = []
        is_first = True
        while is_first or not text.startswith("]", self.at):
            is_first = False
            if text.startswith("[:", self.at):
                classes.append((self.read_name(":"), False))
                if self.begins_range():
                    raise RegexError(error.BAD_RANGE, self.at)
                continue
            low = self.read_member()
            if self.begins_range():
                self.at += 1
                if text.startswith(("[:", "[="), self.at):
                    raise RegexError(error.BAD_RANGE, self.at)
                high = self.read_member()
                if high < low:
                    raise RegexError(error.BAD_RANGE, self.at)
                ranges.append((ord(low), ord(high)))
            else:
                singles.add(low)
        self.at += 1
        return CharacterSet(singles, ranges, classes, is_negated=is_negated)

    def begins_range(self) -> bool:
        """Whether the next character is a `-` that is not the last member."""
        return self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at)

    def read_member(self) -> str:
        """Return one character, literal or as a symbol."""
        text = self.text
        if self.at >= len(text):
            raise RegexError(error.OPEN_BRACKET, self.start)
        if text.startswith(("[.", "[="), self.at):
            name = self.read_name(text[self.at + 1])
            if len(name) != 1:
                raise RegexError(error.BAD_COLLATION, self.at)
            return name
        if self.has_escapes and text[self.at] == "\\" and self.at + 1 < len(text):
            char, self.at = awk_escape(text, self.at + 1)
            return char
        self.at += 1
        return text[self.at - 1]

    def read_name(self, kind: str) -> str:
        """Return the name in `[:…:]`, `[.….]` or `[=…=]`."""
        close = self.text.find(f"{kind}]", self.at + 2)
        if close < 0:
            raise RegexError(error.OPEN_BRACKET, self.start)
        name = self.text[self.at + 2 : close]
        if kind == ":" and name not in CLASS_NAMES:
            raise RegexError(error.BAD_CLASS, self.at)
        self.at = close + 2
        return name


AWK_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip


def awk_escape(text: str, at: int) -> tuple[str, int]:
    """Return the character for an awk escape after the backslash, and where it ends."""
    char = text[at]
    if char in AWK_ESCAPES:
        return AWK_ESCAPES[char], at + 1
    base, digits, most = (8, "01234567", 3) if char != "x" else (16, "0123456789abcdefABCDEF", 2)
    start = end = at + (base == 16)
    while end < len(text) and end - start < most and text[end] in digits:
        end += 1
    if end == start:
        return char, at + 1
    number = int(text[start:end], base) & 0xFF
    return chr(number if number < 128 else 0xDC00 + number), end
