"""Formats of groups and lines, as `--GTYPE-group-format` and `--LTYPE-line-format` take them.

    group_pieces("%dn,%dN%(n=1?:s)\\n%<")   a group's format: texts, and functions of a group
    line_pieces("%4dn %L")                  a line's: texts, and functions of a line and its number

What looks like a conversion and is none stands for itself, as it does for GNU's diff.
"""

from __future__ import annotations

import re

from keysh.text.escapes import byte_character
from keysh.text.printf import Conversion, format_conversion, parse_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    Piece: TypeAlias = "str | Callable[[Group], Iterator[str]]"
    LinePiece: TypeAlias = "str | Callable[[str, int], str]"

DEEPEST = 100  # `%(…?…:…)` inside one another
WIDEST = 10_000  # columns of a number
NUMBER = re.compile(r"([-'0]*)(\d*)(?:\.(\d*))?([doxX])(.)", re.ASCII | re.DOTALL)
CHARACTER = re.compile(r"[-'0]*\d*(?:\.\d*)?c'(?:\\([0-7]{1,3})|([^'\\\x80-\U0010ffff]))'")
VALUE = r"([0-9]{1,19}|[eflmnEFLMN])"  # a number, or the letter of one: small for the old side
CONDITION = re.compile(rf"\({VALUE}={VALUE}\?")
LINES = {"<": (0, "old"), "=": (0, "unchanged"), ">": (1, "new")}  # whose lines, in which format


class FormatError(Exception):
    """A format goes beyond what is possible; the text says how."""


class Group:
    """Lines of both sides that are the same, or stand for each other."""

    __slots__ = ("_formats", "_sides", "_spans")

    def __init__(
        self, old: Sequence[str], new: Sequence[str], formats: Mapping[str, list[LinePiece]]
    ) -> None:
        self._sides, self._formats = (old, new), formats
        self._spans = [(0, 0), (0, 0)]

    def move(self, old_end: int, new_end: int) -> bool:
        """Go on to the lines up to these; whether there are any."""
        self._spans = [
            (end, upto) for (_, end), upto in zip(self._spans, (old_end, new_end), strict=True)
        ]
        return any(start < end for start, end in self._spans)

    def shown(self, pieces: Sequence[Piece]) -> Iterator[str]:
        """The group in a format."""
        for piece in pieces:
            if isinstance(piece, str):
                yield piece
            else:
                yield from piece(self)

    def lines(self, side: int, kind: str) -> Iterator[str]:
        """The lines of one side in the format of a kind."""
        start, end = self._spans[side]
        pieces = self._formats[kind]
        for number, line in enumerate(self._sides[side][start:end], start + 1):
            for piece in pieces:
                yield piece if isinstance(piece, str) else piece(line, number)

    def value(self, name: str) -> int:
        """What a letter or a number stands for."""
        if name.isdecimal():
            return int(name)
        start, end = self._spans[name.isupper()]
        values = {"e": start, "f": start + 1, "l": end, "m": end + 1, "n": end - start}
        return values[name.lower()]


def group_pieces(text: str) -> list[Piece]:
    """The pieces of a group's format."""
    return branch(text, 0, "", 1)[0]


def branch(text: str, at: int, end: str, depth: int) -> tuple[list[Piece], int]:
    """The pieces up to a character, and where that is."""
    pieces: list[Piece] = []
    while at < len(text) and text[at] != end:
        piece, at = group_piece(text, at + 1, depth) if text[at] == "%" else (text[at], at + 1)
        pieces.append(piece)
    return pieces, at


def group_piece(text: str, at: int, depth: int) -> tuple[Piece, int]:
    """What stands behind a `%`, and where it ends."""
    letter = text[at : at + 1]
    if letter in LINES:
        side, kind = LINES[letter]
        return lambda group: group.lines(side, kind), at + 1
    if condition := CONDITION.match(text, at):
        return choice(text, condition, depth + 1)
    number = NUMBER.match(text, at)
    if number and number[5] in "eflmnEFLMN":
        conversion, name = conversion_of(number), number[5]
        return lambda group: iter((format_conversion(conversion, group.value(name)),)), number.end()
    return plain_piece(text, at)


def choice(text: str, condition: re.Match[str], depth: int) -> tuple[Piece, int]:
    """`%(A=B?T:E)`, of which the condition has been read."""
    if depth > DEEPEST:
        raise FormatError(f"format nested more than {DEEPEST} deep")
    first, second = condition.groups()
    then, at = branch(text, condition.end(), ":", depth)
    other, at = branch(text, at + 1, ")", depth)

    def chosen(group: Group) -> Iterator[str]:
        is_equal = group.value(first) == group.value(second)
        return group.shown(then if is_equal else other)

    return chosen, at + 1


def line_pieces(text: str) -> list[LinePiece]:
    """The pieces of a line's format."""
    pieces: list[LinePiece] = []
    at = 0
    while at < len(text):
        piece, at = line_piece(text, at + 1) if text[at] == "%" else (text[at], at + 1)
        pieces.append(piece)
    return pieces


def line_piece(text: str, at: int) -> tuple[LinePiece, int]:
    """What stands behind a `%` in a line's format, and where it ends."""
    letter = text[at : at + 1]
    if letter == "L":
        return lambda line, number: line, at + 1
    if letter == "l":
        return lambda line, number: line.removesuffix("\n"), at + 1
    number = NUMBER.match(text, at)
    if number and number[5] == "n":
        conversion = conversion_of(number)
        return lambda line, number: format_conversion(conversion, number), number.end()
    return plain_piece(text, at)


def plain_piece(text: str, at: int) -> tuple[str, int]:
    """`%%`, `%c'C'`, and whatever else stands for itself."""
    if text[at : at + 1] == "%":
        return "%", at + 1
    if char := CHARACTER.match(text, at):
        return char[2] or byte_character(int(char[1], 8) & 0xFF), char.end()
    return "%", at


def conversion_of(number: re.Match[str]) -> Conversion:
    """How a number is written."""
    width = parse_size(number[2])
    precision = None if number[3] is None else parse_size(number[3])
    if max(width, precision or 0) > WIDEST:
        raise FormatError(f"number of more than {WIDEST} columns in a format")
    return Conversion(number[1], width, precision, number[4])
