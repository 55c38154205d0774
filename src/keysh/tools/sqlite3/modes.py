"""Output modes: print rows exactly as SQLite's own shell does.

The only difference: a value that contains NUL is printed whole, where C stops.
"""

from __future__ import annotations

import re

from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.tools.sqlite3.columns import TABLE_STYLES, TableColumn, table_lines
from keysh.tools.sqlite3.sql_text import name_in_sql, value_in_sql
from keysh.values import Numeral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    Row = Sequence[Any]

# Separators that a mode sets; None keeps the current one.
MODE_SEPARATORS: dict[str, tuple[str | None, str | None]] = {
    "ascii": ("\x1f", "\x1e"), "csv": (",", "\r\n"), "json": (None, None), "line": (None, "\n"),
    "html": (None, None), "insert": (None, None), "list": ("|", "\n"), "quote": (",", "\n"),
    "tabs": ("\t", None), "tcl": (" ", "\n"),
    **dict.fromkeys(TABLE_STYLES, (None, "\n")),
}  # fmt: skip
QUOTING_BOX = "qbox"
MODE_NAMES = (*MODE_SEPARATORS, QUOTING_BOX)
HTML_ESCAPES = str.maketrans({"<": "&lt;", "&": "&amp;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
C_ESCAPES = {34: '\\"', 92: "\\\\", 9: "\\t", 10: "\\n", 13: "\\r"}
C_BYTES = [
    C_ESCAPES.get(code, chr(code) if 31 < code < 127 else f"\\{code:03o}") for code in range(256)
]
MIN_LINE_NAME_WIDTH = 5  # of names in line mode
DEFAULT_WRAP_COLUMNS = 60  # at which `.mode column` and similar modes wrap cells

# Characters that need quotes in CSV: control characters, blanks, quotes, all but ASCII.
CSV_QUOTE_TRIGGER = re.compile("[\0- \"'\x7f-\U0010ffff]")
JSON_ESCAPE_TRIGGER = re.compile('["\\\\\0-\x1f]')
JSON_ESCAPES = {code: f"\\u{code:04x}" for code in range(32)} | {
    ord(char): f"\\{letter}" for char, letter in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)
}


class OutputMode:
    """The settings of the output, and functions to format rows."""

    def __init__(self, text: Callable[[float], str], exact: Callable[[float], str]) -> None:
        self._number, self._exact = text, exact
        self.name = "list"
        self.column, self.row, self.null = "|", "\n", ""
        self.has_header = False
        self.has_set_header = False  # by the user, so that no mode changes it
        self.wrap = 0
        self.widths: list[int] = []  # of the first columns, at least; negative ones align right
        self.by_words = False  # wrap cells between words
        self.quotes = False  # print cells as SQL
        self.table = "table"  # for INSERT statements

    def select(self, name: str) -> None:
        """Select a mode with its separators, as `.mode` does."""
        self.quotes, self.by_words = name == QUOTING_BOX, False
        self.name = name = "box" if name == QUOTING_BOX else name
        column, row = MODE_SEPARATORS[name]
        self.column = self.column if column is None else column
        self.row = self.row if row is None else row
        self.wrap = DEFAULT_WRAP_COLUMNS if name in TABLE_STYLES else 0
        if name == "column" and not self.has_set_header:
            self.has_header = True

    def description(self) -> str:
        """Return the mode as `.mode` prints it."""
        name = "list" if self.name == "tabs" else self.name
        if name not in TABLE_STYLES:
            return name
        words, quotes = "on" if self.by_words else "off", "" if self.quotes else "no"
        return f"{name} --wrap {self.wrap} --wordwrap {words} --{quotes}quote"

    def format_rows(self, names: list[str], rows: Iterable[Row]) -> Iterator[str]:
        """Return rows as text."""
        if self.name in TABLE_STYLES:
            shown = self._quoted_cell if self.quotes else self.cell
            cells = ([shown(value) for value in row] for row in rows)
            has_header = self.has_header or self.name != "column"
            asked = [*self.widths[: len(names)], *[0] * (len(names) - len(self.widths))]
            columns = [
                TableColumn(width, abs(width) or self.wrap, by_words=self.by_words)
                for width in asked
            ]
            style = TABLE_STYLES[self.name]
            return table_lines(style, names, cells, columns, has_header=has_header)
        if self.name == "line":
            return self._lines(names, rows)
        if self.name == "insert":
            return self._statements(names, rows)
        return self._html(names, rows) if self.name == "html" else self._separated(names, rows)

    def cell(self, value: Any) -> str:
        """Return a value as plain text."""
        if value.__class__ is str:
            return value
        if value is None:
            return self.null
        if value.__class__ is float:
            return self._number(value)
        return text_of_bytes(value) if value.__class__ is bytes else str(value)

    def _quoted_cell(self, value: Any) -> str:
        """Return a value as SQL in a cell."""
        if value.__class__ is float:
            return self._number(value)
        return f"x'{value.hex()}'" if value.__class__ is bytes else self._quoted(value)

    def _separated(self, names: list[str], rows: Iterable[Row]) -> Iterator[str]:
        fields = {"csv": self._csv, "quote": self._quoted, "tcl": self._c_text}
        field, join = fields.get(self.name, self.cell), self.column.join
        is_first = True
        for row in rows:
            line = join([field(value) for value in row]) + self.row
            if is_first and self.has_header:
                line = join([field(name) for name in names]) + self.row + line
            is_first = False
            yield line

    def _lines(self, names: list[str], rows: Iterable[Row]) -> Iterator[str]:
        width = max(
            [MIN_LINE_NAME_WIDTH, *(len(name.encode("utf-8", "replace")) for name in names)]
        )
        gap = ""
        for row in rows:
            lines = [
                f"{' ' * (width - len(name.encode('utf-8', 'replace')))}{name} = {self.cell(value)}"
                f"{self.row}"
                for name, value in zip(names, row, strict=True)
            ]
            yield gap + "".join(lines)
            gap = self.row

    def _statements(self, names: list[str], rows: Iterable[Row]) -> Iterator[str]:
        """Yield rows as INSERT statements."""
        columns = f"({','.join(map(name_in_sql, names))})" if self.has_header else ""
        for row in rows:
            values = ",".join([value_in_sql(value, self._exact) for value in row])
            yield f"INSERT INTO {name_in_sql(self.table)}{columns} VALUES({values});\n"

    def _html(self, names: list[str], rows: Iterable[Row]) -> Iterator[str]:
        """Yield rows as rows of an HTML table."""
        is_first = True
        for row in rows:
            if is_first and self.has_header:
                yield html_row("TH", names)
            is_first = False
            yield html_row("TD", [self.cell(value) for value in row])

    def _c_text(self, value: Any) -> str:
        """Return a value as a C string."""
        data = bytes_of_text(self.cell(value))
        return '"' + "".join(map(C_BYTES.__getitem__, data)) + '"'

    def _csv(self, value: Any) -> str:
        text = self.cell(value)
        if value is None:
            return text
        if not text or CSV_QUOTE_TRIGGER.search(text) or (self.column and self.column in text):
            return '"' + text.replace('"', '""') + '"'
        return text

    def _quoted(self, value: Any) -> str:
        """Return a value as SQL."""
        if value is None:
            return "NULL"
        if value.__class__ is bytes:
            return f"X'{value.hex()}'"
        if value.__class__ is float:
            return self._exact(value)
        return "'" + value.replace("'", "''") + "'" if value.__class__ is str else str(value)

    def infinity_text(self, value: float) -> str:
        """Return the SQL for an infinite number, or "" for a finite one."""
        return "" if value - value == 0 else "1e999" if value > 0 else "-1e999"

    def json_text(self, value: Any) -> str:
        """Return a value as JSON."""
        if value is None:
            return "null"
        if value.__class__ is float:
            return self.infinity_text(value) or self._exact(value)
        if value.__class__ is int:
            return str(value)
        text = self.cell(value)
        return f'"{text.translate(JSON_ESCAPES) if JSON_ESCAPE_TRIGGER.search(text) else text}"'

    def shell_value(self, value: Any) -> object:
        """Return a value as the shell represents it."""
        if value.__class__ is float:
            return Numeral(self.infinity_text(value)) if self.infinity_text(value) else value
        return self.cell(value) if value.__class__ is bytes else value


def html_row(kind: str, cells: Iterable[str]) -> str:
    """Return a row of an HTML table."""
    lines = "\n".join(f"<{kind}>{cell.translate(HTML_ESCAPES)}</{kind}>" for cell in cells)
    return f"<TR>{lines}\n</TR>\n"
