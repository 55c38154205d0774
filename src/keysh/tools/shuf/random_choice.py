"""Draw random choices from the bytes of a file, exactly as GNU tools do.

A choice among a few may use less than a byte; the rest serves the next choice.
"""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader

MAX_BYTE = 0xFF  # byte
# From more lines than these, `random_sample` draws by number: no list of them is made.
MAX_POOL_FACTOR, MIN_POOL_LINES = 12, 25


class RandomFile:
    """A source of random bytes; `_value` is uniform between 0 and `_max_value`."""

    __slots__ = ("_bytes", "_max_value", "_value", "close")

    def __init__(self, sh: Call, name: str) -> None:
        self._value = self._max_value = 0
        try:
            reader = sh.open_reader(name)
        except OSError as error:
            raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
        self._bytes = random_bytes(sh, reader, name)
        self.close = reader.close

    def below(self, count: int) -> int:
        """Draw a number below `count`."""
        highest = count - 1
        while True:
            while self._max_value < highest:
                self._value = (self._value << 8) + next(self._bytes)
                self._max_value = (self._max_value << 8) + MAX_BYTE
            if self._max_value == highest:
                drawn, self._value, self._max_value = self._value, 0, 0
                return drawn
            surplus = self._max_value - highest
            unfair = surplus % count  # the last values would favour small numbers
            rest, drawn = divmod(self._value, count)
            if self._value <= self._max_value - unfair:
                self._value, self._max_value = rest, surplus // count
                return drawn
            self._value, self._max_value = drawn, unfair - 1

    def choice(self, lines: Sequence[Any]) -> Any:
        """Draw one line."""
        return lines[self.below(len(lines))]

    def sample(self, lines: Sequence[Any], size: int) -> Iterator[Any]:
        """Draw some lines, each at most once."""
        moved: dict[int, int] = {}  # indexes already drawn, and the line now there
        for index in range(size):
            chosen = index + self.below(len(lines) - index)
            yield lines[moved.get(chosen, chosen)]
            moved[chosen] = moved.pop(index, index)

    def reservoir_sample(self, lines: Iterable[str], size: int) -> list[str]:
        """Draw lines from input of unknown length with equal probability."""
        drawn: list[str] = []
        count = 0
        for line in lines:
            if count < size:
                drawn.append(line)
            else:
                index = self.below(count + 1)
                if index < size:
                    drawn[index] = line
            count += 1
        if count >= size:  # GNU draws once more before it sees the end
            self.below(count + 1)
        return drawn


def random_sample(random: Random, lines: Sequence[Any], size: int) -> Iterator[Any]:
    """Yield lines, each at most once; `random.sample` draws them all before a run can end."""
    remaining = len(lines)
    if remaining > MAX_POOL_FACTOR * size + MIN_POOL_LINES:
        chosen: set[int] = set()
        for _ in range(size):
            while (index := random.randrange(remaining)) in chosen:
                pass
            chosen.add(index)
            yield lines[index]
        return
    pool = list(lines)
    for _ in range(size):
        index = random.randrange(remaining)
        remaining -= 1
        yield pool[index]
        pool[index] = pool[remaining]


def random_bytes(sh: Call, reader: Reader, name: str) -> Iterator[int]:
    """Yield the bytes of a file; its end is an error."""
    for chunk in reader.chunks():
        yield from bytes_of_text(chunk)
    raise sh.fail(f"{quoted_name(name)}: end of file")
