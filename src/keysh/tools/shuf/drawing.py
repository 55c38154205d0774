"""Drawing: choices made by the bytes of a file, the same that GNU's tools make of these bytes.

A choice among few takes less than a byte; what is left of it goes into the next one.
"""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import reader_of
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
    """What is left of a file of chance: `_value` is one of 0 to `_most`, each as likely."""

    __slots__ = ("_bytes", "_max_value", "_value", "close")

    def __init__(self, sh: Call, name: str) -> None:
        self._value = self._max_value = 0
        try:
            reader = reader_of(sh.open(name))
        except OSError as error:
            raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
        self._bytes = random_bytes(sh, reader, name)
        self.close = reader.close

    def below(self, count: int) -> int:
        """One of the numbers below a count."""
        most = count - 1
        while True:
            while self._max_value < most:
                self._value = (self._value << 8) + next(self._bytes)
                self._max_value = (self._max_value << 8) + MAX_BYTE
            if self._max_value == most:
                found, self._value, self._max_value = self._value, 0, 0
                return found
            surplus = self._max_value - most
            unfair = surplus % count  # of the last values, which would favour small numbers
            rest, found = divmod(self._value, count)
            if self._value <= self._max_value - unfair:
                self._value, self._max_value = rest, surplus // count
                return found
            self._value, self._max_value = found, unfair - 1

    def choice(self, lines: Sequence[Any]) -> Any:
        """One of some lines."""
        return lines[self.below(len(lines))]

    def sample(self, lines: Sequence[Any], size: int) -> list[Any]:
        """Some of the lines, each once."""
        found: list[Any] = []
        moved: dict[int, int] = {}  # places whose line has been drawn, and the line there now
        for at in range(size):
            place = at + self.below(len(lines) - at)
            found.append(lines[moved.get(place, place)])
            moved[place] = moved.pop(at, at)
        return found

    def reservoir_sample(self, lines: Iterable[str], size: int) -> list[str]:
        """Some lines of a text whose end is not known, each with the same chance."""
        found: list[str] = []
        count = 0
        for line in lines:
            if count < size:
                found.append(line)
            else:
                place = self.below(count + 1)
                if place < size:
                    found[place] = line
            count += 1
        if count >= size:  # the next line has been drawn for, too
            self.below(count + 1)
        return found


def random_bytes(sh: Call, reader: Reader, name: str) -> Iterator[int]:
    """The bytes of a file, which must not come to an end."""
    for chunk in reader.chunks():
        yield from bytes_of_text(chunk)
    raise sh.fail(f"{quoted_name(name)}: end of file")
