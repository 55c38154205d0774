"""Exit: how one learns that a process has ended, while its number stays its own.

The process is left a zombie until `reap`: so its tree can be killed by number without hitting one
that the system has given the number to meanwhile.
"""

from __future__ import annotations

import os
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

FIRST_EXIT_POLL_SECONDS, MAX_EXIT_POLL_SECONDS = (
    0.001,
    0.02,
)  # seconds, where there is nothing to poll

UNKNOWN_EXIT = 1 << 16  # no status: someone else has waited for the process


class ExitWatch:
    """`fd` is readable when the process has ended; -1 where one has to `look` every `interval`."""

    __slots__ = ("_interval", "_popen", "fd", "status")

    def __init__(self, popen: Popen[bytes]) -> None:
        self._popen = popen
        self.status: int | None = None  # as in subprocess: a signal is negative
        self._interval = FIRST_EXIT_POLL_SECONDS
        try:
            self.fd = os.pidfd_open(popen.pid) if hasattr(os, "pidfd_open") else -1
        except OSError:  # an old kernel, or no descriptor is free
            self.fd = -1

    def next_interval(self) -> float:
        """How long to wait before the next look."""
        interval = self._interval
        self._interval = min(interval * 2, MAX_EXIT_POLL_SECONDS)
        return interval

    def has_ended(self) -> bool:
        """Whether the process has ended; then there is a `status`."""
        if self.status is None:
            self._poll_status()
        return self.status is not None

    def _poll_status(self) -> None:
        if not hasattr(os, "waitid"):
            self.status = self._popen.poll()
            return
        try:
            found = os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # the host ignores SIGCHLD, or waits for any child
            self.status = UNKNOWN_EXIT
            return
        if found is not None:
            is_status = found.si_code == os.CLD_EXITED
            self.status = found.si_status if is_status else -found.si_status

    def reap(self) -> None:
        """Leave no zombie."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)
        popen = self._popen
        if self.status is None or self.status == UNKNOWN_EXIT or popen.returncode is not None:
            popen.poll()
            return
        # All that is left of `poll`, which takes four times as long.
        with suppress(ChildProcessError):  # somebody else has waited for it meanwhile
            os.waitpid(popen.pid, os.WNOHANG)
        popen.returncode = self.status
