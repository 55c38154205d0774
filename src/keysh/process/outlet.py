"""Outlet: our end of one of a process's outputs."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PIECE = 1 << 16  # bytes of one read: a pipe's room
LAST = 1 << 20  # bytes at most that are read from a pipe that others go on writing to


class Outlet:
    """What comes is given to `put`; `ended` is called once, and closes `fd`."""

    __slots__ = ("_ended", "fd", "put")

    def __init__(
        self, fd: int, put: Callable[[bytes], object], ended: Callable[[Outlet], None]
    ) -> None:
        self.fd, self.put, self._ended = fd, put, ended

    def ready(self, _: int) -> None:
        """Read one piece."""
        try:
            data = os.read(self.fd, PIECE)
        except BlockingIOError:  # an action before this one has turned the loop, and read it
            return
        except OSError:  # a terminal whose other end is closed
            data = b""
        if data:
            self.put(data)
        else:
            self._ended(self)

    def drain(self) -> None:
        """Read what there is at this moment."""
        read = 0
        while read < LAST:
            try:
                data = os.read(self.fd, PIECE)
            except OSError:
                return
            if not data:
                return
            read += len(data)
            self.put(data)
