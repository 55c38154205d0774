"""Cut a text between its commands, so that a key stroke re-highlights one block only.

A block is a number of whole lines. At its end the scanner is in its initial state, so the tokens of
a block depend on its own text alone, and a block with the same text can be reused.
"""

from __future__ import annotations

from keysh.diagnostics.dialect import KEYSH
from keysh.syntax.draft import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.diagnostics.dialect import Dialect

OPENERS = frozenset(
    (
        "IF", "WHILE", "UNTIL", "FOR", "CASE", "LEFT_BRACE", "LEFT_PAREN", "SUBSTITUTION_OPEN",
        "PROCESS_OPEN",
    )
)  # fmt: skip
CLOSERS = frozenset(("FI", "DONE", "ESAC", "RIGHT_BRACE", "RIGHT_PAREN", "SUBSTITUTION_CLOSE"))


class CommandBlock:
    """Some lines of a text. Only the last block may be open: it ends inside a command."""

    __slots__ = ("height", "is_closed", "lines", "text")

    def __init__(self, text: str, *, is_closed: bool) -> None:
        self.text, self.is_closed = text, is_closed
        self.height = text.count("\n") + (not is_closed)
        self.lines: list[Any] | None = None  # styled, once they were shown


def blocks_of(text: str, dialect: Dialect = KEYSH) -> Iterator[CommandBlock]:
    """Cut a text into blocks."""
    start = 0
    for end in block_ends(text, dialect):
        yield CommandBlock(text[start:end], is_closed=True)
        start = end
    if start < len(text):
        yield CommandBlock(text[start:], is_closed=False)


def block_ends(text: str, dialect: Dialect) -> Iterator[int]:
    """Yield the offsets at which a new top-level command may start."""
    draft = Draft(text, dialect, most=0)
    depth = furthest = last = 0
    for kind, value, start, end in draft.tokens:
        furthest = max(furthest, end)  # a heredoc's body has its token before the end of its line
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth = max(0, depth - 1)
        elif kind == "SEPARATOR" and value == "\n" and not depth:
            last = text.index("\n", max(furthest, start)) + 1
            yield last
    if text.endswith("\n") and furthest <= last < len(text) and not draft.error_spans:
        yield len(text)  # nothing but comments and blank lines


class CommandBlocks:
    """The blocks of a text that is being edited."""

    __slots__ = ("_blocks",)

    def __init__(self) -> None:
        self._blocks: list[CommandBlock] = []

    def of(self, text: str, dialect: Dialect = KEYSH) -> list[CommandBlock]:
        """Return the blocks of a text; unchanged blocks are the same objects as before."""
        old = self._blocks
        first = begin = 0
        while first < len(old) and old[first].is_closed and text.startswith(old[first].text, begin):
            begin += len(old[first].text)
            first += 1
        last, end = len(old), len(text)
        while last > first and text.endswith(old[last - 1].text, begin, end):
            last -= 1
            end -= len(old[last].text)
        new = list(blocks_of(text[begin:end], dialect))
        if new and not new[-1].is_closed and end < len(text):
            last = len(old)  # the open command continues in the old blocks
            new = list(blocks_of(text[begin:], dialect))
        self._blocks = [*old[:first], *new, *old[last:]]
        return self._blocks

    def forget(self) -> None:
        """Drop all blocks: the known commands have changed."""
        self._blocks = []
