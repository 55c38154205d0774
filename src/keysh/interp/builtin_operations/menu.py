"""The menu of `select`: numbered items in columns, laid out as bash does."""

from __future__ import annotations

from keysh.diagnostics.display import display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMN_GAP = 2  # columns between one item and the next
TAB = 8


def menu_text(items: Sequence[str], width: int) -> str:
    """Return the lines of the menu."""
    digits = len(str(len(items)))
    column = max(map(display_width, items)) + digits + len(") ") + COLUMN_GAP
    columns = max(1, width // column)
    rows = -(-len(items) // columns)
    columns = -(-len(items) // rows)
    if rows == 1:
        rows = columns
    return "".join(menu_row(items, row, rows, digits, column) for row in range(rows))


def menu_row(items: Sequence[str], row: int, rows: int, digits: int, column: int) -> str:
    """Return one line: every `rows`-th item."""
    line, used = "", 0
    for place, index in enumerate(range(row, len(items), rows)):
        # The numbers of the first column are only as wide as they need.
        number = f"{index + 1:>{digits if place else len(str(rows))}}) "
        if place:
            line += padding(used, place * column)
        line += number + items[index]
        used = place * column + len(number) + display_width(items[index])
    return f"{line}\n"


def padding(start: int, end: int) -> str:
    """Return tabs and blanks from one column to another."""
    text = ""
    while start < end:
        if end // TAB > start // TAB:
            text += "\t"
            start += TAB - start % TAB
        else:
            text += " "
            start += 1
    return text
