"""Output: what a program puts out, as the next stage of a pipeline reads it."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from time import monotonic

from keysh.runtime.streams import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.process.handle import Process
    from keysh.process.wait import Loop
    from keysh.runtime.limits import Budget

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
