"""Two sorted texts side by side, block by block: their lines up to a border, at once.

A block is columns of equal length: the first has the keys by which the lines are sorted, the others
what else is known of each line. A line whose key lies before the border can have its like only
within the same pair of blocks, so that dictionaries may take the place of a merge line by line.
"""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Block: TypeAlias = tuple[list[str], ...]


MAX_HELD_LINES = 1 << 17  # lines of one key, or beside a key, that are held


class SortedInput:
    """One of the texts. `block` is what has been read of it and not given out.

    `is_over` says that nothing is left to read, `is_odd` that what was read last is out of order.
    """

    __slots__ = ("_blocks", "block", "count", "is_odd", "is_over")

    def __init__(self, blocks: Iterator[Block], columns: int) -> None:
        self._blocks = blocks
        self.count = 0  # of the lines that were given out
        self.block: Block = tuple(list[str]() for _ in range(columns))
        self.is_over = self.is_odd = False

    @property
    def is_done(self) -> bool:
        """Whether all lines were given out."""
        return self.is_over and not self.block[0]

    def read_block(self) -> None:
        """Read one block more."""
        found = next(self._blocks, None)
        if found is None:
            self.is_over = True
            return
        before, keys = self.block[0], found[0]
        is_behind = not before or before[-1] <= keys[0]
        self.is_odd = not is_behind or keys != sorted(keys)
        self.block = tuple([*old, *new] for old, new in zip(self.block, found, strict=True))

    def take_lines(self, count: int) -> Block:
        """So many lines from the start, which are given out."""
        found = tuple(column[:count] for column in self.block)
        self.block = tuple(column[count:] for column in self.block)
        self.count += count
        return found

    def remaining_blocks(self) -> Iterator[Block]:
        """All that has not been given out."""
        yield self.block
        yield from self._blocks


def paired_blocks(first: SortedInput, second: SortedInput) -> Iterator[tuple[Block, Block]]:
    """The lines of two texts up to one border after the other.

    It ends with them, or where one is out of order or has too many lines of one key: what is left
    is for who goes line by line.
    """
    sides = (first, second)
    for side in sides:
        side.read_block()
    while not (
        first.is_odd or second.is_odd or max(map(len, first.block + second.block)) > MAX_HELD_LINES
    ):
        lasts = [side.block[0][-1] for side in sides if not side.is_over]
        if not lasts:
            yield first.take_lines(len(first.block[0])), second.take_lines(len(second.block[0]))
            return
        # Behind the last line that is known of a text, there may be more of the same key.
        border = min(lasts)
        counts = [bisect_left(side.block[0], border) for side in sides]
        if any(counts):
            yield first.take_lines(counts[0]), second.take_lines(counts[1])
            continue
        for side in sides:
            if not side.is_over and side.block[0][-1] == border:
                side.read_block()
                break
