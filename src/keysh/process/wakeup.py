"""Flag: a boolean that any thread can set and `poll` can wait for."""

from __future__ import annotations

import os
from sys import byteorder

from keysh.diagnostics.uncopied import Uncopied

EVENTFD_ONE = (1).to_bytes(8, byteorder)  # written to an eventfd


class Flag(Uncopied):
    """Unset until `set`; `fd` is readable while it is set. Cancels processes, wakes threads.

    In a forked process it is another flag behind the same number, since the kernel's is shared.
    """

    __slots__ = ("_process", "_writer", "fd")

    def __init__(self) -> None:
        self.fd = self._writer = -1
        self._process = os.getpid()
        if hasattr(os, "eventfd"):
            self.fd = self._writer = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        else:
            self.fd, self._writer = os.pipe()
            os.set_blocking(self.fd, False)
            os.set_blocking(self._writer, False)

    def set(self) -> None:
        """Make `fd` readable; a second call changes nothing. Safe in a signal handler."""
        if self._process != os.getpid():
            self._separate()
        try:
            os.write(self._writer, EVENTFD_ONE if self._writer == self.fd else b"1")
        except BlockingIOError:
            return  # the counter is full, so it is set

    def clear(self) -> None:
        """Make `fd` unreadable."""
        if self._process != os.getpid():
            self._separate()
        try:
            while os.read(self.fd, 4096):
                pass
        except BlockingIOError:
            return

    def _separate(self) -> None:
        """Part from the flag of the process that has forked this one."""
        self._process = os.getpid()
        if self.fd >= 0:
            with Flag() as own:
                os.dup2(own.fd, self.fd, inheritable=False)
                if self._writer != self.fd:
                    os.dup2(own._writer, self._writer, inheritable=False)

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
