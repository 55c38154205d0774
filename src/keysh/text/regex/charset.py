"""Character sets: what one character may be, as a test, as a mask and in `re` syntax.

An invalid UTF-8 byte is a surrogate in text. Only a set that names it contains it; `.`, `[^a]`
and classes do not, as in the C.UTF-8 locale.
"""

from __future__ import annotations

from functools import cache

from keysh.text.pattern_parser import CHARACTER_CLASSES
from keysh.text.regex.unicode import PROPERTIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Range: TypeAlias = tuple[int, int]

BYTE_SURROGATES = (0xDC80, 0xDCFF)  # the surrogates that stand for bytes
MAX_CODE_POINT = 0x10FFFF
CLASS_SCAN_END = (
    0x32400  # beyond it are only tags, selectors and private use, which no class has here
)
NON_ASCII_BIT = 1 << 128  # the bit of a mask for all non-ASCII characters
ASCII_MASK = NON_ASCII_BIT - 1
ESCAPED_IN_SETS = "\\]^-[&~|"  # special in a set of `re`


def is_word(char: str) -> bool:
    r"""Whether `\w`, `\b` and `\<` consider a character part of a word."""
    return char.isalnum() or char == "_"


CLASS_TESTS: dict[str, Callable[[str], bool]] = {**CHARACTER_CLASSES, "word": is_word, **PROPERTIES}


class CharacterSet:
    r"""A set: some characters, ranges and classes, or all but these.

    A class is its name and whether it is inverted, as `\D` within brackets.
    """

    __slots__ = ("_mask", "classes", "is_ascii", "is_negated", "lacks_newline", "ranges", "singles")

    def __init__(
        self,
        singles: Iterable[str] = (),
        ranges: Iterable[Range] = (),
        classes: Iterable[tuple[str, bool]] = (),
        *,
        is_negated: bool = False,
        is_ascii: bool = False,
        lacks_newline: bool = False,
    ) -> None:
        self.singles, self.ranges = frozenset(singles), tuple(ranges)
        self.classes, self.is_negated = tuple(classes), is_negated
        self.is_ascii = is_ascii  # whether classes contain ASCII only
        self.lacks_newline = lacks_newline
        self._mask = -1

    def contains(self, char: str) -> bool:
        """Whether a character is in the set."""
        if char in self.singles:
            return not self.is_negated
        if char == "\n" and self.lacks_newline:
            return False
        code = ord(char)
        if BYTE_SURROGATES[0] <= code <= BYTE_SURROGATES[1]:
            return False
        is_member = any(first <= code <= last for first, last in self.ranges) or any(
            self.in_class(char, name) != inverted for name, inverted in self.classes
        )
        return is_member != self.is_negated

    def in_class(self, char: str, name: str) -> bool:
        return CLASS_TESTS[name](char) and (char < "\x80" or not self.is_ascii)

    @property
    def mask(self) -> int:
        """A bit for each ASCII character in the set, and one for all other characters."""
        if self._mask < 0:
            reaches = self.is_negated or any(name not in ASCII_CLASSES for name, _ in self.classes)
            mask = NON_ASCII_BIT if reaches else 0
            if self.ranges or self.classes or self.is_negated:
                for code in range(128):
                    if self.contains(chr(code)):
                        mask |= 1 << code
                mask |= NON_ASCII_BIT * any(last > 127 for _, last in self.ranges)
                mask |= NON_ASCII_BIT * any(char > "\x7f" for char in self.singles)
            else:
                for char in self.singles:
                    mask |= 1 << min(ord(char), 128)
            self._mask = mask
        return self._mask

    @property
    def single(self) -> str:
        """The only character of the set; empty if there may be more."""
        if len(self.singles) == 1 and not (self.ranges or self.classes or self.is_negated):
            return next(iter(self.singles))
        return ""

    def without_newline(self) -> CharacterSet:
        """Return this set without the newline."""
        if not self.contains("\n"):
            return self
        return CharacterSet(
            self.singles - {"\n"}, self.ranges, self.classes,
            is_negated=self.is_negated, is_ascii=self.is_ascii, lacks_newline=True,
        )  # fmt: skip

    # ------------------------------------------------------------ syntax of `re`

    def re_text(self, only_ascii: bool) -> str:
        """Return the set in `re` syntax, simplified if texts are `only_ascii`."""
        if self.single:
            return (
                re_literal(self.single) if self.single < "\x80" or not only_ascii else NEVER_MATCHES
            )
        mask = self.mask & ASCII_MASK
        if only_ascii:
            if mask == ASCII_MASK:
                return "(?s:.)"
            if mask == ASCII_MASK & ~(1 << 10):
                return "."
            if not mask:
                return NEVER_MATCHES
            is_inverted = mask.bit_count() > 64
            members = mask_ranges(ASCII_MASK & ~mask if is_inverted else mask)
            return f"[{'^' * is_inverted}{ranges_text(members)}]"
        if self.is_negated:
            excluded = mask_ranges(ASCII_MASK & ~mask)
            return f"[^{ranges_text([*excluded, *self.non_ascii_ranges(), BYTE_SURROGATES])}]"
        bytes_named = [(ord(char), ord(char)) for char in self.singles if is_byte(char)]
        members_text = ranges_text([*mask_ranges(mask), *self.non_ascii_ranges(), *bytes_named])
        return f"[{members_text}]" if members_text else NEVER_MATCHES

    def non_ascii_ranges(self) -> list[Range]:
        """Return the non-ASCII members, ignoring negation; bytes only if a range contains them."""
        ranges = [
            (ord(char), ord(char)) for char in self.singles if char > "\x7f" and not is_byte(char)
        ]
        for first, last in self.ranges:
            ranges += clip_ranges([(max(first, 128), last)] if last > 127 else [], 128)
        for name, inverted in self.classes:
            ranges += non_ascii_class_ranges(name, self.is_ascii, inverted)
        return ranges


ASCII_CLASSES = ("ascii", "digit", "xdigit")  # classes without other members
NEVER_MATCHES = "(?!)"
ANY_CHARACTER = CharacterSet(is_negated=True)
NOT_NEWLINE = CharacterSet("\n", is_negated=True)


def is_byte(char: str) -> bool:
    return BYTE_SURROGATES[0] <= ord(char) <= BYTE_SURROGATES[1]


def clip_ranges(ranges: Iterable[Range], least: int) -> list[Range]:
    """Return the parts of ranges from `least` on, without the surrogates for bytes."""
    clipped: list[Range] = []
    for first, last in ranges:
        first = max(first, least)
        for low, high in (
            (first, min(last, BYTE_SURROGATES[0] - 1)),
            (max(first, BYTE_SURROGATES[1] + 1), last),
        ):
            if low <= high:
                clipped.append((low, high))
    return clipped


def mask_ranges(mask: int) -> list[Range]:
    """Return the runs of ones in a mask."""
    runs: list[Range] = []
    position = 0
    while mask:
        skipped = (mask & -mask).bit_length() - 1
        mask >>= skipped
        length = (~mask & (mask + 1)).bit_length() - 1
        runs.append((position + skipped, position + skipped + length - 1))
        mask >>= length
        position += skipped + length
    return runs


@cache
def non_ascii_class_ranges(name: str, only_ascii: bool, inverted: bool) -> list[Range]:
    """Return the non-ASCII characters of a class as ranges."""
    test = CLASS_TESTS[name]
    ranges: list[Range] = []
    if not only_ascii and name not in ASCII_CLASSES:
        first = -1
        for code in range(128, CLASS_SCAN_END + 1):
            if code < CLASS_SCAN_END and test(chr(code)):
                first = code if first < 0 else first
            elif first >= 0:
                ranges.append((first, code - 1))
                first = -1
    if not inverted:
        return clip_ranges(ranges, 128)
    gaps, position = [], 128
    for first, last in ranges:
        gaps.append((position, first - 1))
        position = last + 1
    return clip_ranges([*gaps, (position, MAX_CODE_POINT)], 128)


def class_ranges(name: str, inverted: bool) -> list[Range]:
    """Return the characters of a class, or all others, as ranges."""
    mask = CharacterSet(classes=[(name, inverted)]).mask & ASCII_MASK
    return [*mask_ranges(mask), *non_ascii_class_ranges(name, False, inverted)]


def re_literal(char: str) -> str:
    """Return a character in `re` syntax outside sets."""
    return f"\\{char}" if char in ".^$*+?{}\\[]|()" else char


def ranges_text(ranges: Iterable[Range]) -> str:
    """Return ranges in `re` syntax within a set."""
    pieces = []
    for first, last in ranges:
        pieces.append(set_member_text(first))
        if last > first:
            pieces.append(
                f"-{set_member_text(last)}" if last > first + 1 else set_member_text(last)
            )
    return "".join(pieces)


def set_member_text(code: int) -> str:
    char = chr(code)
    return f"\\{char}" if char in ESCAPED_IN_SETS else char
