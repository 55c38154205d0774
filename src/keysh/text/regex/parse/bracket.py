"""Parse bracket expressions of regular expressions: `[a-z]`, `[^[:digit:]]`, `[[.-.][=a=]]`."""

from __future__ import annotations

from keysh.text.pattern_parser import CHARACTER_CLASSES
from keysh.text.regex import regex_errors as error
from keysh.text.regex.charset import CharacterSet
from keysh.text.regex.regex_errors import RegexError

CLASS_NAMES = frozenset(CHARACTER_CLASSES) - {"ascii", "word"}


class BracketParser:
    """Parses one bracket expression, from after its `[`.

    With `has_escapes`, as in awk, a backslash means the same as outside.
    """

    __slots__ = ("has_escapes", "position", "start", "text")

    def __init__(self, text: str, position: int, has_escapes: bool = False) -> None:
        self.text, self.position, self.start = text, position, position
        self.has_escapes = has_escapes

    def read(self) -> CharacterSet:
        """Return the set and leave `position` after the `]`."""
        text = self.text
        if self.position == len(text):
            raise RegexError(error.BAD_PATTERN, self.start)
        is_negated = text[self.position] == "^"
        self.position += is_negated
        singles: set[str] = set()
        ranges: list[tuple[int, int]] = []
        classes: list[tuple[str, bool]] = []
        is_first = True
        while is_first or not text.startswith("]", self.position):
            if not is_first and self.begins_range():  # without a start, as in `[a-c-e]`
                raise RegexError(error.BAD_RANGE, self.position)
            is_first = False
            if text.startswith("[:", self.position):
                classes.append((self.read_name(":"), False))
                if self.begins_range():
                    raise RegexError(error.BAD_RANGE, self.position)
                continue
            low = self.read_member()
            if self.begins_range():
                self.position += 1
                if text.startswith(("[:", "[="), self.position):
                    raise RegexError(error.BAD_RANGE, self.position)
                high = self.read_member()
                if high < low:
                    raise RegexError(error.BAD_RANGE, self.position)
                ranges.append((ord(low), ord(high)))
            else:
                singles.add(low)
        self.position += 1
        return CharacterSet(singles, ranges, classes, is_negated=is_negated)

    def begins_range(self) -> bool:
        """Whether the next character is a `-` that is not the last member."""
        return self.text.startswith("-", self.position) and not self.text.startswith(
            "-]", self.position
        )

    def read_member(self) -> str:
        """Return one character, literal or as a symbol."""
        text = self.text
        if self.position >= len(text):
            raise RegexError(error.OPEN_BRACKET, self.start)
        if text.startswith(("[.", "[="), self.position):
            name = self.read_name(text[self.position + 1])
            if len(name) != 1:
                raise RegexError(error.BAD_COLLATION, self.position)
            return name
        if self.has_escapes and text[self.position] == "\\" and self.position + 1 < len(text):
            char, self.position = awk_escape(text, self.position + 1)
            return char
        self.position += 1
        return text[self.position - 1]

    def read_name(self, kind: str) -> str:
        """Return the name in `[:…:]`, `[.….]` or `[=…=]`."""
        close = self.text.find(f"{kind}]", self.position + 2)
        if close < 0:
            raise RegexError(error.OPEN_BRACKET, self.start)
        name = self.text[self.position + 2 : close]
        if kind == ":" and name not in CLASS_NAMES:
            raise RegexError(error.BAD_CLASS, self.position)
        self.position = close + 2
        return name


AWK_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip


def awk_escape(text: str, position: int) -> tuple[str, int]:
    """Return the character for an awk escape after the backslash, and where it ends."""
    char = text[position]
    if char in AWK_ESCAPES:
        return AWK_ESCAPES[char], position + 1
    base, digits, most = (8, "01234567", 3) if char != "x" else (16, "0123456789abcdefABCDEF", 2)
    start = end = position + (base == 16)
    while end < len(text) and end - start < most and text[end] in digits:
        end += 1
    if end == start:
        return char, position + 1
    number = int(text[start:end], base) & 0xFF
    return chr(number if number < 128 else 0xDC00 + number), end
