"""Source: a script's text with a name; it converts offsets to lines and columns."""

from __future__ import annotations

from keysh.diagnostics.dialect import KEYSH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.dialect import Dialect


class Source:
    """A script's text and the dialect it is written in; messages show its `name`."""

    __slots__ = ("_line_starts", "dialect", "name", "text")

    def __init__(self, text: str, name: str = "<text>", dialect: Dialect = KEYSH) -> None:
        self.text = text
        self.name = name
        self.dialect = dialect
        self._line_starts: list[int] | None = None

    def line_starts(self) -> list[int]:
        """Return the offset of each line's first character."""
        if self._line_starts is None:
            starts = [0]
            for line in self.text.split("\n"):
                starts.append(starts[-1] + len(line) + 1)
            starts.pop()
            self._line_starts = starts
        return self._line_starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return an offset's line and column, both from 1."""
        starts = self.line_starts()
        low, high = 0, len(starts)
        while high - low > 1:
            middle = (low + high) // 2
            if starts[middle] <= offset:
                low = middle
            else:
                high = middle
        return low + 1, offset - starts[low] + 1

    def line(self, number: int) -> str:
        """Return a line by its number, from 1, without its newline."""
        start = self.line_starts()[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]
