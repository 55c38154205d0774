"""Filling: entries side by side, in as many columns as fit, with tabs between them."""

from __future__ import annotations

from keysh.text.width import Widths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TAB = 8


def filled(entries: list[str], width: int, by_rows: bool) -> Iterator[str]:
    """Entries in as many columns as fit, with tabs between them."""
    measure = Widths()
    sizes = [sum(map(measure.__getitem__, map(ord, entry))) for entry in entries]
    widest = max(sizes, default=0)
    each = (widest // TAB + 1) * TAB
    columns = 1 if widest >= width else max(1, width // each)
    height = -(-len(entries) // columns)
    for row in range(height):
        places = range(row * columns, (row + 1) * columns) if by_rows else range(
            row, len(entries), height
        )  # fmt: skip
        pieces, at, end = [], 0, 0
        for i in places:
            if i >= len(entries):
                break
            pieces.append("\t" * (end // TAB - at // TAB) + entries[i])
            at = end + sizes[i]
            end += each
        yield "".join(pieces) + "\n"
