"""Drain: bytes that a program puts out, as text for a writer."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder

from keysh.process.outlet import Outlet
from keysh.runtime.signals import Gone, Unwanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecs import IncrementalDecoder

    from keysh.process.wait import Loop
    from keysh.runtime.streams import Writer


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
