"""RecordTable: rows of a script as a table of a notebook, and as text where there is no HTML."""

from __future__ import annotations

from keysh.text.table import format_table, html_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TEXT_COLUMNS = 120


class RecordTable:
    """Records, whose keys are the columns."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[dict[str, object]]) -> None:
        self.rows = rows

    def __repr__(self) -> str:
        return format_table([*self.rows], MAX_TEXT_COLUMNS).rstrip("\n")

    def _repr_html_(self) -> str:
        return html_table(self.rows)
