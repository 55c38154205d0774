"""Replacements: versions of inodes that no directory holds, by inode number."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.vfs.memory.inodes import AnyInode, Inode

BLOCK_BITS = 5  # a block has 32 numbers: the first change after a snapshot copies one block


class Replacements:
    """Inodes by number, in blocks that snapshots share until one side changes them.

    `_own` are the blocks that belong to this side alone; None if even the table of blocks is
    shared.
    """

    __slots__ = ("_blocks", "_own")

    def __init__(self) -> None:
        self._blocks: dict[int, dict[int, Any]] = {}  # a replacement has the same class
        self._own: set[int] | None = set()

    def snapshot(self) -> Replacements:
        """Return an independent copy, without copying anything yet."""
        copy = Replacements()
        copy._blocks = self._blocks
        copy._own = self._own = None
        return copy

    def is_same_as(self, other: Replacements) -> bool:
        """Whether nothing has changed since one of the two became a snapshot of the other."""
        return self._blocks is other._blocks

    def get(self, node: AnyInode) -> AnyInode:
        """Return the replacement of an inode, or the inode itself."""
        block = self._blocks.get(node.number >> BLOCK_BITS)
        return node if block is None else block.get(node.number, node)

    def add(self, node: Inode) -> None:
        """Replace the inode that has the same number."""
        self._own_block(node.number >> BLOCK_BITS)[node.number] = node

    def discard(self, number: int) -> None:
        """Forget the replacement of a number, if there is one."""
        place = number >> BLOCK_BITS
        if number not in self._blocks.get(place, ()):
            return
        block = self._own_block(place)
        del block[number]
        if not block:
            del self._blocks[place]

    def difference(self, other: Replacements) -> list[Inode]:
        """Return the replacements that the other table does not have."""
        if self._blocks is other._blocks:
            return []
        different: list[Inode] = []
        for place, block in self._blocks.items():
            theirs = other._blocks.get(place, {})
            if block is not theirs:
                different += [
                    node for number, node in block.items() if theirs.get(number) is not node
                ]
        return different

    def _own_block(self, place: int) -> dict[int, Any]:
        if self._own is None:
            self._blocks = self._blocks.copy()
            self._own = set()
        block = self._blocks.get(place)
        if block is None or place not in self._own:
            block = self._blocks[place] = {} if block is None else block.copy()
            self._own.add(place)
        return block
