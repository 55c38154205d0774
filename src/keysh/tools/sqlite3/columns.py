"""Columns: rows in columns of equal width, with or without lines around them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TAB = 8
NO_END = 1_000_000  # characters of a cell that is not wrapped, as SQLite's shell has it
# A tab, or what ends a line in a cell: any control character.
CONTROL = re.compile("[\0-\x1f]")
# Bytes that are no UTF-8 and look like the end of a character: they take no place.
NO_PLACE = re.compile("[\udc80-\udcbf]")


class Style:
    """The characters of a kind of table; a rule is its left end, line, crossing and right end."""

    __slots__ = ("between", "bottom", "centres", "left", "middle", "right", "top")

    def __init__(
        self, left: str, between: str, right: str, top: str, middle: str, bottom: str,
        *, centres: bool = True,
    ) -> None:  # fmt: skip
        self.left, self.between, self.right = left, between, right
        self.top, self.middle, self.bottom = top, middle, bottom
        self.centres = centres


STYLES = {
    "box": Style("│ ", " │ ", " │", "┌─┬┐", "├─┼┤", "└─┴┘"),
    "column": Style("", "  ", "", "", "", "", centres=False),
    "markdown": Style("| ", " | ", " |", "", "|-||", ""),
    "table": Style("| ", " | ", " |", "+-++", "+-++", "+-++"),
}


class Shape:
    """How cells are wrapped, and the least widths of columns; negative ones set to the right."""

    __slots__ = ("_wrap", "by_words", "widths")

    def __init__(self, wrap: int, widths: Sequence[int], *, by_words: bool) -> None:
        self._wrap, self.widths, self.by_words = wrap, widths, by_words

    def least(self, at: int) -> int:
        """The least width of a column."""
        return abs(self.widths[at]) if at < len(self.widths) else 0

    def is_right(self, at: int) -> bool:
        """Whether a column's cells stand to the right."""
        return at < len(self.widths) and self.widths[at] < 0

    def parts(self, cell: str, at: int) -> list[str]:
        """A cell of a column as lines."""
        return wrapped(cell, self.least(at) or self._wrap, by_words=self.by_words)


def layout(
    style: Style, names: list[str], rows: Iterable[list[str]], shape: Shape, *, has_header: bool
) -> Iterator[str]:
    """The lines of a table. All rows must be known before the first line is."""
    head = [shape.parts(name, at)[0] for at, name in enumerate(names)]
    records = [[shape.parts(cell, at) for at, cell in enumerate(row)] for row in rows]
    if not records:
        return
    widths = [max(width_of(name), shape.least(at)) for at, name in enumerate(head)]
    for record in records:
        for at, parts in enumerate(record):
            widths[at] = max(widths[at], *map(width_of, parts))
    if style.top:
        yield rule(style.top, widths)
    if has_header and style.centres:
        middles = [
            name.rjust((width + len(name)) // 2).ljust(width)
            for name, width in zip(head, widths, strict=True)
        ]
        yield line(style, middles, widths, shape)
        yield rule(style.middle, widths)
    elif has_header:
        yield line(style, head, widths, shape)
        yield line(style, ["-" * width for width in widths], widths, shape)
    has_tall = any(len(parts) > 1 for record in records for parts in record)
    gap = (
        ""
        if not has_tall
        else "\n"
        if not style.centres
        else rule(style.middle, widths)
        if style.top
        else ""
    )
    for number, record in enumerate(records):
        if number and gap:
            yield gap
        for at in range(max(map(len, record))):
            cells = [parts[at] if at < len(parts) else "" for parts in record]
            yield line(style, cells, widths, shape)
    if style.bottom:
        yield rule(style.bottom, widths)


def line(style: Style, cells: list[str], widths: list[int], shape: Shape) -> str:
    """One line of cells."""
    padded = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - width_of(cell))
        padded.append(space + cell if shape.is_right(at) else cell + space)
    return f"{style.left}{style.between.join(padded)}{style.right}\n"


def width_of(text: str) -> int:
    """How wide SQLite's shell takes a text to be."""
    return len(text) - len(NO_PLACE.findall(text))


def rule(marks: str, widths: list[int]) -> str:
    """A line between rows."""
    left, dash, crossing, right = tuple(marks)
    return left + crossing.join([dash * (width + 2) for width in widths]) + right + "\n"


def wrapped(text: str, most: int, *, by_words: bool) -> list[str]:
    """A cell as lines: tabs become blanks, and a line ends at a control character or is full."""
    most = most or NO_END
    if len(text) < most and not CONTROL.search(text):
        return [text]
    found: list[str] = []
    at = 0
    while True:
        part, end = one_line(text, at, most, by_words=by_words)
        found.append(part)
        if end >= len(text):
            return found
        at = end


def one_line(text: str, begin: int, most: int, *, by_words: bool) -> tuple[str, int]:
    """The line of a cell that begins at a place, and where the next one begins."""
    count, at = 0, begin
    while count < most and at < len(text):
        match = CONTROL.search(text, at, at + most - count)
        end = match.start() if match else min(len(text), at + most - count)
        count, at = count + end - at, end
        if match is not None:
            if text[at] != "\t":
                break
            count = min(most, count // TAB * TAB + TAB)
            at += 1
    end = at
    if count >= most and by_words:
        end = word_end(text, begin, at)
        at = end if end == at else end + len(text[end:]) - len(text[end:].lstrip(" "))
    made = ""
    for piece in re.split("(\t)", text[begin:end]):
        made = (
            made.ljust(min(most, len(made) // TAB * TAB + TAB)) if piece == "\t" else made + piece
        )
    # A line end where the line is full anyway ends it just once.
    is_end = at < len(text) and text[at] < " " and text[at] != "\t"
    return made, at + (2 if text.startswith("\r\n", at) else 1) if is_end else at


def word_end(text: str, begin: int, at: int) -> int:
    """Where a full line is broken best: behind a blank, else where a word ends or begins."""
    half = begin + (at - begin) // 2
    for place in range(at, half, -1):
        if text[place - 1].isspace():
            return place
    for place in range(at, half, -1):
        behind = text[place : place + 1]
        if is_word(text[place - 1]) != is_word(behind):
            return place
    return at


def is_word(char: str) -> bool:
    """Whether C takes a character for a part of a word."""
    return char.isascii() and char.isalnum()
