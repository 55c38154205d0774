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
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader

MAX_BYTE = 0xFF  # byte


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

    def sample(self, lines: Sequence[Any], size: int) -> list[Any]:
        """Draw some lines, each at most once."""
        drawn: list[Any] = []
        moved: dict[int, int] = {}  # indexes already drawn, and the line now there
        for index in range(size):
            chosen = index + self.below(len(lines) - index)
            drawn.append(lines[moved.get(chosen, chosen)])
            moved[chosen] = moved.pop(index, index)
        return drawn

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


def random_bytes(sh: Call, reader: Reader, name: str) -> Iterator[int]:
    """Yield the bytes of a file; its end is an error."""
    for chunk in reader.chunks():
        yield from bytes_of_text(chunk)
    raise sh.fail(f"{quoted_name(name)}: end of file")
