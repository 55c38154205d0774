"""Count lines, words, characters, bytes and the widest line of chunked text.

A word is a run of printable characters; what is neither printable nor blank is ignored.
"""

from __future__ import annotations

import re

from keysh.diagnostics.width import CharacterWidths, is_printed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# Bytes as what matters to words: a blank, or part of a word.
BLANKS = b" \t\n\v\f\r"
WORD_SHAPES = bytes(0x20 if byte in BLANKS else 0x78 for byte in range(256))
UNPRINTED_BYTES = bytes(byte for byte in [*range(32), 127] if byte not in BLANKS)
ASCII_BYTES = bytes(range(128))
# All bytes but control characters without width.
COLUMN_BYTES = bytes(
    byte for byte in range(256) if byte not in UNPRINTED_BYTES and byte not in b"\v"
)
# An incomplete character at the end.
PARTIAL_CHARACTER = re.compile(
    rb"(?:[\xc0-\xff]|[\xe0-\xff][\x80-\xbf]|[\xf0-\xff][\x80-\xbf][\x80-\xbf])\Z"
)
MAX_PARTIAL_BYTES = 3
NO_BREAK_SPACES = "\xa0\u2007\u202f\u2060"
TAB_COLUMNS = 8


class CharacterShapes(dict[int, str]):
    """What a character is to words: a blank, part of a word, or nothing."""

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
    """A character as one x for each column; newlines and tabs stay."""

    def __init__(self) -> None:
        super().__init__({9: "\t", 10: "\n"})
        self._widths = CharacterWidths()

    def __missing__(self, number: int) -> str:
        self[number] = cells = "x" * self._widths[number]
        return cells


def maps_to_x(data: bytes, table: dict[int, str]) -> bool:
    """Tell whether data is UTF-8 and the table maps each non-ASCII character to x."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    others = set(data.translate(None, ASCII_BYTES).decode())
    return all(table[ord(char)] == "x" for char in others)


def whole_characters(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Regroup bytes so that no piece ends inside a character."""
    pending = b""
    for piece in pieces:
        data = pending + piece
        partial = PARTIAL_CHARACTER.search(data, max(len(data) - MAX_PARTIAL_BYTES, 0))
        end = partial.start() if partial else len(data)
        pending = data[end:]
        if end:
            yield data[:end]
    if pending:
        yield pending


class Counts:
    """The counts so far; only the `selected` ones are meaningful."""

    __slots__ = (
        "_cells", "_column", "_is_in_word", "_shapes", "_wanted", "bytes", "chars", "lines",
        "max_line_length", "words",
    )  # fmt: skip

    def __init__(self, selected: Collection[str]) -> None:
        self._wanted = selected
        self.lines = self.words = self.chars = self.bytes = self.max_line_length = 0
        self._column = 0
        self._is_in_word = False
        self._shapes, self._cells = CharacterShapes(), CharacterCells()

    def read(self, pieces: Iterable[bytes]) -> None:
        """Count the text in `pieces`."""
        selected = self._wanted
        needs_characters = (
            "chars" in selected or "words" in selected or "max_line_length" in selected
        )
        for data in whole_characters(pieces) if needs_characters else pieces:
            self.bytes += len(data)
            if "lines" in selected:
                self.lines += data.count(b"\n")
            if "chars" in selected:
                self.count_characters(data)
            if "words" in selected:
                self.count_words(data)
            if "max_line_length" in selected:
                self.measure(data)

    def count_characters(self, data: bytes) -> None:
        """Count characters; a byte that belongs to none is not counted."""
        self.chars += len(data) if data.isascii() else len(data.decode("utf-8", "ignore"))

    def count_words(self, data: bytes) -> None:
        """Count words where they begin."""
        if maps_to_x(data, self._shapes):  # then all non-ASCII bytes are parts of words
            shape = data.translate(WORD_SHAPES, UNPRINTED_BYTES)
        else:
            shape = data.decode("utf-8", "surrogateescape").translate(self._shapes).encode()
        if shape:
            self.words += shape.count(b" x") + (shape[0] == 0x78 and not self._is_in_word)
            self._is_in_word = shape[-1] == 0x78

    def measure(self, data: bytes) -> None:
        """Find the widest line; tab stops are 8 columns apart."""
        text = data.decode("utf-8", "surrogateescape").replace("\r", "\n").replace("\f", "\n")
        if data.translate(None, COLUMN_BYTES) or not maps_to_x(data, self._cells):
            text = text.translate(self._cells)
        # Tabs depend only on the column modulo their distance.
        whole_stops, offset = self._column // TAB_COLUMNS * TAB_COLUMNS, self._column % TAB_COLUMNS
        rows = (("x" * offset) + text).expandtabs(TAB_COLUMNS).split("\n")
        first = whole_stops + len(rows[0])
        widest = max(map(len, rows))
        self.max_line_length = max(self.max_line_length, first, widest)
        self._column = first if len(rows) == 1 else len(rows[-1])

    def add(self, other: Counts) -> None:
        """Add other counts; the widest line is the maximum."""
        self.lines += other.lines
        self.words += other.words
        self.chars += other.chars
        self.bytes += other.bytes
        self.max_line_length = max(self.max_line_length, other.max_line_length)
