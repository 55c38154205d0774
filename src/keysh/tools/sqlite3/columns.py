"""Tables: rows in columns of equal width, with or without borders."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TAB_COLUMNS = 8
MAX_UNWRAPPED_CHARACTERS = 1_000_000  # of a cell that is not wrapped, as in SQLite's shell
# A tab, or any other control character, which ends a line of a cell.
CONTROL_CHARACTER = re.compile("[\0-\x1f]")
# Stray continuation bytes of UTF-8, which SQLite's shell counts as no columns.
ZERO_WIDTH_BYTE = re.compile("[\udc80-\udcbf]")


class TableStyle:
    """The characters of a table; a border is its left end, line, crossing and right end."""

    __slots__ = ("bottom", "centers_header", "left", "middle", "right", "separator", "top")

    def __init__(
        self, left: str, between: str, right: str, top: str, middle: str, bottom: str,
        *, centres: bool = True,
    ) -> None:  # fmt: skip
        self.left, self.separator, self.right = left, between, right
        self.top, self.middle, self.bottom = top, middle, bottom
        self.centers_header = centres


TABLE_STYLES = {
    "box": TableStyle("│ ", " │ ", " │", "┌─┬┐", "├─┼┤", "└─┴┘"),
    "column": TableStyle("", "  ", "", "", "", "", centres=False),
    "markdown": TableStyle("| ", " | ", " |", "", "|-||", ""),
    "table": TableStyle("| ", " | ", " |", "+-++", "+-++", "+-++"),
}


class ColumnOptions:
    """How cells are wrapped."""

    __slots__ = ("_wrap", "by_words", "widths")

    def __init__(self, wrap: int, widths: Sequence[int], *, by_words: bool) -> None:
        self._wrap, self.widths, self.by_words = wrap, widths, by_words

    def min_width(self, at: int) -> int:
        return abs(self.widths[at]) if at < len(self.widths) else 0

    def is_right_aligned(self, at: int) -> bool:
        return at < len(self.widths) and self.widths[at] < 0

    def wrap(self, cell: str, at: int) -> list[str]:
        return wrap_cell(cell, self.min_width(at) or self._wrap, by_words=self.by_words)


def table_lines(
    style: TableStyle,
    names: list[str],
    rows: Iterable[list[str]],
    shape: ColumnOptions,
    *,
    has_header: bool,
) -> Iterator[str]:
    """Yield the lines of a table, once all rows are known."""
    head = [shape.wrap(name, at)[0] for at, name in enumerate(names)]
    records = [[shape.wrap(cell, at) for at, cell in enumerate(row)] for row in rows]
    if not records:
        return
    widths = [max(cell_width(name), shape.min_width(at)) for at, name in enumerate(head)]
    for record in records:
        for at, parts in enumerate(record):
            widths[at] = max(widths[at], *map(cell_width, parts))
    if style.top:
        yield border_line(style.top, widths)
    if has_header and style.centers_header:
        middles = [
            name.rjust((width + len(name)) // 2).ljust(width)
            for name, width in zip(head, widths, strict=True)
        ]
        yield table_line(style, middles, widths, shape)
        yield border_line(style.middle, widths)
    elif has_header:
        yield table_line(style, head, widths, shape)
        yield table_line(style, ["-" * width for width in widths], widths, shape)
    has_tall = any(len(parts) > 1 for record in records for parts in record)
    gap = (
        ""
        if not has_tall
        else "\n"
        if not style.centers_header
        else border_line(style.middle, widths)
        if style.top
        else ""
    )
    for number, record in enumerate(records):
        if number and gap:
            yield gap
        for at in range(max(map(len, record))):
            cells = [parts[at] if at < len(parts) else "" for parts in record]
            yield table_line(style, cells, widths, shape)
    if style.bottom:
        yield border_line(style.bottom, widths)


def table_line(style: TableStyle, cells: list[str], widths: list[int], shape: ColumnOptions) -> str:
    """Return one line of cells."""
    padded = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - cell_width(cell))
        padded.append(space + cell if shape.is_right_aligned(at) else cell + space)
    return f"{style.left}{style.separator.join(padded)}{style.right}\n"


def cell_width(text: str) -> int:
    """Return the width of a text as SQLite's shell counts it."""
    return len(text) - len(ZERO_WIDTH_BYTE.findall(text))


def border_line(marks: str, widths: list[int]) -> str:
    """Return a border line."""
    left, dash, crossing, right = tuple(marks)
    return left + crossing.join([dash * (width + 2) for width in widths]) + right + "\n"


def wrap_cell(text: str, most: int, *, by_words: bool) -> list[str]:
    """Return the lines of a cell: tabs are expanded, control characters and the width end a line."""
    most = most or MAX_UNWRAPPED_CHARACTERS
    if len(text) < most and not CONTROL_CHARACTER.search(text):
        return [text]
    found: list[str] = []
    at = 0
    while True:
        part, end = next_cell_line(text, at, most, by_words=by_words)
        found.append(part)
        if end >= len(text):
            return found
        at = end


def next_cell_line(text: str, begin: int, most: int, *, by_words: bool) -> tuple[str, int]:
    """Return the line of a cell that starts at `begin`, and the start of the next one."""
    count, at = 0, begin
    while count < most and at < len(text):
        match = CONTROL_CHARACTER.search(text, at, at + most - count)
        end = match.start() if match else min(len(text), at + most - count)
        count, at = count + end - at, end
        if match is not None:
            if text[at] != "\t":
                break
            count = min(most, count // TAB_COLUMNS * TAB_COLUMNS + TAB_COLUMNS)
            at += 1
    end = at
    if count >= most and by_words:
        end = break_position(text, begin, at)
        at = end if end == at else end + len(text[end:]) - len(text[end:].lstrip(" "))
    made = ""
    for piece in re.split("(\t)", text[begin:end]):
        made = (
            made.ljust(min(most, len(made) // TAB_COLUMNS * TAB_COLUMNS + TAB_COLUMNS))
            if piece == "\t"
            else made + piece
        )
    # A line end at the end of a full line does not add another line.
    is_end = at < len(text) and text[at] < " " and text[at] != "\t"
    return made, at + (2 if text.startswith("\r\n", at) else 1) if is_end else at


def break_position(text: str, begin: int, at: int) -> int:
    """Return where to break a full line: after a blank, else where a word starts or ends."""
    half = begin + (at - begin) // 2
    for place in range(at, half, -1):
        if text[place - 1].isspace():
            return place
    for place in range(at, half, -1):
        behind = text[place : place + 1]
        if is_word_character(text[place - 1]) != is_word_character(behind):
            return place
    return at


def is_word_character(char: str) -> bool:
    """Whether a character is part of a word in C."""
    return char.isascii() and char.isalnum()
