"""Keys: the parts of a line to sort by, as `-k 2.3b,4nr` tells them."""

from __future__ import annotations

import re

from keysh.interp.state.call import CommandFailure
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FAILURE_STATUS = 2  # the status of whatever is wrong
ORDER_LETTERS = "bdfghiMnRrV"
LEADING_COUNT = re.compile(r"[ \t]*\+?([0-9]+)")
MAX_POSITION = 1 << 62  # a field or a character further than this is as far
# Kinds of order that cannot be had together, beside those of text.
NUMERIC_LETTERS = "ghMn"


class KeyPosition:
    """A place in a line: so many fields on, so many characters into that; and then any blanks."""

    __slots__ = ("chars", "fields", "skips_blanks")

    def __init__(self, fields: int, chars: int) -> None:
        self.fields, self.chars = fields, chars
        self.skips_blanks = False


class SortKey:
    """One key: where it begins and ends, and the letters of its order (all but b and r).

    Without an end it reaches to the end of the line; an end without characters is that of a field.
    """

    __slots__ = ("end", "uses_general_order", "is_reversed", "order", "start")

    def __init__(self, start: KeyPosition, end: KeyPosition | None) -> None:
        self.start, self.end = start, end
        self.uses_general_order = False  # whether its order is that of the options for all keys
        self.order: set[str] = set()
        self.is_reversed = False

    def add_letters(self, letters: Iterable[str]) -> None:
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
    def has_no_letters(self) -> bool:
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

    def check_compatible(self) -> None:
        """Refuse orders that cannot be had together."""
        is_text = bool(self.order & set("VRdi"))
        if sum(letter in self.order for letter in NUMERIC_LETTERS) + is_text > 1:
            hidden = "i" if "d" in self.order else ""  # the one implies the other
            shown = "".join(sorted(self.order - {hidden}, key=str.lower))
            raise CommandFailure(f"options '-{shown}' are incompatible", FAILURE_STATUS)


def whole_line_key() -> SortKey:
    return SortKey(KeyPosition(0, 0), None)


def parse_key(text: str) -> SortKey:
    """The key that an option's value tells."""
    field, rest = read_count(text, text, "invalid number at field start")
    chars = 1
    if not field:
        raise invalid_key("field number is zero", text)
    if rest.startswith("."):
        chars, rest = read_count(rest[1:], text, "invalid number after '.'")
        if not chars:
            raise invalid_key("character offset is zero", text)
    key = SortKey(KeyPosition(field - 1, chars - 1), None)
    rest = read_letters(key, key.start, rest)
    if rest.startswith(","):
        field, rest = read_count(rest[1:], text, "invalid number after ','")
        if not field:
            raise invalid_key("field number is zero", text)
        chars = 0
        if rest.startswith("."):
            chars, rest = read_count(rest[1:], text, "invalid number after '.'")
        key.end = KeyPosition(field - 1 if chars else field, chars)
        rest = read_letters(key, key.end, rest)
    if rest:
        raise invalid_key("stray character in field spec", text)
    return key


def read_count(rest: str, text: str, says: str) -> tuple[int, str]:
    """The number that the rest begins with, and what follows it."""
    found = LEADING_COUNT.match(rest)
    if found is None:
        raise CommandFailure(
            f"{says}: invalid count at start of {locale_quoted_text(rest)}", FAILURE_STATUS
        )
    digits = found[1]
    return (MAX_POSITION if len(digits) > 18 else int(digits)), rest[found.end() :]


def read_letters(key: SortKey, position: KeyPosition, rest: str) -> str:
    """Read the letters behind a position; what follows them. A b is only of this position."""
    behind = rest.lstrip(ORDER_LETTERS)
    for letter in rest[: len(rest) - len(behind)]:
        if letter == "b":
            position.skips_blanks = True
        else:
            key.add_letters(letter)
    return behind


def invalid_key(says: str, text: str) -> CommandFailure:
    return CommandFailure(
        f"{says}: invalid field specification {locale_quoted_text(text)}", FAILURE_STATUS
    )
