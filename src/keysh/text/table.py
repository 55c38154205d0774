"""Table: a list or a record as people look at it: aligned columns that fit a width."""

from __future__ import annotations

from keysh.diagnostics import visible, width
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GAP = "  "
LEAST = 4  # columns of a screen that a column of a table keeps as long as there is room
MOST_CELL = 10_000  # characters of a value that are looked at
NUMBERS = (int, float)


def table(value: object, screen: int) -> str:
    """A value as lines no wider than a screen: records as rows below their keys."""
    if isinstance(value, list) and value and all(isinstance(row, dict) and row for row in value):
        return records(value, screen)
    if isinstance(value, dict) and value:
        return grid([[key, item] for key, item in value.items()], screen)
    if isinstance(value, list) and value:
        return grid([[index, item] for index, item in enumerate(value)], screen)
    return f"{text_of(value)}\n"


def records(rows: Sequence[Mapping[str, object]], screen: int) -> str:
    """Records as rows; the columns are all the keys, in the order they come."""
    keys: dict[str, None] = {}
    for row in rows:
        keys.update(dict.fromkeys(row))
    cells = [[row.get(key) for key in keys] for row in rows]
    return grid(cells, screen, [str(key) for key in keys])


def grid(rows: Iterable[Sequence[object]], screen: int, header: Sequence[str] = ()) -> str:
    """Cells in aligned columns: numbers to the right, the rest to the left."""
    values = list(rows)
    shown = [[cell(item) for item in row] for row in values]
    lines = [list(header), *shown] if header else shown
    count = len(lines[0])
    is_number = [
        all(is_numeric(row[at]) for row in values) and any(row[at] is not None for row in values)
        for at in range(count)
    ]
    widths = fitted([max(width(line[at]) for line in lines) for at in range(count)], screen)
    made = []
    for line in lines:
        cells = [
            aligned(text, space, to_right=right)
            for text, space, right in zip(line, widths, is_number, strict=False)
        ]
        made.append(GAP.join(cells).rstrip())
    return "\n".join([*made, ""])


def is_numeric(item: object) -> bool:
    """Whether a cell is a number or empty."""
    return item is None or (isinstance(item, NUMBERS) and not isinstance(item, bool))


def cell(item: object) -> str:
    """A value on one line."""
    return visible(text_of(item)[:MOST_CELL])


def fitted(widths: Sequence[int], screen: int) -> list[int]:
    """The widths that columns get: wide ones give, and where that is no help the last ones go."""
    count = len(widths)
    most = min(max(widths), screen)
    while most > LEAST and sum(min(w, most) for w in widths) + len(GAP) * (count - 1) > screen:
        most -= 1
    kept = [min(w, most) for w in widths]
    while len(kept) > 1 and sum(kept) + len(GAP) * (len(kept) - 1) > screen:
        kept.pop()
    return kept


def aligned(text: str, space: int, *, to_right: bool) -> str:
    """A text in so many columns; `…` where something is missing."""
    size = width(text)
    if size > space:
        size, kept = 0, []
        for char in text:
            if size + width(char) >= space:
                break
            size += width(char)
            kept.append(char)
        text, size = "".join(kept) + "…", size + 1
    padding = " " * (space - size)
    return padding + text if to_right else text + padding
