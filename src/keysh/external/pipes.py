"""Output: what a program puts out, as the next stage of a pipeline reads it."""

from __future__ import annotations

import os
from time import monotonic

from keysh.diagnostics.errors import KeyshError
from keysh.interp.run.control_flow import ReaderAbandoned, ReaderGone
from keysh.interp.streams.streams import Reader
from keysh.process.pipes import OutputPipe
from keysh.process.stdin import StdinFeeder
from keysh.text.chunks import Decoder, text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.run.limits import Budget
    from keysh.interp.streams.streams import Writer
    from keysh.process.loop import PollLoop
    from keysh.process.process import Process


# Drain: bytes that a program puts out, as text for a writer.


class TextDrain:
    """Takes pieces. Once nobody reads what is written, `is_gone` and the rest goes nowhere.

    `is_unwanted` says that nobody waits for who writes, either.
    """

    __slots__ = ("_decoder", "_writer", "is_gone", "is_unwanted")

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._decoder: Decoder | None = None  # many programs say nothing
        self.is_gone = self.is_unwanted = False

    def put(self, data: bytes) -> None:
        """The next piece; an empty one is the end."""
        if self._decoder is None:
            if not data:
                return
            self._decoder = Decoder()
        text = self._decoder.decode(data, not data)
        if not text or self.is_gone:
            return
        try:
            self._writer.put(text)
            self._writer.flush()
        except ReaderGone as gone:
            self.is_gone, self.is_unwanted = True, isinstance(gone, ReaderAbandoned)


class DescriptorDrain:
    """A drain at the end of a pipe of its own; `fd` is the program's end."""

    __slots__ = ("_drain", "_loop", "_outlet", "_reading_fd", "fd")

    def __init__(self, writer: Writer) -> None:
        self._drain = TextDrain(writer)
        self._reading_fd, self.fd = os.pipe()
        self._loop: PollLoop | None = None

    def begin(self, loop: PollLoop) -> None:
        """The program runs, attended by a loop."""
        os.close(self.fd)
        os.set_blocking(self._reading_fd, False)
        self._loop = loop
        self._outlet = OutputPipe(self._reading_fd, self._drain.put, self._on_end)
        loop.watch(self._reading_fd, self._outlet.ready)

    def end(self) -> None:
        """The program has ended, or was never there."""
        if self._loop is None:
            os.close(self.fd)
        else:
            self._loop.forget(self._reading_fd)
            self._outlet.drain()
            self._drain.put(b"")
        os.close(self._reading_fd)

    def _on_end(self, outlet: OutputPipe) -> None:
        if self._loop is not None:
            self._loop.forget(outlet.fd)


# Feed: text that a program reads from a pipe.

READ_BACK_BYTES = 1 << 16  # bytes of one read


class StdinReadError(KeyshError):
    """What a program is to read cannot be read; `error` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def readable_chunks(chunks: Iterator[str]) -> Iterator[str]:
    """The same chunks; Unread where that fails, which is no fault of a host's."""
    try:
        yield from chunks
    except OSError as error:
        raise StdinReadError(error) from None


class StdinPipe:
    """`fd` is the program's end of the pipe.

    It stays open here too: what the program leaves in the pipe goes back to the reader, so that
    in `while read x; do program; done` the lines are there for the next turn.
    """

    __slots__ = ("_feeder", "_reader", "_writing_fd", "fd")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.fd, self._writing_fd = os.pipe()
        self._feeder: StdinFeeder | None = None

    def begin(self, loop: PollLoop) -> None:
        """The program runs, attended by a loop."""
        os.set_blocking(self._writing_fd, False)
        self._feeder = StdinFeeder(loop, self._writing_fd, readable_chunks(self._reader.chunks()))

    def end(self) -> None:
        """The program has ended, or was never there."""
        if self._feeder is None:
            os.close(self._writing_fd)
            os.close(self.fd)
            return
        unwritten = self._feeder.rest
        self._feeder.close()
        pieces = []
        while piece := os.read(self.fd, READ_BACK_BYTES):  # never waits: no writer is left
            pieces.append(piece)
        os.close(self.fd)
        left = b"".join([*pieces, unwritten])
        if left:
            self._reader.push_back(text_of_bytes(left))


READ_BACK_BYTES = 1 << 16  # bytes of one read


class ProgramPipe:
    """The reading end of a pipe, as chunks of text. The process is attended while one waits."""

    __slots__ = ("_budget", "_decoder", "_stop_reading_at", "_process", "fd")

    def __init__(self, fd: int, process: Process, budget: Budget) -> None:
        self.fd, self._process, self._budget = fd, process, budget
        self._decoder = Decoder()
        self._stop_reading_at: float | None = (
            None  # when the process has ended, the moment to stop reading
        )

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
        loop.watch(self.fd, lambda _: found.append(os.read(self.fd, READ_BACK_BYTES)))
        try:
            while not found and self._turn(loop):
                pass
        finally:
            loop.forget(self.fd)
        return found[0] if found else b""

    def _turn(self, loop: PollLoop) -> bool:
        """Wait until something happens; False when there is nothing more to wait for."""
        self._budget.check()
        if self._process.result is None:
            self._process.turn(None)
            return True
        # It has ended. Others may hold the pipe, and are waited for no longer than to drain it.
        if self._stop_reading_at is None:
            self._stop_reading_at = monotonic() + self._process.spec.drain / 1000
        loop.turn(self._stop_reading_at)
        return monotonic() < self._stop_reading_at


class ProgramReader(Reader):
    """What a program puts out. Another program may read the same pipe."""

    __slots__ = ("_pipe", "loop")

    def __init__(self, pipe: ProgramPipe, loop: PollLoop) -> None:
        super().__init__(pipe)
        self._pipe = pipe
        self.loop = loop  # what attends the program

    def lend(self) -> int:
        rest = self._take_rest()
        if rest:
            self.push_back(rest)
        return self._pipe.fd if not rest and self._pipe.is_between_characters else -1
