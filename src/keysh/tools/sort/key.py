"""Keys: the parts of a line to sort by, as `-k 2.3b,4nr` tells them."""

from __future__ import annotations

import re

from keysh.interp.state.call import Failure
from keysh.text.gnu_quoting import locale_quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TROUBLE = 2  # the status of whatever is wrong
LETTERS = "bdfghiMnRrV"
COUNT = re.compile(r"[ \t]*\+?([0-9]+)")
FAR = 1 << 62  # a field or a character further than this is as far
# Kinds of order that cannot be had together, beside those of text.
NUMBERS = "ghMn"


class Position:
    """A place in a line: so many fields on, so many characters into that; and then any blanks."""

    __slots__ = ("chars", "fields", "skips_blanks")

    def __init__(self, fields: int, chars: int) -> None:
        self.fields, self.chars = fields, chars
        self.skips_blanks = False


class Key:
    """One key: where it begins and ends, and the letters of its order (all but b and r).

    Without an end it reaches to the end of the line; an end without characters is that of a field.
    """

    __slots__ = ("end", "is_general", "is_reversed", "order", "start")

    def __init__(self, start: Position, end: Position | None) -> None:
        self.start, self.end = start, end
        self.is_general = False  # whether its order is that of the options for all keys
        self.order: set[str] = set()
        self.is_reversed = False

    def take(self, letters: Iterable[str]) -> None:
        """Add letters that hold for the whole line."""
        for letter in letters:
            if letter == "b":
                for position in (self.start, self.end):
                    if position is not None:
                        position.skips_blanks = True
            elif letter == "r":
                self.is_reversed = True
            else:
                self.order.add(letter)

    @property
    def is_plain(self) -> bool:
        """Whether it says nothing of its order, so that the options for all keys hold."""
        has_blanks = self.start.skips_blanks or (self.end is not None and self.end.skips_blanks)
        return not (self.order or self.is_reversed or has_blanks)

    @property
    def is_whole_line(self) -> bool:
        start = self.start
        return self.end is None and not (start.fields or start.chars or start.skips_blanks)

    @property
    def is_number(self) -> bool:
        """Whether it takes the whole line for a decimal number."""
        return self.is_whole_line and self.order == {"n"}

    def check(self) -> None:
        """Refuse orders that cannot be had together."""
        is_text = bool(self.order & set("VRdi"))
        if sum(letter in self.order for letter in NUMBERS) + is_text > 1:
            hidden = "i" if "d" in self.order else ""  # the one implies the other
            shown = "".join(sorted(self.order - {hidden}, key=str.lower))
            raise Failure(f"options '-{shown}' are incompatible", TROUBLE)


def whole_line() -> Key:
    return Key(Position(0, 0), None)


def key_of(text: str) -> Key:
    """The key that an option's value tells."""
    field, rest = counted(text, text, "invalid number at field start")
    chars = 1
    if not field:
        raise invalid("field number is zero", text)
    if rest.startswith("."):
        chars, rest = counted(rest[1:], text, "invalid number after '.'")
        if not chars:
            raise invalid("character offset is zero", text)
    key = Key(Position(field - 1, chars - 1), None)
    rest = letters_of(key, key.start, rest)
    if rest.startswith(","):
        field, rest = counted(rest[1:], text, "invalid number after ','")
        if not field:
            raise invalid("field number is zero", text)
        chars = 0
        if rest.startswith("."):
            chars, rest = counted(rest[1:], text, "invalid number after '.'")
        key.end = Position(field - 1 if chars else field, chars)
        rest = letters_of(key, key.end, rest)
    if rest:
        raise invalid("stray character in field spec", text)
    return key


def counted(rest: str, text: str, says: str) -> tuple[int, str]:
    """The number that the rest begins with, and what follows it."""
    found = COUNT.match(rest)
    if found is None:
        raise Failure(f"{says}: invalid count at start of {locale_quoted(rest)}", TROUBLE)
    digits = found[1]
    return (FAR if len(digits) > 18 else int(digits)), rest[found.end() :]


def letters_of(key: Key, position: Position, rest: str) -> str:
    """Read the letters behind a position; what follows them. A b is only of this position."""
    behind = rest.lstrip(LETTERS)
    for letter in rest[: len(rest) - len(behind)]:
        if letter == "b":
            position.skips_blanks = True
        else:
            key.take(letter)
    return behind


def invalid(says: str, text: str) -> Failure:
    return Failure(f"{says}: invalid field specification {locale_quoted(text)}", TROUBLE)
