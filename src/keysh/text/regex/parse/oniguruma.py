"""Parse Oniguruma's regular expressions, as jq uses them: Perl's, with Unicode classes."""

from __future__ import annotations

from keysh.text.regex.charset import ANY_CHARACTER, CharacterSet
from keysh.text.regex.parse.perl import (
    BAD_GROUP,
    NO_CLOSE,
    NO_GROUP,
    NO_ITEM,
    NOT_FIXED,
    PerlParser,
)
from keysh.text.regex.parse.perl_characters import (
    DIGITS,
    HEXADECIMAL,
    NO_BRACKET,
    NOT_HERE,
    OCTAL,
    character_of_number,
)
from keysh.text.regex.regex_errors import RegexError
from keysh.text.regex.regex_tree import Assertion, CharacterNode, Lookaround
from keysh.text.regex.unicode import PROPERTY_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from keysh.text.regex.regex_tree import Node

# Its messages, by those of PCRE2.
ONIGURUMA_MESSAGES = {
    NO_CLOSE: "end pattern with unmatched parenthesis",
    "unmatched closing parenthesis": "unmatched close parenthesis",
    NO_BRACKET: "premature end of char-class",
    NO_ITEM: "target of repeat operator is not specified",
    NOT_FIXED: "invalid pattern in look-behind",
    NO_GROUP: "invalid backref number/name",
    BAD_GROUP: "undefined group option",
    "\\ at end of pattern": "end pattern at escape",
    "range out of order in character class": "empty range in char class",
    "invalid range in character class": "char-class value at end of range",
    "unknown POSIX class name": "invalid POSIX bracket type",
    "number too big in {} quantifier": "too big number for repeat range",
    "numbers out of order in {} quantifier": "upper is smaller than lower in repeat range",
}
SPECIAL_ESCAPES = "tnrfeaxco01234567"  # special after a backslash


class OnigurumaParser(PerlParser):
    """Parses one pattern."""

    __slots__ = ()

    classes: ClassVar[Mapping[str, tuple[tuple[str, bool], ...]]] = {
        "d": (("Nd", False),), "w": (("Word", False),), "s": (("Space", False),),
        "D": (("Nd", True),), "W": (("Word", True),), "S": (("Space", True),),
    }  # fmt: skip
    class_names: ClassVar[Mapping[str, str]] = {
        name: PROPERTY_NAMES[name][0]
        for name in (
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print",
            "space", "upper", "xdigit", "word",
        )
    } | {"punct": "Marks"}  # fmt: skip
    is_ascii: ClassVar[bool] = False
    dollar: ClassVar[str] = "last newline"
    stacks: ClassVar[bool] = True

    def read(self) -> Node:
        try:
            return super().read()
        except RegexError as error:
            message = ONIGURUMA_MESSAGES.get(error.message, error.message)
            raise RegexError(message, error.position) from None

    def group(self, depth: int) -> Node | None:
        following = self.text[self.position + 2 : self.position + 3]
        if self.text.startswith("(?", self.position) and following in ("~", "("):
            raise RegexError(NOT_HERE, self.position)
        if (
            self.text.startswith("(?", self.position)
            and following in "P|&R+0123456789"
            and following
        ):
            raise RegexError(BAD_GROUP, self.position)
        return super().group(depth)

    def read_capture_group(self, depth: int, name: str | None = None) -> Node:
        if name == "":
            raise RegexError("group name is empty", self.position)
        if name is not None and name[0] in "-0123456789":
            raise RegexError(f"invalid group name <{name}>", self.position)
        return super().read_capture_group(depth, name or "")

    def read_repetition(self, part: Node) -> Node:
        if isinstance(part, Assertion | Lookaround) and self.bounds() is not None:
            raise RegexError("target of repeat operator is invalid", self.position)
        return super().read_repetition(part)

    # ------------------------------------------------------------ escapes

    def escape(self) -> Node:
        char = self.text[self.position : self.position + 1]
        if char in ("g", "k") and self.text[self.position + 1 : self.position + 2] not in (
            "<",
            "'",
        ):
            self.position += 1
            return self.character_node(char)
        if char in ("g", "G", "X", "y", "Y"):
            raise RegexError(NOT_HERE, self.position)
        if char == "O":
            self.position += 1
            return CharacterNode(ANY_CHARACTER)
        start = self.position
        digits = self.digits(DIGITS, 9)
        self.position = start
        if digits[:1] in OCTAL and len(digits) > 1 and int(digits) >= len(self.users):
            return self.character_node(self.escaped_char())
        return super().escape()

    def escaped_class(self) -> CharacterSet | None:
        char = self.text[self.position]
        if char in self.classes:
            return super().escaped_class()
        if char not in "pP" or not self.text.startswith("{", self.position + 1):
            return None
        start = self.position + 2
        self.position = start
        self.position = self.find_close("}", NO_CLOSE)
        name = self.text[start : self.position - 1]
        positive_name = name.removeprefix("^")
        key = positive_name.translate({ord(mark): None for mark in " _-"}).lower()
        if key == "any":
            return ANY_CHARACTER
        if key not in PROPERTY_NAMES:
            raise RegexError(f"invalid character property name {{{name}}}", start)
        property_name, is_other = PROPERTY_NAMES[key]
        is_inverted = is_other ^ (char == "P") ^ (positive_name != name)
        return CharacterSet(classes=[(property_name, is_inverted)])

    def escaped_char(self) -> str:
        char = self.text[self.position]
        following = self.text[self.position + 1 : self.position + 2]
        if char == "o" and following == "{":
            start = self.position + 2
            self.position = start
            self.position = self.find_close("}", NO_CLOSE)
            return character_of_number(self.text[start : self.position - 1], 8, start)
        is_plain = char.isascii() and char.isalnum() and char not in SPECIAL_ESCAPES
        if (
            is_plain
            or char == "o"
            or (char == "x" and (not following or following not in HEXADECIMAL + "{"))
        ):
            self.position += 1
            return char
        return super().escaped_char()

    def member(
        self, singles: set[str], ranges: list[tuple[int, int]], classes: list[tuple[str, bool]]
    ) -> str:
        char = super().member(singles, ranges, classes)
        if not char and self.is_range():
            raise RegexError("unmatched range specifier in char-class", self.position)
        return char
