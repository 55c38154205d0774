"""Table: a list or a record as people look at it: aligned columns that fit a width."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import columns_of, visible
from keysh.values import CONTAINERS, Numeral, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

COLUMN_GAP = NESTED_INDENT = "  "
MIN_COLUMN_WIDTH = 4  # columns of a screen that a column of a table keeps as long as there is room
UNBOUNDED_LINE_WIDTH = (
    80  # columns that a line has where there is no screen, for what may stand in it
)
MAX_TABLE_DEPTH = 16  # levels of a value that stand below each other
MAX_CELL_CHARACTERS = (
    10_000  # characters of a value that are looked at for a screen, which is narrower
)
NUMBER_TYPES = (int, float, Numeral)


def format_table(value: object, screen: int) -> str:
    """A value as lines no wider than a screen, or as wide as they are where its width is 0.

    Records are rows below their keys. Other lists and records have a line for each element, and
    those that hold more than fits there stand below their key.
    """
    if not value or not isinstance(value, CONTAINERS):
        return f"{text_of(value)}\n"
    return "\n".join([*value_lines(value, screen, MAX_TABLE_DEPTH), ""])


def value_lines(value: list[object] | dict[str, object], screen: int, levels: int) -> Iterable[str]:
    """The lines of a value that is not empty."""
    if isinstance(value, list) and all(isinstance(row, dict) and row for row in value):
        return format_records(value, screen)  # type: ignore[arg-type]  # all are records
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    inner = screen - len(NESTED_INDENT) if screen else 0
    if levels == 1 or (screen and inner < MIN_COLUMN_WIDTH):
        return format_grid(pairs, screen)
    longest = max(columns_of(cell_text(key, screen)) for key, _ in pairs)
    room = (screen - longest - len(COLUMN_GAP)) if screen else UNBOUNDED_LINE_WIDTH
    below = [is_nested(item, room) for _, item in pairs]
    short = [pair for pair, is_below in zip(pairs, below, strict=True) if not is_below]
    beside = iter(format_grid(short, screen) if short else ())
    made: list[str] = []
    for (key, item), is_below in zip(pairs, below, strict=True):
        if is_below and isinstance(item, CONTAINERS):
            text = cell_text(key, screen)
            made.append(aligned_text(text, screen, to_right=False).rstrip() if screen else text)
            made += [f"{NESTED_INDENT}{line}" for line in value_lines(item, inner, levels - 1)]
        else:
            made.append(next(beside))
    return made


def is_nested(item: object, room: int) -> bool:
    """Whether an element stands below its key: it has elements, and no room beside it."""
    if not item or not isinstance(item, CONTAINERS):
        return False
    inner = item if isinstance(item, list) else item.values()
    holds_elements = any(below and isinstance(below, CONTAINERS) for below in inner)
    return holds_elements or columns_of(cell_text(item, room)) > room


def format_records(rows: Sequence[Mapping[str, object]], screen: int) -> list[str]:
    """Records as rows; the columns are all the keys, in the order they come."""
    keys: dict[str, None] = {}
    for row in rows:
        keys.update(dict.fromkeys(row))
    cells = [[row.get(key) for key in keys] for row in rows]
    return format_grid(cells, screen, [cell_text(key, screen) for key in keys])


def format_grid(
    rows: Iterable[Sequence[object]], screen: int, header: Sequence[str] = ()
) -> list[str]:
    """Cells in aligned columns: numbers to the right, the rest to the left."""
    values = list(rows)
    shown = [[cell_text(item, screen) for item in row] for row in values]
    lines = [list(header), *shown] if header else shown
    count = len(lines[0])
    is_number = [
        all(is_numeric(row[at]) for row in values) and any(row[at] is not None for row in values)
        for at in range(count)
    ]
    widths = [max(columns_of(line[at]) for line in lines) for at in range(count)]
    if screen:
        widths = fit_column_widths(widths, screen)
    made = []
    for line in lines:
        cells = [
            aligned_text(text, space, to_right=right)
            for text, space, right in zip(line, widths, is_number, strict=False)
        ]
        made.append(COLUMN_GAP.join(cells).rstrip())
    return made


def is_numeric(item: object) -> bool:
    """Whether a cell is a number or empty."""
    return item is None or (isinstance(item, NUMBER_TYPES) and not isinstance(item, bool))


def cell_text(item: object, screen: int) -> str:
    """A value on one line."""
    text = text_of(item)
    return visible(text[:MAX_CELL_CHARACTERS] if screen else text)


def fit_column_widths(widths: Sequence[int], screen: int) -> list[int]:
    """The widths that columns get: wide ones give, and where that is no help the last ones go."""
    count = len(widths)
    most = min(max(widths), screen)
    while (
        most > MIN_COLUMN_WIDTH
        and sum(min(w, most) for w in widths) + len(COLUMN_GAP) * (count - 1) > screen
    ):
        most -= 1
    kept = [min(w, most) for w in widths]
    while len(kept) > 1 and sum(kept) + len(COLUMN_GAP) * (len(kept) - 1) > screen:
        kept.pop()
    return kept


def aligned_text(text: str, space: int, *, to_right: bool) -> str:
    """A text in so many columns; `…` where something is missing."""
    size = columns_of(text)
    if size > space:
        size, kept = 0, []
        for char in text:
            if size + columns_of(char) >= space:
                break
            size += columns_of(char)
            kept.append(char)
        text, size = "".join(kept) + "…", size + 1
    padding = " " * (space - size)
    return padding + text if to_right else text + padding
