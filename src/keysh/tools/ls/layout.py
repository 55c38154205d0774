"""Arrange names in columns, or separated by commas."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Cell: TypeAlias = "tuple[str, int]"  # a text and its width in columns

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
        made, at, end = [], 0, 0
        for column, (text, size) in enumerate(line):
            made.append(gap_text(at, end, tab) + text)
            at, end = end + size, end + widths[column]
        yield "".join(made) + ending


def column_widths(sizes: Sequence[int], width: int, across: bool) -> list[int]:
    """Return the widths of the columns with their gaps."""
    for columns in range(min(max(width // MIN_COLUMN_WIDTH, 1), len(sizes)), 1, -1):
        rows = -(-len(sizes) // columns)
        widths = [MIN_COLUMN_WIDTH] * columns
        for at, size in enumerate(sizes):
            column = at % columns if across else at // rows
            is_last = column == columns - 1
            widths[column] = max(widths[column], size + (0 if is_last else COLUMN_GAP))
        if sum(widths) < width:
            return widths
    return [max(sizes, default=0)]


def gap_text(at: int, end: int, tab: int) -> str:
    """Return the blanks between two columns, with tabs where possible."""
    made = []
    while at < end:
        if tab and end // tab > (at + 1) // tab:
            made.append("\t")
            at += tab - at % tab
        else:
            made.append(" ")
            at += 1
    return "".join(made)


def comma_lines(cells: Sequence[Cell], width: int, end: str) -> str:
    """Return lines of names separated by commas."""
    made: list[str] = []
    at = 0
    for text, size in cells:
        if made:
            fits = not width or at + size + COLUMN_GAP < width
            made.append(", " if fits else f",{end}")
            at = at + COLUMN_GAP if fits else 0
        made.append(text)
        at += size
    return "".join(made) + end
