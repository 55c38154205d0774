"""Tables: a list or a record in aligned columns that fit the screen, or in HTML for a notebook."""

from __future__ import annotations

from keysh.diagnostics.display import display_width, visible
from keysh.text.chunks import bytes_of_text
from keysh.values import CONTAINERS, Numeral, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

COLUMN_GAP = NESTED_INDENT = "  "
MIN_COLUMN_WIDTH = 4  # kept as long as there is room
UNBOUNDED_LINE_WIDTH = 80  # limits nested values if there is no screen
MAX_TABLE_DEPTH = 16  # levels of nested values
MAX_CELL_CHARACTERS = 10_000  # more than any screen is wide
MAX_HTML_ROWS, MAX_HTML_COLUMNS = 100, 30
MAX_HTML_CELL_CHARACTERS = 1000
NUMBER_TYPES = (int, float, Numeral)


def format_table(value: object, screen: int) -> str:
    """Format a value in lines no wider than the screen; unlimited if its width is 0.

    A list of records becomes rows under a header. Other lists and records have a line for each
    element; nested values that do not fit go below their key.
    """
    if not value or not isinstance(value, CONTAINERS):
        return f"{text_of(value)}\n"
    return "\n".join([*value_lines(value, screen, MAX_TABLE_DEPTH), ""])


def value_lines(value: list[object] | dict[str, object], screen: int, levels: int) -> Iterable[str]:
    """Return the lines of a non-empty value."""
    if isinstance(value, list) and all(isinstance(row, dict) and row for row in value):
        return format_records(value, screen)  # type: ignore[arg-type]  # all are records
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    inner_screen = screen - len(NESTED_INDENT) if screen else 0
    if levels == 1 or (screen and inner_screen < MIN_COLUMN_WIDTH):
        return format_grid(pairs, screen)
    longest = max(display_width(cell_text(key, screen)) for key, _ in pairs)
    room = (screen - longest - len(COLUMN_GAP)) if screen else UNBOUNDED_LINE_WIDTH
    are_nested = [is_nested(item, room) for _, item in pairs]
    flat_pairs = [
        pair for pair, is_nested_item in zip(pairs, are_nested, strict=True) if not is_nested_item
    ]
    grid_lines = iter(format_grid(flat_pairs, screen) if flat_pairs else ())
    lines: list[str] = []
    for (key, item), is_nested_item in zip(pairs, are_nested, strict=True):
        if is_nested_item and isinstance(item, CONTAINERS):
            text = cell_text(key, screen)
            lines.append(aligned_text(text, screen, to_right=False).rstrip() if screen else text)
            lines += [
                f"{NESTED_INDENT}{line}" for line in value_lines(item, inner_screen, levels - 1)
            ]
        else:
            lines.append(next(grid_lines))
    return lines


def is_nested(item: object, room: int) -> bool:
    """Whether an element goes below its key: it contains elements and does not fit beside it."""
    if not item or not isinstance(item, CONTAINERS):
        return False
    elements = item if isinstance(item, list) else item.values()
    holds_elements = any(element and isinstance(element, CONTAINERS) for element in elements)
    return holds_elements or display_width(cell_text(item, room)) > room


def format_records(rows: Sequence[Mapping[str, object]], screen: int) -> list[str]:
    """Format records as rows. The columns are all keys, in order of appearance."""
    keys: dict[str, None] = {}
    for row in rows:
        keys.update(dict.fromkeys(row))
    cells = [[row.get(key) for key in keys] for row in rows]
    return format_grid(cells, screen, [cell_text(key, screen) for key in keys])


def format_grid(
    rows: Iterable[Sequence[object]], screen: int, header: Sequence[str] = ()
) -> list[str]:
    """Align cells in columns: numbers to the right, the rest to the left."""
    values = list(rows)
    cell_rows = [[cell_text(item, screen) for item in row] for row in values]
    lines = [list(header), *cell_rows] if header else cell_rows
    count = len(lines[0])
    is_number = [
        all(is_numeric(row[index]) for row in values)
        and any(row[index] is not None for row in values)
        for index in range(count)
    ]
    widths = [max(display_width(line[index]) for line in lines) for index in range(count)]
    if screen:
        widths = fit_column_widths(widths, screen)
    aligned = []
    for line in lines:
        cells = [
            aligned_text(text, width, to_right=right)
            for text, width, right in zip(line, widths, is_number, strict=False)
        ]
        aligned.append(COLUMN_GAP.join(cells).rstrip())
    return aligned


def is_numeric(item: object) -> bool:
    """Whether a cell is a number or empty."""
    return item is None or (isinstance(item, NUMBER_TYPES) and not isinstance(item, bool))


def cell_text(item: object, screen: int) -> str:
    """Return a value on one line."""
    text = text_of(item)
    return visible(text[:MAX_CELL_CHARACTERS] if screen else text)


def fit_column_widths(widths: Sequence[int], screen: int) -> list[int]:
    """Shrink wide columns to the screen; if that does not suffice, drop the last ones."""
    count = len(widths)
    limit = min(max(widths), screen)
    while (
        limit > MIN_COLUMN_WIDTH
        and sum(min(w, limit) for w in widths) + len(COLUMN_GAP) * (count - 1) > screen
    ):
        limit -= 1
    fitted = [min(w, limit) for w in widths]
    while len(fitted) > 1 and sum(fitted) + len(COLUMN_GAP) * (len(fitted) - 1) > screen:
        fitted.pop()
    return fitted


def aligned_text(text: str, space: int, *, to_right: bool) -> str:
    """Pad a string to a width; one that is too long is cut and ends with `…`."""
    width = display_width(text)
    if width > space:
        width, fitting = 0, []
        for char in text:
            if width + display_width(char) >= space:
                break
            width += display_width(char)
            fitting.append(char)
        text, width = "".join(fitting) + "…", width + 1
    padding = " " * (space - width)
    return padding + text if to_right else text + padding


def html_table(rows: Sequence[Mapping[str, object]]) -> str:
    """Return records as a table, whose columns are their keys; what is left out is counted."""
    from html import escape  # noqa: PLC0415 - slow to import, and only for notebooks

    columns = list(dict.fromkeys(key for row in rows[:MAX_HTML_ROWS] for key in row))
    shown, hidden = columns[:MAX_HTML_COLUMNS], columns[MAX_HTML_COLUMNS:]
    head = "".join(f"<th>{escape(readable_text(str(key)))}</th>" for key in shown)
    body = "".join(
        f"<tr>{''.join(html_cell(row, key) for key in shown)}</tr>\n"
        for row in rows[:MAX_HTML_ROWS]
    )
    notes = [f"{len(rows) - MAX_HTML_ROWS:,} more rows"] if len(rows) > MAX_HTML_ROWS else []
    notes += [f"{len(hidden)} more columns"] if hidden else []
    more = f"<div>… {', '.join(notes)}</div>" if notes else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def html_cell(row: Mapping[str, object], key: str) -> str:
    """Return a cell; one that the row does not have is empty."""
    from html import escape  # noqa: PLC0415 - slow to import, and only for notebooks

    if key not in row:
        return "<td></td>"
    value = row[key]
    text = readable_text(text_of(value))
    if len(text) > MAX_HTML_CELL_CHARACTERS:
        text = f"{text[:MAX_HTML_CELL_CHARACTERS]}… ({len(text):,} characters)"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    style = ' style="text-align:right"' if is_number else ""
    return f"<td{style}>{escape(text)}</td>"


def readable_text(text: str) -> str:
    """Return a text that can be encoded: bytes that are no UTF-8 become a replacement character."""
    return bytes_of_text(text).decode("utf-8", "replace")
