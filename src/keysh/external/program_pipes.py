"""Pipes: between a program's streams and the shell's readers and writers."""

from __future__ import annotations

import os
from time import monotonic

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.control_flow import ReaderAbandoned, ReaderGone
from keysh.interp.streams.streams import Reader
from keysh.process.streams.pipes import OutputPipe
from keysh.process.streams.stdin import StdinFeeder
from keysh.text.chunks import Decoder, text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.run.budget import Budget
    from keysh.interp.streams.streams import Writer
    from keysh.process.loop import PollLoop
    from keysh.process.process import Process


READ_CHUNK_BYTES = 1 << 16  # a pipe's capacity on Linux


# ---------------------------------------------------------------- output for a writer


class TextDrain:
    """Decodes a program's output for a writer. After the reader is gone, output is discarded.

    `is_unwanted`: the program need not be waited for either.
    """

    __slots__ = ("_decoder", "_writer", "is_gone", "is_unwanted")

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._decoder: Decoder | None = None  # many programs write no errors
        self.is_gone = self.is_unwanted = False

    def put(self, data: bytes) -> None:
        """Pass on the next piece; an empty one is the end."""
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
    """A drain on a pipe of its own; `fd` is the program's end."""

    __slots__ = ("_drain", "_loop", "_outlet", "_reading_fd", "fd")

    def __init__(self, writer: Writer) -> None:
        self._drain = TextDrain(writer)
        self._reading_fd, self.fd = os.pipe()
        self._loop: PollLoop | None = None

    def begin(self, loop: PollLoop) -> None:
        """The program has started and is attended by a loop."""
        os.close(self.fd)
        os.set_blocking(self._reading_fd, False)
        self._loop = loop
        self._outlet = OutputPipe(self._reading_fd, self._drain.put, self._on_end)
        loop.watch(self._reading_fd, self._outlet.ready)

    def end(self) -> None:
        """The program has ended, or did not start."""
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


# ---------------------------------------------------------------- standard input


class StdinReadError(KeyshError):
    """The shell cannot read what a program should read; `error` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def readable_chunks(chunks: Iterator[str]) -> Iterator[str]:
    """The same chunks, with StdinReadError for an OSError, which is not the host's fault."""
    try:
        yield from chunks
    except OSError as error:
        raise StdinReadError(error) from None


class StdinPipe:
    """Text that a program reads from a pipe; `fd` is the program's end.

    `fd` stays open here too, and what the program leaves in the pipe is pushed back to the reader:
    in `while read x; do program; done` the next turn reads those lines.
    """

    __slots__ = ("_feeder", "_reader", "_writing_fd", "fd")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.fd, self._writing_fd = os.pipe()
        self._feeder: StdinFeeder | None = None

    def begin(self, loop: PollLoop) -> None:
        """The program has started and is attended by a loop."""
        os.set_blocking(self._writing_fd, False)
        self._feeder = StdinFeeder(loop, self._writing_fd, readable_chunks(self._reader.chunks()))

    def end(self) -> None:
        """The program has ended, or did not start."""
        if self._feeder is None:
            os.close(self._writing_fd)
            os.close(self.fd)
            return
        unwritten = self._feeder.rest
        self._feeder.close()
        pieces = []
        # Reading does not block, since no writer is left.
        while piece := os.read(self.fd, READ_CHUNK_BYTES):
            pieces.append(piece)
        os.close(self.fd)
        left = b"".join([*pieces, unwritten])
        if left:
            self._reader.push_back(text_of_bytes(left))


# ---------------------------------------------------------------- output for the next stage


class ProgramPipe:
    """Our end of a program's output, as chunks of text. Waiting for one attends the process."""

    __slots__ = ("_budget", "_decoder", "_stop_reading_at", "_process", "fd")

    def __init__(self, fd: int, process: Process, budget: Budget) -> None:
        self.fd, self._process, self._budget = fd, process, budget
        self._decoder = Decoder()
        # When the process has ended, the moment to stop reading.
        self._stop_reading_at: float | None = None

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
        """Whether no part of a character is held back."""
        return not self._decoder.getstate()[0]

    def close(self) -> None:
        """Stop reading; the program gets SIGPIPE when it writes."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def _read(self) -> bytes:
        """The next piece; empty at the end."""
        loop = self._process.loop
        pieces: list[bytes] = []
        # The pipe is blocking, since another program may inherit it; it is read when it is ready.
        loop.watch(self.fd, lambda _: pieces.append(os.read(self.fd, READ_CHUNK_BYTES)))
        try:
            while not pieces and self._turn(loop):
                pass
        finally:
            loop.forget(self.fd)
        return pieces[0] if pieces else b""

    def _turn(self, loop: PollLoop) -> bool:
        """Wait for an event; return whether to go on waiting."""
        self._budget.check()
        if self._process.result is None:
            self._process.turn(None)
            return True
        # It has ended. Other processes may hold the pipe; it is drained for a moment only.
        if self._stop_reading_at is None:
            self._stop_reading_at = monotonic() + self._process.spec.drain / 1000
        loop.turn(self._stop_reading_at)
        return monotonic() < self._stop_reading_at


class ProgramReader(Reader):
    """The output of a program as a Reader. Another program can inherit the pipe."""

    __slots__ = ("_pipe", "loop")

    def __init__(self, pipe: ProgramPipe, loop: PollLoop) -> None:
        super().__init__(pipe)
        self._pipe = pipe
        self.loop = loop  # the loop that attends the program

    def lend(self) -> int:
        rest = self._take_rest()
        if rest:
            self.push_back(rest)
        return self._pipe.fd if not rest and self._pipe.is_between_characters else -1
