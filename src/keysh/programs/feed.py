"""Feed: text that a program reads from a pipe."""

from __future__ import annotations

import os

from keysh.errors import KeyshError
from keysh.process.feed import Feeder
from keysh.text.lines import text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.process.wait import Loop
    from keysh.runtime.streams import Reader

PIECE = 1 << 16  # bytes of one read


class Unread(KeyshError):
    """What a program is to read cannot be read; `error` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def readable(chunks: Iterator[str]) -> Iterator[str]:
    """The same chunks; Unread where that fails, which is no fault of a host's."""
    try:
        yield from chunks
    except OSError as error:
        raise Unread(error) from None


class Feed:
    """`fd` is the program's end of the pipe.

    It stays open here too: what the program leaves in the pipe goes back to the reader, so that
    in `while read x; do program; done` the lines are there for the next turn.
    """

    __slots__ = ("_feeder", "_reader", "_writing", "fd")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.fd, self._writing = os.pipe()
        self._feeder: Feeder | None = None

    def begin(self, loop: Loop) -> None:
        """The program runs, attended by a loop."""
        os.set_blocking(self._writing, False)
        self._feeder = Feeder(loop, self._writing, readable(self._reader.chunks()))

    def end(self) -> None:
        """The program has ended, or was never there."""
        if self._feeder is None:
            os.close(self._writing)
            os.close(self.fd)
            return
        unwritten = self._feeder.rest
        self._feeder.close()
        pieces = []
        while piece := os.read(self.fd, PIECE):  # never waits: no writer is left
            pieces.append(piece)
        os.close(self.fd)
        left = b"".join([*pieces, unwritten])
        if left:
            self._reader.unread(text_of_bytes(left))
