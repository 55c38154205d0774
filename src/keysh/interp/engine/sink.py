"""Sink: the buffer that a stage of a pipeline writes into, until the next stage reads from it.

While everything fits into the buffer the next stage waits until this one has ended. Otherwise the
stages after it go on, on a thread that takes turns with this one: see thread_handoff.py.
"""

from __future__ import annotations

from _thread import RLock
from time import monotonic

from keysh.interp.engine.thread_handoff import PushPipe
from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.streams.streams import Reader, TextReader, Writer
from keysh.text.chunks import text_of_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.state import State
    from keysh.text.chunks import LineBlock

PIPE_BUFFER_CHARS = 1 << 16  # what a sink holds before the next stage must run; as a pipe does
SINK_DELAY_SECONDS = 0.02  # how long text may stay in a sink


class Sink:
    """The buffer between a stage and the next one. Jobs of the stage may write from threads."""

    __slots__ = (
        "_lock", "_next", "_pieces", "_pipe", "_reader", "_size", "_state", "_waiting_since",
        "_writes",
    )  # fmt: skip

    def __init__(self, state: State, then: Callable[[Reader], object]) -> None:
        self._state, self._next = state, then
        self._pieces: list[str] = []
        self._size = self._writes = 0
        self._waiting_since = 0.0
        self._pipe: PushPipe | None = None
        self._reader: Reader | None = None  # the next stage's, once that runs
        self._lock = RLock()  # jobs of the stage write from their own threads

    @property
    def is_read(self) -> bool:
        """False once the next stage has ended."""
        return self._pipe is None or self._pipe.is_read

    def write(self, text: str) -> None:
        """Buffer a chunk; pass the buffer on if it is full or was held back long enough."""
        with self._lock:
            self._pieces.append(text)
            self._size += len(text)
            self._writes += 1
            if self._size > PIPE_BUFFER_CHARS:
                self.flush()
            elif self._writes & 15 == 1:
                now = monotonic()
                if not self._waiting_since:
                    self._waiting_since = now
                elif now - self._waiting_since > SINK_DELAY_SECONDS:
                    self.flush()

    def flush(self) -> None:
        """Pass the buffer on to the next stage."""
        with self._lock:
            if not self._pieces:
                return
            text = "".join(self._pieces)
            self._pieces.clear()
            self._size, self._waiting_since = 0, 0.0
            if self._pipe is None:
                self._pipe = PushPipe(self._state)
                self._pipe.start(text, self._give)
            elif self._pipe.is_read:
                self._pipe.send(text)
            else:
                raise ReaderGone

    def _give(self, chunks: Iterator[str]) -> None:
        """Run the next stage, on the other thread."""
        self._reader = Reader(chunks)
        self._next(self._reader)

    def end(self) -> bool:
        """Pass on the rest, wait for the next stage; return whether a pipe would have held it."""
        if self._pipe is None:
            self._next(TextReader("".join(self._pieces)))
            return True
        is_taken = self._pipe.is_read or not self._pieces
        if self._pipe.is_read and self._pieces:
            self._pipe.send("".join(self._pieces))
        self._pipe.end()
        left = len(self._pipe.chunk) + (len(self._reader.unread_text()) if self._reader else 0)
        return is_taken and left <= PIPE_BUFFER_CHARS

    def abandon(self, error: BaseException) -> None:
        """Abort the next stage, because the whole run ends."""
        if self._pipe is not None:
            self._pipe.abandon(error)


class SinkWriter(Writer):
    """A writer into a sink."""

    __slots__ = ("_sink",)

    def __init__(self, sink: Sink) -> None:
        super().__init__(sink.write, sink.flush)
        self._sink = sink

    @property
    def is_read(self) -> bool:  # type: ignore[override]
        """False once the next stage has ended."""
        return self._sink.is_read


def overflows_pipe(text: str, reader: TextReader) -> bool:
    """Whether a reader left more text unread than a pipe would hold."""
    return len(text) > PIPE_BUFFER_CHARS and len(reader.unread_text()) > PIPE_BUFFER_CHARS


def ends_soon(chunks: Iterator[str | LineBlock], room: int) -> bool:
    """Whether a stage without a reader ends soon by itself, because a pipe would hold the rest.

    So a command with little output does not fail under `pipefail`, as in sh.
    """
    until = monotonic() + SINK_DELAY_SECONDS
    for chunk in chunks:
        room -= len(text_of_chunk(chunk))
        if room < 0 or monotonic() > until:
            return False
    return True
