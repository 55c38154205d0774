"""Chance: the numbers of `random()`, which are the same in each run, as those of C's random()."""

from __future__ import annotations

FAR, NEAR = 31, 3  # each number is the sum of those that came so many places before
DROPPED = 310
WORD = 1 << 32


class Chance:
    """An additive feedback generator, sown with 1."""

    __slots__ = ("_at", "_last")

    def __init__(self) -> None:
        self._last: list[int] = []  # the last ones, from `_at` on the oldest first
        self._at = 0

    def next(self) -> int:
        """The next number, of 31 bits."""
        if not self._last:
            self._sow()
        return self._step() >> 1

    def _sow(self) -> None:
        seeds = [1]
        for _ in range(FAR - 1):
            seeds.append(seeds[-1] * 16807 % 2147483647)
        self._last, self._at = seeds, NEAR
        for _ in range(DROPPED):
            self._step()

    def _step(self) -> int:
        last, at = self._last, self._at
        last[at] = (last[at] + last[at - NEAR]) % WORD
        self._at = (at + 1) % FAR
        return last[at]
