"""Standard input of a process, written as the process has room for it."""

from __future__ import annotations

import errno
import os

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.loop import POLLOUT, READER_GONE_EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.process.loop import PollLoop

WRITE_CHUNK_BYTES = 1 << 16  # a pipe's capacity on Linux
MAX_PENDING_BYTES = 1 << 20  # may wait for a process that does not read

TERMINAL_EOF = b"\4"  # ends the input of a terminal, at the start of a line


class StdinFeeder(Uncopied):
    """The writing end of a pipe or a terminal, non-blocking.

    Without a source it stays open for `add`.
    """

    __slots__ = ("_at", "_fd", "_is_terminal", "_loop", "_pending", "_source", "_stays_open")

    def __init__(
        self,
        loop: PollLoop,
        fd: int,
        source: Iterable[bytes | str] | None,
        is_terminal: bool = False,
    ) -> None:
        self._loop, self._fd = loop, fd
        self._pending, self._at = b"", 0
        self._source: Iterator[bytes | str] | None = None
        self._stays_open = source is None
        self._is_terminal = is_terminal
        if source is not None and fd >= 0:
            self._source = iter(source)
            loop.watch(fd, self._ready, POLLOUT)

    @property
    def is_open(self) -> bool:
        return self._fd >= 0

    def add(self, data: bytes) -> bool:
        """Write as much as fits, and the rest later; return whether the process can still read."""
        if self._fd < 0 or not self._stays_open:
            return False
        waiting = len(self._pending) - self._at
        if waiting and waiting + len(data) > MAX_PENDING_BYTES:
            raise BlockingIOError(errno.EAGAIN, "the process does not read its input")
        self._pending, self._at = self._pending[self._at :] + data, 0
        if not waiting and self._write():
            self._loop.watch(self._fd, self._ready, POLLOUT)
        return self._fd >= 0

    def finish(self) -> None:
        """Close it once all that was added is written."""
        if self._fd < 0:
            return
        if self._is_terminal:
            self.add(TERMINAL_EOF)
        self._stays_open = False
        if self._at == len(self._pending):
            self.close()

    @property
    def rest(self) -> bytes:
        """What has been taken from the source but not written."""
        return bytes(self._pending[self._at :])

    def close(self) -> None:
        """Drop what has not been written, and close the source."""
        fd, self._fd = self._fd, -1
        if fd < 0:
            return
        self._loop.forget(fd)
        os.close(fd)
        source, self._source = self._source, None
        close = getattr(source, "close", None)
        if close is not None:
            close()

    def move(self, loop: PollLoop) -> None:
        """Continue on another loop."""
        if self._fd >= 0:
            self._loop.forget(self._fd)
            if self._source is not None or self._at < len(self._pending):
                loop.watch(self._fd, self._ready, POLLOUT)
        self._loop = loop

    def _ready(self, events: int) -> None:
        if events & READER_GONE_EVENTS:
            self.close()
        elif self._at < len(self._pending):
            if not self._write() and self._stays_open:
                self._loop.forget(self._fd)
            elif self._at == len(self._pending) and self._source is None and not self._stays_open:
                self.close()
        else:
            self._pull()

    def _pull(self) -> None:
        """Take the next piece from the source; its end is the end of the input."""
        try:
            piece = next(self._source, None) if self._source is not None else None
        except BaseException:
            self.close()  # the source is not read again
            raise
        if piece is None:
            if self._is_terminal and self._fd >= 0:
                os.write(self._fd, TERMINAL_EOF)
            self.close()
        elif self._fd >= 0:
            data = piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece
            self._pending, self._at = data, 0
            self._write()

    def _write(self) -> bool:
        """Write as much as fits; return whether some is left."""
        try:
            while self._at < len(self._pending):
                piece = memoryview(self._pending)[self._at : self._at + WRITE_CHUNK_BYTES]
                self._at += os.write(self._fd, piece)
        except BlockingIOError:
            return True
        except OSError:  # the reader is gone, which is no error
            self.close()
            return False
        self._pending, self._at = b"", 0
        return False
