"""Arrange names in columns, or separated by commas."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Cell: TypeAlias = "tuple[str, int]"  # a string and its width in columns

MIN_COLUMN_WIDTH, COLUMN_GAP = 3, 2  # the least width of a column, and the gap between two


def column_lines(
    cells: Sequence[Cell], width: int, tab: int, ending: str, *, across: bool
) -> Iterator[str]:
    """Return lines with as many columns as fit, each as wide as its widest cell."""
    if not width:
        yield "  ".join(text for text, _ in cells) + ending
        return
    widths = column_widths([size for _, size in cells], width, across)
    columns = len(widths)
    rows = -(-len(cells) // columns)
    for row in range(rows):
        line = cells[row * columns : (row + 1) * columns] if across else cells[row::rows]
        pieces, start, next_start = [], 0, 0
        for column, (text, size) in enumerate(line):
            pieces.append(gap_text(start, next_start, tab) + text)
            start, next_start = next_start + size, next_start + widths[column]
        yield "".join(pieces) + ending


def column_widths(sizes: Sequence[int], width: int, across: bool) -> list[int]:
    """Return the widths of the columns with their gaps."""
    for columns in range(min(max(width // MIN_COLUMN_WIDTH, 1), len(sizes)), 1, -1):
        rows = -(-len(sizes) // columns)
        widths = [MIN_COLUMN_WIDTH] * columns
        for index, size in enumerate(sizes):
            column = index % columns if across else index // rows
            is_last = column == columns - 1
            widths[column] = max(widths[column], size + (0 if is_last else COLUMN_GAP))
        if sum(widths) < width:
            return widths
    return [max(sizes, default=0)]


def gap_text(column: int, stop: int, tab: int) -> str:
    """Return the blanks between two columns, with tabs where possible."""
    pieces = []
    while column < stop:
        if tab and stop // tab > (column + 1) // tab:
            pieces.append("\t")
            column += tab - column % tab
        else:
            pieces.append(" ")
            column += 1
    return "".join(pieces)


def comma_lines(cells: Sequence[Cell], width: int, line_end: str) -> str:
    """Return lines of names separated by commas."""
    pieces: list[str] = []
    column = 0
    for text, size in cells:
        if pieces:
            fits = not width or column + size + COLUMN_GAP < width
            pieces.append(", " if fits else f",{line_end}")
            column = column + COLUMN_GAP if fits else 0
        pieces.append(text)
        column += size
    return "".join(pieces) + line_end
