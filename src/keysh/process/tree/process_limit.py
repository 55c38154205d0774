"""Process limit: how many processes a tree may have, counted often enough for a fork bomb.

Only what was started since the last count is read, so counting stays cheap while the tree grows.
"""

from __future__ import annotations

import signal

from keysh.process.tree.kill import signal_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.tree.process_tree import ProcessTree

# Between two counts; the more room the tree has, the longer.
MIN_COUNT_SECONDS, MAX_COUNT_SECONDS = 0.001, 0.02
GREATEST_GROWTH_PER_SECOND = 10_000  # processes that a tree starts
# A tree that may have grown to this multiple of its limit since the last count is a fork bomb.
SUSPICIOUS_FACTOR = 1.5


class ProcessLimit:
    """The limit of one tree."""

    __slots__ = ("_left_count", "_limit", "_tree")

    def __init__(self, tree: ProcessTree, limit: int) -> None:
        self._tree, self._limit = tree, limit
        self._left_count = 0  # at the last call of `has_grown`

    def is_exceeded(self, has_ended: bool) -> bool:
        """Whether the tree, whose first process may have ended, has too many processes.

        What may be a fork bomb is stopped before it is counted: it grows faster than one can count.
        """
        tree, limit = self._tree, self._limit
        greatest = tree.greatest_count()
        if not has_ended and (greatest is None or greatest <= limit * SUSPICIOUS_FACTOR):
            return tree.has_more_than(limit)
        if greatest == 0:
            return False
        signal_tree(tree, (), signal.SIGSTOP)
        if tree.has_more_than(limit):
            return True
        signal_tree(tree, (), signal.SIGCONT)
        return False

    def has_left_any(self) -> bool:
        """Whether processes are alive after the first one has ended."""
        return self.is_exceeded(True) or self._tree.has_more_than(0)

    def has_grown(self) -> bool:
        """Whether more processes are alive than when this was last asked."""
        before, self._left_count = self._left_count, self._tree.alive_count
        return self._left_count > before

    def interval(self) -> float:
        """The seconds in which the tree may grow over its limit."""
        greatest = self._tree.greatest_count()
        if greatest is None:
            return MAX_COUNT_SECONDS
        seconds = (self._limit - greatest) / GREATEST_GROWTH_PER_SECOND
        return min(max(seconds, MIN_COUNT_SECONDS), MAX_COUNT_SECONDS)
