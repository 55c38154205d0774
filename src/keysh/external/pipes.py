"""Output: what a program puts out, as the next stage of a pipeline reads it."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from time import monotonic

from keysh.diagnostics.errors import KeyshError
from keysh.interp.run.control_flow import Gone, Unwanted
from keysh.interp.streams.streams import Reader
from keysh.process.pipes import Outlet
from keysh.process.stdin import Feeder
from keysh.text.chunks import text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecs import IncrementalDecoder
    from collections.abc import Iterator

    from keysh.interp.run.limits import Budget
    from keysh.interp.streams.streams import Writer
    from keysh.process.loop import Loop
    from keysh.process.process import Process


# Drain: bytes that a program puts out, as text for a writer.


class Drain:
    """Takes pieces. Once nobody reads what is written, `is_gone` and the rest goes nowhere.

    `is_unwanted` says that nobody waits for who writes, either.
    """

    __slots__ = ("_decoder", "_writer", "is_gone", "is_unwanted")

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._decoder: IncrementalDecoder | None = None  # many programs say nothing
        self.is_gone = self.is_unwanted = False

    def put(self, data: bytes) -> None:
        """The next piece; an empty one is the end."""
        if self._decoder is None:
            if not data:
                return
            self._decoder = getincrementaldecoder("utf-8")("surrogateescape")
        text = self._decoder.decode(data, not data)
        if not text or self.is_gone:
            return
        try:
            self._writer.put(text)
            self._writer.flush()
        except Gone as gone:
            self.is_gone, self.is_unwanted = True, isinstance(gone, Unwanted)


class NumberedDrain:
    """A drain at the end of a pipe of its own; `fd` is the program's end."""

    __slots__ = ("_drain", "_loop", "_outlet", "_reading", "fd")

    def __init__(self, writer: Writer) -> None:
        self._drain = Drain(writer)
        self._reading, self.fd = os.pipe()
        self._loop: Loop | None = None

    def begin(self, loop: Loop) -> None:
        """The program runs, attended by a loop."""
        os.close(self.fd)
        os.set_blocking(self._reading, False)
        self._loop = loop
        self._outlet = Outlet(self._reading, self._drain.put, self._ended)
        loop.watch(self._reading, self._outlet.ready)

    def end(self) -> None:
        """The program has ended, or was never there."""
        if self._loop is None:
            os.close(self.fd)
        else:
            self._loop.forget(self._reading)
            self._outlet.drain()
            self._drain.put(b"")
        os.close(self._reading)

    def _ended(self, outlet: Outlet) -> None:
        if self._loop is not None:
            self._loop.forget(outlet.fd)


# Feed: text that a program reads from a pipe.

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


PIECE = 1 << 16  # bytes of one read


class Pipe:
    """The reading end of a pipe, as chunks of text. The process is attended while one waits."""

    __slots__ = ("_budget", "_decoder", "_over", "_process", "fd")

    def __init__(self, fd: int, process: Process, budget: Budget) -> None:
        self.fd, self._process, self._budget = fd, process, budget
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")
        self._over: float | None = None  # when the process has ended, the moment to stop reading

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while self.fd >= 0:
            data = self._read()
            if not data:
                self.close()
            if text := self._decoder.decode(data, not data):
                return text
        raise StopIteration

    @property
    def is_between_characters(self) -> bool:
        """Whether nothing is held back that has been read."""
        return not self._decoder.getstate()[0]

    def close(self) -> None:
        """Nobody reads any more: the process is told so when it writes."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def _read(self) -> bytes:
        """The next piece; none at the end."""
        loop = self._process.loop
        found: list[bytes] = []
        # The pipe blocks, for the next program may get it as it is; but then there is something.
        loop.watch(self.fd, lambda _: found.append(os.read(self.fd, PIECE)))
        try:
            while not found and self._turn(loop):
                pass
        finally:
            loop.forget(self.fd)
        return found[0] if found else b""

    def _turn(self, loop: Loop) -> bool:
        """Wait until something happens; False when there is nothing more to wait for."""
        self._budget.look()
        if self._process.result is None:
            self._process.turn(None)
            return True
        # It has ended. Others may hold the pipe, and are waited for no longer than to drain it.
        if self._over is None:
            self._over = monotonic() + self._process.spec.drain / 1000
        loop.turn(self._over)
        return monotonic() < self._over


class Output(Reader):
    """What a program puts out. Another program may read the same pipe."""

    __slots__ = ("_pipe", "loop")

    def __init__(self, pipe: Pipe, loop: Loop) -> None:
        super().__init__(pipe)
        self._pipe = pipe
        self.loop = loop  # what attends the program

    def lend(self) -> int:
        rest = self._taken()
        if rest:
            self.unread(rest)
        return self._pipe.fd if not rest and self._pipe.is_between_characters else -1
