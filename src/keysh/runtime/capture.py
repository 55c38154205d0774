"""Capture: what `$(…)` collects: text, or the value that a command has printed."""

from __future__ import annotations

from keysh.runtime.streams import Writer, nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.runtime.state import State


class Capture(Writer):
    """A writer that keeps all, up to the longest value allowed."""

    __slots__ = ("_has_rows", "_most", "_pieces", "_rows", "_size", "_state", "_values")

    def __init__(self, state: State) -> None:
        self._pieces: list[str] = []
        self._rows: list[Any] = []
        self._has_rows = False  # be it none
        self._values: list[Any] = []
        self._size = 0
        self._state, self._most = state, state.longest
        self.put, self.flush = self._keep, nothing

    def _keep(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text)
        if self._size > self._most:
            raise self._state.too_long(self._size)

    def write_value(self, value: object, text: str) -> None:
        self._values.append(value)
        self._keep(text)

    def write_row(self, row: object, text: str) -> None:
        self._rows.append(row)
        self._keep(text)

    def end_rows(self) -> None:
        self._has_rows = True

    @property
    def text(self) -> str:
        """All that was written, without the newlines at its end."""
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        return text.rstrip("\n") if text[-1:] == "\n" else text

    def value(self) -> Any:
        """The value that was printed, alone; else the text."""
        if self._values and len(self._pieces) == 1:
            return self._values[0]
        if (self._rows or self._has_rows) and len(self._rows) == len(self._pieces):
            return self._rows
        return self.text
