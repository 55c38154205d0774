"""Weaving: columns of texts become one text, row by row, without a step of Python's for any row."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def woven(*columns: Sequence[str]) -> str:
    """The first texts of all columns, then the second ones; all columns are as long."""
    count = len(columns)
    pieces = [""] * (count * len(columns[0]))
    for at, column in enumerate(columns):
        pieces[at::count] = column
    return "".join(pieces)
