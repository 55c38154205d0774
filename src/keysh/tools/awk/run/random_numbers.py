"""gawk's random numbers: the same seed gives the same sequence, which programs rely on.

random(3) of BSD with 63 words of state, shuffled by the method of Bays and Durham.
"""

from __future__ import annotations

STATE_WORDS = 63
TABLE_WORDS = 512
DISCARDED_NUMBERS = 10 * STATE_WORDS
MASK = 0xFFFFFFFF
RANGE = 2.0**31  # of random(3)


def seeded_state(seed: int) -> list[int]:
    """Return the words that Park and Miller's generator makes of a seed."""
    number = seed & MASK
    state = [number]
    for _ in range(STATE_WORDS - 1):
        signed = (number or 123459876) - ((number & 1 << 31) << 1)
        high = abs(signed) // 127773 * (1 if signed >= 0 else -1)  # towards zero, as in C
        number = 16807 * (signed - high * 127773) - 2836 * high
        number = number + 0x7FFFFFFF if number < 0 else number
        state.append(number & MASK)
    return state


class RandomNumbers:
    """The sequence of a seed."""

    __slots__ = ("_front", "_last", "_state", "_table")

    def __init__(self, seed: int) -> None:
        self._state, self._front = seeded_state(seed), 1
        self._table = [self._unshuffled() for _ in range(TABLE_WORDS)]
        self._last = self._unshuffled()
        for _ in range(DISCARDED_NUMBERS):
            self._shuffled()

    def _unshuffled(self) -> int:
        """Return the next number of random(3), of 31 bits."""
        state, front = self._state, self._front
        word = state[front] = (state[front] + state[front - 1]) & MASK
        self._front = front + 1 if front < STATE_WORDS - 1 else 0
        return word >> 1

    def _shuffled(self) -> int:
        index = self._last & (TABLE_WORDS - 1)
        number = self._last = self._table[index]
        self._table[index] = self._unshuffled()
        return number

    def next(self) -> float:
        """Return the next number in [0, 1)."""
        low = self._shuffled()
        number = (0.5 + (low / RANGE + self._shuffled()) / RANGE) - 0.5
        return number if number < 1.0 else self.next()
