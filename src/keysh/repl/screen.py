"""Output to the terminal: values as tables, and bytes that are not text as escapes."""

from __future__ import annotations

import os
from io import FileIO

from keysh.diagnostics.display import visible
from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.streams.open_files import FileWriter
from keysh.text.table import format_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class ScreenTerminal(Protocol):
        """The terminal that both screens belong to."""

        is_reading: bool
        print_above: Callable[[str], bool] | None

        @property
        def width(self) -> int:
            """The number of columns."""


MAX_HELD_ROWS = 500  # held back to compute the widths of the columns


class Screen(FileWriter):
    """Standard output or standard error. If it is not a terminal, text passes unchanged."""

    __slots__ = ("_is_terminal", "_rows", "_terminal")

    def __init__(self, number: int, terminal: ScreenTerminal) -> None:
        super().__init__(FileIO(number, "wb", closefd=False))
        self._terminal = terminal
        self._is_terminal = os.isatty(number)
        self._rows: list[object] = []
        self.put = self._put
        self.flush = self.show_rows

    def _put(self, text: str) -> None:
        """Write text after the rows that are held back."""
        if self._rows:
            self.show_rows()
        if self._is_terminal and not is_text(text):
            text = escaped_text(text)
        print_above = self._terminal.print_above
        if print_above is None or not print_above(text):
            self.send(text)

    @property
    def width(self) -> int:
        """The columns; 0 while a line is being edited: jobs then print plain text above it."""
        terminal = self._terminal
        return 0 if terminal.print_above is not None or terminal.is_reading else super().width

    def write_value(self, value: object, text: str) -> None:
        self._show([value] if isinstance(value, list | dict) else [], text)

    def write_row(self, row: object, text: str) -> None:
        if not self._is_terminal or not isinstance(row, dict):
            self._put(text)
            return
        self._rows.append(row)
        if len(self._rows) >= MAX_HELD_ROWS:
            self.show_rows()

    def show_rows(self) -> None:
        """Write the rows that are held back, as a table."""
        rows, self._rows = self._rows, []
        if rows:
            self.send(format_table(rows, self._terminal.width))

    def _show(self, values: list[object], text: str) -> None:
        """Write a value, as a table on a terminal."""
        if values and self._is_terminal:
            self.show_rows()
            text = format_table(values[0], self._terminal.width)
        self._put(text)

    def send(self, text: str) -> None:
        """Write all of a text."""
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(self.fd, data) :]
        except BrokenPipeError:
            raise ReaderGone from None


def is_text(text: str) -> bool:
    """Whether a text is valid UTF-8 without NUL, so that a terminal can show it."""
    if text.isascii():
        return "\0" not in text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def escaped_text(text: str) -> str:
    r"""Return a text with its invalid bytes and control characters as escapes, such as `\xff`."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
