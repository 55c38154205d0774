"""Matched lines that are extracted only on demand.

`grep … | wc -l` needs only their number, which is cheaper to compute.
"""

from __future__ import annotations

from keysh.text.chunks import LineBlock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.native.line_search import LineSearch


class MatchedLines(LineBlock):
    """The lines of a block that match; there is at least one."""

    __slots__ = ("_block",)

    def __init__(self, block: LineSearch) -> None:
        super().__init__("")
        self._block: LineSearch | None = block

    def lines(self) -> list[str]:
        self._find_lines()
        return super().lines()

    def octets(self) -> str:
        self._find_lines()
        return super().octets()

    def count(self, end: str) -> int:
        if self._block is not None and end == "\n":
            return self._block.count()
        return super().count(end)

    def _find_lines(self) -> None:
        """Extract the lines, unless that was done before."""
        if self._block is not None:
            super().__init__(self._block.select_chunk(keeps=True))
            self._block = None
