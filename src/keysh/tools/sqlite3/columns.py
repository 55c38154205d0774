"""Tables: rows in columns of equal width, with or without borders."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        *, centers_header: bool = True,
    ) -> None:  # fmt: skip
        self.left, self.separator, self.right = left, between, right
        self.top, self.middle, self.bottom = top, middle, bottom
        self.centers_header = centers_header


TABLE_STYLES = {
    "box": TableStyle("│ ", " │ ", " │", "┌─┬┐", "├─┼┤", "└─┴┘"),
    "column": TableStyle("", "  ", "", "", "", "", centers_header=False),
    "markdown": TableStyle("| ", " | ", " |", "", "|-||", ""),
    "table": TableStyle("| ", " | ", " |", "+-++", "+-++", "+-++"),
}


class TableColumn:
    """A column: its least width, and where its cells are wrapped, if at all."""

    __slots__ = ("_by_words", "_wrap", "is_right", "width")

    def __init__(self, width: int, wrap: int, *, by_words: bool) -> None:
        self.width, self.is_right = abs(width), width < 0
        self._wrap, self._by_words = wrap, by_words

    def lines(self, cell: str) -> list[str]:
        """Return the lines of a cell."""
        return wrap_cell(cell, self._wrap, by_words=self._by_words)

    def pad(self, cell: str) -> str:
        """Return a line of a cell, as wide as the column."""
        padding = " " * (self.width - cell_width(cell))
        return padding + cell if self.is_right else cell + padding


def table_lines(
    style: TableStyle,
    names: list[str],
    rows: Iterable[list[str]],
    columns: list[TableColumn],
    *,
    has_header: bool,
) -> Iterator[str]:
    """Yield the lines of a table, once all rows are known."""
    head = [column.lines(name)[0] for column, name in zip(columns, names, strict=True)]
    records = [
        [column.lines(cell) for column, cell in zip(columns, row, strict=True)] for row in rows
    ]
    if not records:
        return
    for i, column in enumerate(columns):
        parts = [head[i], *(part for record in records for part in record[i])]
        column.width = max(column.width, *map(cell_width, parts))
    widths = [column.width for column in columns]
    if style.top:
        yield border_line(style.top, widths)
    if has_header and style.centers_header:
        middles = [
            name.rjust((width + len(name)) // 2).ljust(width)
            for name, width in zip(head, widths, strict=True)
        ]
        yield table_line(style, middles, columns)
        yield border_line(style.middle, widths)
    elif has_header:
        yield table_line(style, head, columns)
        yield table_line(style, ["-" * width for width in widths], columns)
    has_tall = any(len(parts) > 1 for record in records for parts in record)
    gap = ""
    if has_tall and not style.centers_header:
        gap = "\n"
    elif has_tall and style.top:
        gap = border_line(style.middle, widths)
    for i, record in enumerate(records):
        if i and gap:
            yield gap
        for number in range(max(map(len, record))):
            cells = [parts[number] if number < len(parts) else "" for parts in record]
            yield table_line(style, cells, columns)
    if style.bottom:
        yield border_line(style.bottom, widths)


def table_line(style: TableStyle, cells: list[str], columns: list[TableColumn]) -> str:
    """Return one line of cells."""
    padded = [column.pad(cell) for column, cell in zip(columns, cells, strict=True)]
    return f"{style.left}{style.separator.join(padded)}{style.right}\n"


def cell_width(text: str) -> int:
    """Return the width of a text as SQLite's shell counts it."""
    return len(text) - len(ZERO_WIDTH_BYTE.findall(text))


def border_line(marks: str, widths: list[int]) -> str:
    """Return a border line."""
    left, dash, crossing, right = tuple(marks)
    return left + crossing.join([dash * (width + 2) for width in widths]) + right + "\n"


def wrap_cell(text: str, width: int, *, by_words: bool) -> list[str]:
    """Return the lines of a cell: tabs expand, control characters and the width end a line."""
    width = width or MAX_UNWRAPPED_CHARACTERS
    if len(text) < width and not CONTROL_CHARACTER.search(text):
        return [text]
    lines: list[str] = []
    position = 0
    while True:
        part, end = next_cell_line(text, position, width, by_words=by_words)
        lines.append(part)
        if end >= len(text):
            return lines
        position = end


def next_cell_line(text: str, start: int, width: int, *, by_words: bool) -> tuple[str, int]:
    """Return the line of a cell that starts at `start`, and the start of the next one."""
    count, position = 0, start
    while count < width and position < len(text):
        match = CONTROL_CHARACTER.search(text, position, position + width - count)
        end = match.start() if match else min(len(text), position + width - count)
        count, position = count + end - position, end
        if match is not None:
            if text[position] != "\t":
                break
            count = min(width, count // TAB_COLUMNS * TAB_COLUMNS + TAB_COLUMNS)
            position += 1
    end = position
    if count >= width and by_words:
        end = break_position(text, start, position)
        position = end if end == position else end + len(text[end:]) - len(text[end:].lstrip(" "))
    line = ""
    for piece in re.split("(\t)", text[start:end]):
        line = (
            line.ljust(min(width, len(line) // TAB_COLUMNS * TAB_COLUMNS + TAB_COLUMNS))
            if piece == "\t"
            else line + piece
        )
    # A line end at the end of a full line does not add another line.
    is_end = position < len(text) and text[position] < " " and text[position] != "\t"
    return line, position + (2 if text.startswith("\r\n", position) else 1) if is_end else position


def break_position(text: str, start: int, position: int) -> int:
    """Return where to break a full line: after a blank, else where a word starts or ends."""
    half = start + (position - start) // 2
    for place in range(position, half, -1):
        if text[place - 1].isspace():
            return place
    for place in range(position, half, -1):
        after = text[place : place + 1]
        if is_word_character(text[place - 1]) != is_word_character(after):
            return place
    return position


def is_word_character(char: str) -> bool:
    """Whether a character is part of a word in C."""
    return char.isascii() and char.isalnum()
