"""Search for a shortest edit script.

At a point (x, y), x items of the old sequence and y of the new one have been used. A deletion goes
one to the right, an insertion one down, and equal items lead along a diagonal (x - y) at no cost.
From both corners, the search finds the furthest points that each number of edits reaches on every
diagonal. Where both meet is the middle of a shortest path, whose halves are searched in the same
way (E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MIN_COST_LIMIT = 4096  # GNU diff accepts a path that may not be the shortest after this many edits
LATE_COST_LIMIT = 64  # the same, after MAX_THOROUGH_DIAGONALS
MAX_THOROUGH_DIAGONALS = 12_000_000  # visited diagonals: some seconds
UNREACHABLE = 1 << 60


class EditSearch:
    """One search; it marks the deleted and inserted items of both sequences."""

    __slots__ = (
        "_backward", "_cost_limit", "_forward", "_new", "_old", "_tick", "_visited_diagonals",
        "deleted", "inserted",
    )  # fmt: skip

    def __init__(self, old: Sequence[int], new: Sequence[int], tick: Callable[[], None]) -> None:
        self._old, self._new, self._tick = old, new, tick
        self.deleted, self.inserted = bytearray(len(old)), bytearray(len(new))
        # The furthest x on each diagonal. Negative diagonals count from the ends of the lists.
        diagonals = len(old) + len(new) + 3
        self._forward, self._backward = [0] * diagonals, [0] * diagonals
        self._cost_limit = max(MIN_COST_LIMIT, 1 << (diagonals.bit_length() + 1) // 2)
        self._visited_diagonals = 0

    def run(self, *, is_minimal: bool = False) -> None:
        """Mark all items; with `is_minimal`, find a shortest script at any cost."""
        old, new = self._old, self._new
        parts = [(0, len(old), 0, len(new), is_minimal)]
        while parts:
            left, right, top, bottom, is_minimal = parts.pop()
            while left < right and top < bottom and old[left] == new[top]:
                left += 1
                top += 1
            while left < right and top < bottom and old[right - 1] == new[bottom - 1]:
                right -= 1
                bottom -= 1
            if left == right:
                self.inserted[top:bottom] = b"\1" * (bottom - top)
            elif top == bottom:
                self.deleted[left:right] = b"\1" * (right - left)
            else:
                x, y, is_first, is_last = self._middle(left, right, top, bottom, is_minimal)
                parts.append((x, right, y, bottom, is_last))
                parts.append((left, x, top, y, is_first))

    def _middle(  # noqa: C901 - two sweeps of one loop, which share all their places
        self, left: int, right: int, top: int, bottom: int, is_minimal: bool
    ) -> tuple[int, int, bool, bool]:
        """Return a point on the path, and whether each half must be minimal."""
        old, new, ahead, back = self._old, self._new, self._forward, self._backward
        lowest, highest = left - bottom, right - top
        low = high = left - top
        back_low = back_high = right - bottom
        is_odd = (low - back_low) & 1
        ahead[low], back[back_low] = left, right
        cost = 0
        while True:
            cost += 1
            self._tick()
            if low > lowest:
                low -= 1
                ahead[low - 1] = -1
            else:
                low += 1
            if high < highest:
                high += 1
                ahead[high + 1] = -1
            else:
                high -= 1
            for diagonal in range(high, low - 1, -2):
                x, after = ahead[diagonal - 1] + 1, ahead[diagonal + 1]
                if x <= after:
                    x = after
                y = x - diagonal
                while x < right and y < bottom and old[x] == new[y]:
                    x += 1
                    y += 1
                ahead[diagonal] = x
                if is_odd and back_low <= diagonal <= back_high and back[diagonal] <= x:
                    return x, y, True, True
            if back_low > lowest:
                back_low -= 1
                back[back_low - 1] = UNREACHABLE
            else:
                back_low += 1
            if back_high < highest:
                back_high += 1
                back[back_high + 1] = UNREACHABLE
            else:
                back_high -= 1
            for diagonal in range(back_high, back_low - 1, -2):
                x, after = back[diagonal - 1], back[diagonal + 1] - 1
                if x > after:
                    x = after
                y = x - diagonal
                while left < x and top < y and old[x - 1] == new[y - 1]:
                    x -= 1
                    y -= 1
                back[diagonal] = x
                if not is_odd and low <= diagonal <= high and x <= ahead[diagonal]:
                    return x, y, True, True
            self._visited_diagonals += high - low + 2
            if not is_minimal and cost >= self._cost_limit:
                return self._best((left, right, top, bottom), (low, high), (back_low, back_high))
            if self._visited_diagonals > MAX_THOROUGH_DIAGONALS:
                self._cost_limit = LATE_COST_LIMIT

    def _best(
        self, bounds: tuple[int, int, int, int], ahead: tuple[int, int], back: tuple[int, int]
    ) -> tuple[int, int, bool, bool]:
        """Return the furthest point found, after the search was given up."""
        left, right, top, bottom = bounds
        first, first_sum = 0, -1
        for diagonal in range(ahead[1], ahead[0] - 1, -2):
            x = min(self._forward[diagonal], right, bottom + diagonal)
            if first_sum < 2 * x - diagonal:
                first, first_sum = x, 2 * x - diagonal
        last, last_sum = 0, UNREACHABLE
        for diagonal in range(back[1], back[0] - 1, -2):
            x = max(self._backward[diagonal], left, top + diagonal)
            if 2 * x - diagonal < last_sum:
                last, last_sum = x, 2 * x - diagonal
        if right + bottom - last_sum < first_sum - (left + top):
            return first, first_sum - first, True, False
        return last, last_sum - last, False, True
