"""Screen: a terminal that is written to: values as tables, bytes that are no text spelled out."""

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

    class Surface(Protocol):
        """What both screens are parts of."""

        is_reading: bool
        above: Callable[[str], bool] | None

        @property
        def width(self) -> int:
            """The columns."""


ROWS = 500  # held back at most, to find the widths of their columns


class Screen(FileWriter):
    """One of the two. Where it is no terminal, everything goes through as it is."""

    __slots__ = ("_is_terminal", "_rows", "_terminal")

    def __init__(self, number: int, terminal: Surface) -> None:
        super().__init__(FileIO(number, "wb", closefd=False))
        self._terminal = terminal
        self._is_terminal = os.isatty(number)
        self._rows: list[object] = []
        self.put = self._put
        self.flush = self.end

    def _put(self, text: str) -> None:
        """Text, behind the rows that are held back."""
        if self._rows:
            self.end()
        if self._is_terminal and not is_text(text):
            text = spelled(text)
        above = self._terminal.above
        if above is None or not above(text):
            self.send(text)

    @property
    def width(self) -> int:
        """The columns; none while a line is written, above which jobs may write as it is."""
        terminal = self._terminal
        return 0 if terminal.above is not None or terminal.is_reading else super().width

    def write_value(self, value: object, text: str) -> None:
        self._show([value] if isinstance(value, list | dict) else [], text)

    def write_row(self, row: object, text: str) -> None:
        if not self._is_terminal or not isinstance(row, dict):
            self._put(text)
            return
        self._rows.append(row)
        if len(self._rows) >= ROWS:
            self.end()

    def end(self) -> None:
        """Show the rows that are held back."""
        rows, self._rows = self._rows, []
        if rows:
            self.send(format_table(rows, self._terminal.width))

    def _show(self, values: list[object], text: str) -> None:
        """One value, as a table where that can be seen."""
        if values and self._is_terminal:
            self.end()
            text = format_table(values[0], self._terminal.width)
        self._put(text)

    def send(self, text: str) -> None:
        """Write a text, all of it."""
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(self.fd, data) :]
        except BrokenPipeError:
            raise ReaderGone from None


def is_text(text: str) -> bool:
    """Whether a terminal can be given a text as it is."""
    if text.isascii():
        return "\0" not in text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def spelled(text: str) -> str:
    r"""A text with bytes that are none: those, and what goes with them, as `\xff`."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
