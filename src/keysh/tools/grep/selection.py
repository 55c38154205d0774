"""A selection: the lines with a match, which are looked for only when somebody asks what they are.

`grep … | wc -l` asks how many there are, which is known sooner.
"""

from __future__ import annotations

from keysh.text.chunks import Sheaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.native.line_search import Block


class Selection(Sheaf):
    """The lines of a block that hold a match, of which there is one at least."""

    __slots__ = ("_block",)

    def __init__(self, block: Block) -> None:
        super().__init__("")
        self._block: Block | None = block

    def lines(self) -> list[str]:
        self._look()
        return super().lines()

    def octets(self) -> str:
        self._look()
        return super().octets()

    def count(self, end: str) -> int:
        if self._block is not None and end == "\n":
            return self._block.count()
        return super().count(end)

    def _look(self) -> None:
        """Find the lines, if that has not been done."""
        if self._block is not None:
            super().__init__(self._block.found(keeps=True))
            self._block = None
