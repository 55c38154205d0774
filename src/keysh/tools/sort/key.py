"""Keys: the parts of a line to sort by, such as `-k 2.3b,4nr`."""

from __future__ import annotations

import re

from keysh.interp.state.call import CommandFailure
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FAILURE_STATUS = 2  # the status of every failure
ORDER_LETTERS = "bdfghiMnRrV"
LEADING_COUNT = re.compile(r"[ \t]*\+?([0-9]+)")
MAX_POSITION = 1 << 62  # larger field and character numbers count as this
# Orders that exclude each other, and also those of text.
NUMERIC_LETTERS = "ghMn"


class KeyPosition:
    """A position in a line: fields to skip, characters to skip, and whether to skip blanks."""

    __slots__ = ("chars", "fields", "skips_blanks")

    def __init__(self, fields: int, chars: int) -> None:
        self.fields, self.chars = fields, chars
        self.skips_blanks = False


class SortKey:
    """One key: its start, its end, and the letters of its order (except b and r).

    Without an end, it extends to the end of the line; an end without characters is that of a field.
    """

    __slots__ = ("end", "is_reversed", "order", "start")

    def __init__(self, start: KeyPosition, end: KeyPosition | None) -> None:
        self.start, self.end = start, end
        self.order: set[str] = set()
        self.is_reversed = False

    def add_letters(self, letters: Iterable[str]) -> None:
        """Add ordering letters; b applies to both positions."""
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
        """Whether it has no letters, so that the global options apply."""
        has_blanks = self.start.skips_blanks or (self.end is not None and self.end.skips_blanks)
        return not (self.order or self.is_reversed or has_blanks)

    @property
    def is_whole_line(self) -> bool:
        start = self.start
        return self.end is None and not (start.fields or start.chars or start.skips_blanks)

    @property
    def is_number(self) -> bool:
        """Whether it compares whole lines as decimal numbers."""
        return self.is_whole_line and self.order == {"n"}

    def check_compatible(self) -> None:
        """Fail if orders exclude each other."""
        is_text = bool(self.order & set("VRdi"))
        if sum(letter in self.order for letter in NUMERIC_LETTERS) + is_text > 1:
            hidden = "i" if "d" in self.order else ""  # d implies i
            letters = "".join(sorted(self.order - {hidden}, key=str.lower))
            raise CommandFailure(f"options '-{letters}' are incompatible", FAILURE_STATUS)


def whole_line_key() -> SortKey:
    return SortKey(KeyPosition(0, 0), None)


def parse_key(text: str) -> SortKey:
    """Parse the value of `-k`."""
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


def read_count(rest: str, text: str, message: str) -> tuple[int, str]:
    """Read a number; returns it and the text after it."""
    match = LEADING_COUNT.match(rest)
    if match is None:
        raise CommandFailure(
            f"{message}: invalid count at start of {locale_quoted_text(rest)}", FAILURE_STATUS
        )
    digits = match[1]
    return (MAX_POSITION if len(digits) > 18 else int(digits)), rest[match.end() :]


def read_letters(key: SortKey, position: KeyPosition, rest: str) -> str:
    """Read the letters after a position; returns the text after them. b is only for it."""
    behind = rest.lstrip(ORDER_LETTERS)
    for letter in rest[: len(rest) - len(behind)]:
        if letter == "b":
            position.skips_blanks = True
        else:
            key.add_letters(letter)
    return behind


def invalid_key(message: str, text: str) -> CommandFailure:
    return CommandFailure(
        f"{message}: invalid field specification {locale_quoted_text(text)}", FAILURE_STATUS
    )
