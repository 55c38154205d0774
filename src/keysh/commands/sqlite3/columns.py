"""Columns: rows in columns of equal width, with or without lines around them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def layout(
    style: Style, names: list[str], rows: Iterable[list[str]], wrap: int, *, has_header: bool
) -> Iterator[str]:
    """The lines of a table. All rows must be known before the first line is."""
    head = [wrapped(name, wrap)[0] for name in names]
    records = [[wrapped(cell, wrap) for cell in row] for row in rows]
    if not records:
        return
    widths = [width_of(name) for name in head]
    for record in records:
        for at, parts in enumerate(record):
            widths[at] = max(widths[at], *map(width_of, parts))
    if style.top:
        yield rule(style.top, widths)
    if has_header and style.centres:
        middles = [
            name.rjust((width + len(name)) // 2) for name, width in zip(head, widths, strict=True)
        ]
        yield line(style, middles, widths)
        yield rule(style.middle, widths)
    elif has_header:
        yield line(style, head, widths)
        yield line(style, ["-" * width for width in widths], widths)
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
            yield line(style, [parts[at] if at < len(parts) else "" for parts in record], widths)
    if style.bottom:
        yield rule(style.bottom, widths)


def line(style: Style, cells: list[str], widths: list[int]) -> str:
    """One line of cells."""
    padded = [
        cell + " " * (width - width_of(cell)) for cell, width in zip(cells, widths, strict=True)
    ]
    return f"{style.left}{style.between.join(padded)}{style.right}\n"


def width_of(text: str) -> int:
    """How wide SQLite's shell takes a text to be."""
    return len(text) - len(NO_PLACE.findall(text))


def rule(marks: str, widths: list[int]) -> str:
    """A line between rows."""
    left, dash, crossing, right = tuple(marks)
    return left + crossing.join([dash * (width + 2) for width in widths]) + right + "\n"


def wrapped(text: str, most: int) -> list[str]:
    """A cell as lines: tabs become blanks, and a line ends at a control character or is full."""
    most = most or NO_END
    if len(text) < most and not CONTROL.search(text):
        return [text]
    found: list[str] = []
    at = 0
    while True:
        part, end = one_line(text, at, most)
        found.append(part)
        if end >= len(text):
            return found
        at = end


def one_line(text: str, at: int, most: int) -> tuple[str, int]:
    """The line of a cell that begins at a place, and where the next one begins."""
    made = ""
    while len(made) < most and at < len(text):
        match = CONTROL.search(text, at, at + most - len(made))
        end = match.start() if match else min(len(text), at + most - len(made))
        made, at = made + text[at:end], end
        if match is None:
            continue
        if text[at] != "\t":
            return made, at + (2 if text.startswith("\r\n", at) else 1)
        made = made.ljust(min(most, len(made) // TAB * TAB + TAB))
        at += 1
    # A line end where the line is full anyway ends it just once.
    is_end = at < len(text) and text[at] < " " and text[at] != "\t"
    return made, at + (2 if text.startswith("\r\n", at) else 1) if is_end else at
