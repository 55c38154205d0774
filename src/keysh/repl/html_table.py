"""HtmlTable: rows of a script as a table of a notebook, and as text where there is no HTML."""

from __future__ import annotations

from html import escape

from keysh.text.table import format_table
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TEXT_COLUMNS = 120
MAX_CELL_CHARACTERS = 1000


class HtmlTable:
    """Records, whose keys are the columns."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[dict[str, object]]) -> None:
        self.rows = rows

    def __repr__(self) -> str:
        return format_table([*self.rows], MAX_TEXT_COLUMNS).rstrip("\n")

    def _repr_html_(self) -> str:
        columns = dict.fromkeys(name for row in self.rows for name in row)
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        body = "".join(
            f"<tr>{''.join(html_cell(row, name) for name in columns)}</tr>\n" for row in self.rows
        )
        return f"<table>\n<tr>{head}</tr>\n{body}</table>"


def html_cell(row: dict[str, object], name: str) -> str:
    """Return a cell of a table; one that the row does not have is empty."""
    if name not in row:
        return "<td></td>"
    text = text_of(row[name])
    if len(text) > MAX_CELL_CHARACTERS:
        text = f"{text[:MAX_CELL_CHARACTERS]}… ({len(text)} characters)"
    is_number = isinstance(row[name], int | float) and not isinstance(row[name], bool)
    style = ' style="text-align:right"' if is_number else ""
    return f"<td{style}>{escape(text)}</td>"
