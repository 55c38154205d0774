"""Flag: a boolean that any thread can set and `poll` can wait for."""

from __future__ import annotations

import os
from sys import byteorder

from keysh.diagnostics.uncopied import Uncopied

EVENTFD_ONE = (1).to_bytes(8, byteorder)  # written to an eventfd


class Flag(Uncopied):
    """Unset until `set`; `fd` is readable while it is set. Cancels processes, wakes threads."""

    __slots__ = ("_writer", "fd")

    def __init__(self) -> None:
        self.fd = self._writer = -1
        if hasattr(os, "eventfd"):
            self.fd = self._writer = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        else:
            self.fd, self._writer = os.pipe()
            os.set_blocking(self.fd, False)
            os.set_blocking(self._writer, False)

    def set(self) -> None:
        """Make `fd` readable; a second call changes nothing. Safe in a signal handler."""
        try:
            os.write(self._writer, EVENTFD_ONE if self._writer == self.fd else b"1")
        except BlockingIOError:
            return  # the counter is full, so it is set

    def clear(self) -> None:
        """Make `fd` unreadable."""
        try:
            while os.read(self.fd, 4096):
                pass
        except BlockingIOError:
            return

    def close(self) -> None:
        """Close the descriptors."""
        fds, self.fd, self._writer = {self.fd, self._writer} - {-1}, -1, -1
        for fd in fds:
            os.close(fd)

    def __enter__(self) -> Flag:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        # A thread that sets it holds a reference, so the number cannot have been reused.
        self.close()
