"""Parse single characters and sets of Perl patterns: escapes and brackets."""

from __future__ import annotations

from keysh.text.regex.charset import MAX_CODE_POINT, CharacterSet, class_ranges
from keysh.text.regex.parse.bracket import CLASS_NAMES
from keysh.text.regex.regex_errors import RegexError
from keysh.text.regex.unicode import PROPERTY_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

BLANK_CHARACTERS = (
    "\t \xa0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
HORIZONTAL_SPACE = BLANK_CHARACTERS + "\u202f\u205f\u3000"
VERTICAL_SPACE = "\n\v\f\r\x85\u2028\u2029"
CLASS_ESCAPES = {
    "d": (("digit", False),), "w": (("word", False),), "s": (("space", False),),
    "D": (("digit", True),), "W": (("word", True),), "S": (("space", True),),
}  # fmt: skip
CONTROL_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "e": "\x1b", "a": "\a"}
DIGITS, OCTAL, HEXADECIMAL = "0123456789", "01234567", "0123456789abcdefABCDEF"

NO_BRACKET = "missing terminating ] for character class"
NOT_HERE = "this is not supported here"
BAD_PROPERTY = "malformed \\P or \\p sequence"


class PerlCharacterParser:
    r"""The position in a pattern. Between `\Q` and `\E` everything is literal."""

    __slots__ = ("is_quoting", "position", "text")

    # The meanings of class letters and of the names in `[[:…:]]`; whether they are ASCII only.
    classes: ClassVar[Mapping[str, tuple[tuple[str, bool], ...]]] = CLASS_ESCAPES
    class_names: ClassVar[Mapping[str, str]] = {
        name: name for name in (*CLASS_NAMES, "word", "ascii")
    }
    is_ascii: ClassVar[bool] = True

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0
        self.is_quoting = False

    def skip_text(self, text: str) -> bool:
        """Skip a string if it is next. Return whether it was."""
        is_here = not self.is_quoting and self.text.startswith(text, self.position)
        self.position += is_here * len(text)
        return is_here

    def find_close(self, close: str, complaint: str) -> int:
        """Return the position after the next `close`."""
        end = self.text.find(close, self.position)
        if end < 0:
            raise RegexError(complaint, len(self.text))
        return end + len(close)

    def digits(self, allowed: str, most: int) -> str:
        start = self.position
        while (
            self.position < len(self.text)
            and self.position - start < most
            and (self.text[self.position] in allowed)
        ):
            self.position += 1
        return self.text[start : self.position]

    def escaped_class(self) -> CharacterSet | None:
        r"""Return the set of `\d` and the like, inside or outside brackets."""
        char = self.text[self.position]
        if char in self.classes:
            class_set = CharacterSet(classes=self.classes[char], is_ascii=self.is_ascii)
        elif char in "hH":
            class_set = CharacterSet(HORIZONTAL_SPACE, is_negated=char == "H")
        elif char in "vV":
            class_set = CharacterSet(VERTICAL_SPACE, is_negated=char == "V")
        elif char in "pP":
            return self.property_set(is_inverted=char == "P")
        elif char in "XC":
            raise RegexError(NOT_HERE, self.position)
        else:
            return None
        self.position += 1
        return class_set

    def property_set(self, *, is_inverted: bool) -> CharacterSet:
        r"""Return the set of `\pL`, `\p{Lu}`, `\p{^Han}` or `\P{Greek}`, as ranges.

        Unlike the other classes of this syntax, properties have members beyond ASCII.
        """
        self.position += 1
        start = self.position
        if self.text.startswith("{", start):
            self.position = self.find_close("}", BAD_PROPERTY)
            name = self.text[start + 1 : self.position - 1]
        else:
            self.position += 1
            name = self.text[start : self.position]
        if self.position > len(self.text):
            raise RegexError(BAD_PROPERTY, start)
        positive_name = name.strip().removeprefix("^")
        is_inverted ^= positive_name != name.strip()
        key = positive_name.translate({ord(mark): None for mark in " _-"}).lower()
        key = "lc" if key == "l&" else key.removeprefix("script=")
        if key == "any":
            return CharacterSet(ranges=[] if is_inverted else [(0, MAX_CODE_POINT)])
        property_name, is_other = PROPERTY_NAMES.get(key, ("", False))
        is_category = len(property_name) <= 2
        if not property_name or (is_category and key != property_name.lower()):
            raise RegexError("unknown property after \\P or \\p", self.position)
        return CharacterSet(ranges=class_ranges(property_name, is_inverted ^ is_other))

    def escaped_char(self) -> str:
        """Return the character that an escape stands for."""
        char = self.text[self.position]
        self.position += 1
        if char in CONTROL_ESCAPES:
            return CONTROL_ESCAPES[char]
        if char == "x":
            if self.skip_text("{"):
                start = self.position
                self.position = self.find_close("}", "missing terminating } for hexadecimal escape")
                return character_of_number(self.text[start : self.position - 1], 16, start)
            return character_of_number(self.digits(HEXADECIMAL, 2) or "0", 16, self.position)
        if char in OCTAL:
            self.position -= 1
            return character_of_number(self.digits(OCTAL, 3), 8, self.position)
        if char == "c" and self.position < len(self.text):
            self.position += 1
            return chr(ord(self.text[self.position - 1].upper()) & 0x7F ^ 64)
        if char.isascii() and char.isalnum():
            raise RegexError("unrecognized character follows \\", self.position)
        return char

    # ------------------------------------------------------------ brackets

    def bracket(self) -> CharacterSet:
        text = self.text
        is_negated = self.skip_text("^")
        singles: set[str] = set()
        ranges: list[tuple[int, int]] = []
        classes: list[tuple[str, bool]] = []
        is_first = True
        while is_first or not text.startswith("]", self.position):
            is_first = False
            if self.position >= len(text):
                raise RegexError(NO_BRACKET, len(text))
            if text.startswith("[:", self.position) and ":]" in text[self.position :]:
                self.position += 2
                start = self.position
                self.position = self.find_close(":]", NO_BRACKET)
                name = text[start : self.position - 2]
                if name.lstrip("^") not in self.class_names:
                    raise RegexError("unknown POSIX class name", start)
                classes.append((self.class_names[name.lstrip("^")], name.startswith("^")))
                continue
            low = self.member(singles, ranges, classes)
            if low and self.is_range():
                self.position += 1
                high = self.member(singles, ranges, classes)
                if not high:
                    raise RegexError("invalid range in character class", self.position)
                if high < low:
                    raise RegexError("range out of order in character class", self.position)
                ranges.append((ord(low), ord(high)))
            elif low:
                singles.add(low)
        self.position += 1
        return CharacterSet(singles, ranges, classes, is_negated=is_negated, is_ascii=self.is_ascii)

    def is_range(self) -> bool:
        return self.text.startswith("-", self.position) and not self.text.startswith(
            "-]", self.position
        )

    def member(
        self, singles: set[str], ranges: list[tuple[int, int]], classes: list[tuple[str, bool]]
    ) -> str:
        """Return one character of a set, or add a class to the set and return ""."""
        if self.position >= len(self.text):
            raise RegexError(NO_BRACKET, len(self.text))
        if not self.skip_text("\\"):
            self.position += 1
            return self.text[self.position - 1]
        if self.position == len(self.text):
            raise RegexError(NO_BRACKET, self.position)
        if self.skip_text("b"):
            return "\b"
        class_set = self.escaped_class()
        if class_set is None:
            return self.escaped_char()
        if class_set.is_negated:
            raise RegexError(NOT_HERE, self.position)
        singles |= class_set.singles
        ranges += class_set.ranges
        classes += class_set.classes
        return ""


def character_of_number(digits: str, base: int, position: int) -> str:
    """Return a character by its number."""
    try:
        number = int(digits, base)
    except ValueError:
        raise RegexError("non-hex character in \\x{}", position) from None
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise RegexError("character code point value in \\x{} or \\o{} is too large", position)
    return chr(number)
