"""Read two sorted files in parallel, in blocks of lines up to a common border (join, comm).

A block consists of columns of equal length: first the keys by which the lines are sorted, then
whatever else is known of each line. A line whose key is before the border can match only within
the same pair of blocks, so dictionaries can replace a merge line by line.
"""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Block: TypeAlias = tuple[list[str], ...]


MAX_HELD_LINES = 1 << 17  # in one block


class SortedInput:
    """One of the files. `block` is what was read and not taken yet.

    `is_over` means that nothing is left to read, `is_odd` that the last block is out of order.
    """

    __slots__ = ("_blocks", "block", "count", "is_odd", "is_over")

    def __init__(self, blocks: Iterator[Block], columns: int) -> None:
        self._blocks = blocks
        self.count = 0  # of the lines taken
        self.block: Block = tuple(list[str]() for _ in range(columns))
        self.is_over = self.is_odd = False

    @property
    def is_done(self) -> bool:
        """Whether all lines were taken."""
        return self.is_over and not self.block[0]

    def read_block(self) -> None:
        """Read one more block."""
        new_block = next(self._blocks, None)
        if new_block is None:
            self.is_over = True
            return
        old_keys, keys = self.block[0], new_block[0]
        is_behind = not old_keys or old_keys[-1] <= keys[0]
        self.is_odd = not is_behind or keys != sorted(keys)
        self.block = tuple([*old, *new] for old, new in zip(self.block, new_block, strict=True))

    def take_lines(self, count: int) -> Block:
        """Remove and return the first `count` lines."""
        taken = tuple(column[:count] for column in self.block)
        self.block = tuple(column[count:] for column in self.block)
        self.count += count
        return taken

    def remaining_blocks(self) -> Iterator[Block]:
        """Yield all that was not taken."""
        yield self.block
        yield from self._blocks


def paired_blocks(first: SortedInput, second: SortedInput) -> Iterator[tuple[Block, Block]]:
    """Yield the lines of both files up to one border after another.

    This ends with the files, or when one is out of order or has too many lines with one key. The
    caller then merges the rest line by line.
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
        # More lines with the last key may follow in the next block.
        border = min(lasts)
        counts = [bisect_left(side.block[0], border) for side in sides]
        if any(counts):
            yield first.take_lines(counts[0]), second.take_lines(counts[1])
            continue
        for side in sides:
            if not side.is_over and side.block[0][-1] == border:
                side.read_block()
                break
