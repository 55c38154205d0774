"""Blocks: a text cut between its commands, so that a key changes what stands around it only.

A block is whole lines, and the scanner is at its beginning where the next one begins. What a block
is told apart by is its text: nothing before or behind it changes what its tokens are.
"""

from __future__ import annotations

from keysh.syntax.draft import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

OPENERS = frozenset(
    (
        "IF", "WHILE", "UNTIL", "FOR", "CASE", "LEFT_BRACE", "LEFT_PAREN", "SUBSTITUTION_OPEN",
        "PROCESS_OPEN",
    )
)  # fmt: skip
CLOSERS = frozenset(("FI", "DONE", "ESAC", "RIGHT_BRACE", "RIGHT_PAREN", "SUBSTITUTION_CLOSE"))


class Block:
    """Some lines. Others may follow exactly if it is closed; only the last one may not be."""

    __slots__ = ("height", "is_closed", "lines", "text")

    def __init__(self, text: str, *, is_closed: bool) -> None:
        self.text, self.is_closed = text, is_closed
        self.height = text.count("\n") + (not is_closed)
        self.lines: list[Any] | None = None  # as they are shown, when they have been


def blocks_of(text: str) -> Iterator[Block]:
    """A text in blocks."""
    at = 0
    for end in ends(text):
        yield Block(text[at:end], is_closed=True)
        at = end
    if at < len(text):
        yield Block(text[at:], is_closed=False)


def ends(text: str) -> Iterator[int]:
    """Where the lines end behind which a command may begin that is inside of no other one."""
    draft = Draft(text, most=0)
    depth = furthest = last = 0
    for kind, value, start, end in draft.tokens:
        furthest = max(furthest, end)  # a heredoc's body stands before the end of its line
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth = max(0, depth - 1)
        elif kind == "SEPARATOR" and value == "\n" and not depth:
            last = text.index("\n", max(furthest, start)) + 1
            yield last
    if text.endswith("\n") and furthest <= last < len(text) and not draft.error_spans:
        yield len(text)  # nothing but comments and blank lines


class Blocks:
    """The blocks of a text that changes."""

    __slots__ = ("_blocks",)

    def __init__(self) -> None:
        self._blocks: list[Block] = []

    def of(self, text: str) -> list[Block]:
        """The blocks of a text; those that were there before are the same."""
        old = self._blocks
        first = begin = 0
        while first < len(old) and old[first].is_closed and text.startswith(old[first].text, begin):
            begin += len(old[first].text)
            first += 1
        last, end = len(old), len(text)
        while last > first and text.endswith(old[last - 1].text, begin, end):
            last -= 1
            end -= len(old[last].text)
        new = list(blocks_of(text[begin:end]))
        if new and not new[-1].is_closed and end < len(text):
            last = len(old)  # what is open here goes on behind
            new = list(blocks_of(text[begin:]))
        self._blocks = [*old[:first], *new, *old[last:]]
        return self._blocks

    def forget(self) -> None:
        """Begin anew: what commands are known has changed."""
        self._blocks = []
