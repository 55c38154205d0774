"""Counts: lines, words, characters, bytes and the widest line of a text that comes in chunks.

A word is a run of printed characters; what is neither printed nor a blank counts for nothing.
"""

from __future__ import annotations

import re

from keysh.diagnostics.width import CharacterWidths, is_printed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# Bytes as the one thing that matters of them: a blank, or a part of a word.
BLANKS = b" \t\n\v\f\r"
WORD_SHAPES = bytes(0x20 if byte in BLANKS else 0x78 for byte in range(256))
UNPRINTED_BYTES = bytes(byte for byte in [*range(32), 127] if byte not in BLANKS)
ASCII_BYTES = bytes(range(128))
# What is left of a text without these are controls that take no column.
COLUMN_BYTES = bytes(
    byte for byte in range(256) if byte not in UNPRINTED_BYTES and byte not in b"\v"
)
# The first bytes of a character, of which there are no more.
PARTIAL_CHARACTER = re.compile(
    rb"(?:[\xc0-\xff]|[\xe0-\xff][\x80-\xbf]|[\xf0-\xff][\x80-\xbf][\x80-\xbf])\Z"
)
MAX_PARTIAL_BYTES = 3
NO_BREAK_SPACES = "\xa0\u2007\u202f\u2060"
TAB_COLUMNS = 8


class CharacterShapes(dict[int, str]):
    """What a character is to words: a blank, a part of one, or nothing."""

    def __missing__(self, number: int) -> str:
        char = chr(number)
        if char in " \t\n\v\f\r":
            shape = " "
        elif not is_printed(char):
            shape = ""
        else:
            shape = " " if char.isspace() or char in NO_BREAK_SPACES else "x"
        self[number] = shape
        return shape


class CharacterCells(dict[int, str]):
    """A character as so many letters as it takes columns; what ends a line, or jumps, stays."""

    def __init__(self) -> None:
        super().__init__({9: "\t", 10: "\n"})
        self._widths = CharacterWidths()

    def __missing__(self, number: int) -> str:
        self[number] = cells = "x" * self._widths[number]
        return cells


def maps_to_x(data: bytes, table: dict[int, str]) -> bool:
    """Whether they are UTF-8 in which a table makes an x of each character beyond ASCII."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    others = set(data.translate(None, ASCII_BYTES).decode())
    return all(table[ord(char)] == "x" for char in others)


def whole_characters(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Bytes in other pieces, none of which ends within a character."""
    held = b""
    for piece in pieces:
        data = held + piece
        found = PARTIAL_CHARACTER.search(data, max(len(data) - MAX_PARTIAL_BYTES, 0))
        end = found.start() if found else len(data)
        held = data[end:]
        if end:
            yield data[:end]
    if held:
        yield held


class Counts:
    """What is counted, so far. Only what `wanted` names is looked for."""

    __slots__ = ("_cells", "_column", "_is_in_word", "_shapes", "_wanted", "bytes", "chars",
                 "lines", "max_line_length", "words")  # fmt: skip

    def __init__(self, wanted: Collection[str]) -> None:
        self._wanted = wanted
        self.lines = self.words = self.chars = self.bytes = self.max_line_length = 0
        self._column = 0
        self._is_in_word = False
        self._shapes, self._cells = CharacterShapes(), CharacterCells()

    def read(self, pieces: Iterable[bytes]) -> None:
        """Count a whole text."""
        wanted = self._wanted
        looks = "chars" in wanted or "words" in wanted or "max_line_length" in wanted
        for data in whole_characters(pieces) if looks else pieces:
            self.bytes += len(data)
            if "lines" in wanted:
                self.lines += data.count(b"\n")
            if "chars" in wanted:
                self.count_characters(data)
            if "words" in wanted:
                self.count_words(data)
            if "max_line_length" in wanted:
                self.measure(data)

    def count_characters(self, data: bytes) -> None:
        """Characters; a byte that is part of none is no character."""
        self.chars += len(data) if data.isascii() else len(data.decode("utf-8", "ignore"))

    def count_words(self, data: bytes) -> None:
        """Words, each where it begins."""
        if maps_to_x(data, self._shapes):  # and all bytes beyond ASCII are parts of words
            shape = data.translate(WORD_SHAPES, UNPRINTED_BYTES)
        else:
            shape = data.decode("utf-8", "surrogateescape").translate(self._shapes).encode()
        if shape:
            self.words += shape.count(b" x") + (shape[0] == 0x78 and not self._is_in_word)
            self._is_in_word = shape[-1] == 0x78

    def measure(self, data: bytes) -> None:
        """The widest line; tabs jump to every eighth column."""
        text = data.decode("utf-8", "surrogateescape").replace("\r", "\n").replace("\f", "\n")
        if data.translate(None, COLUMN_BYTES) or not maps_to_x(data, self._cells):
            text = text.translate(self._cells)
        # Tabs depend on the column only as far as it is no multiple of theirs.
        before, within = self._column // TAB_COLUMNS * TAB_COLUMNS, self._column % TAB_COLUMNS
        rows = (("x" * within) + text).expandtabs(TAB_COLUMNS).split("\n")
        first = before + len(rows[0])
        widest = max(map(len, rows))
        self.max_line_length = max(self.max_line_length, first, widest)
        self._column = first if len(rows) == 1 else len(rows[-1])

    def add(self, other: Counts) -> None:
        """Make this the sum of both."""
        self.lines += other.lines
        self.words += other.words
        self.chars += other.chars
        self.bytes += other.bytes
        self.max_line_length = max(self.max_line_length, other.max_line_length)
