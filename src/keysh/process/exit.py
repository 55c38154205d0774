"""Exit: learns that a process has ended, and keeps its pid from being reused.

The process stays a zombie until `reap`, so that its tree can be killed by pid without hitting
another process that has been given the pid meanwhile.
"""

from __future__ import annotations

import os
from contextlib import suppress

from keysh.diagnostics.uncopied import Uncopied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

# Where the system has no pidfd; doubled each time.
FIRST_EXIT_POLL_SECONDS, MAX_EXIT_POLL_SECONDS = 0.001, 0.02

UNKNOWN_EXIT = 1 << 16  # no status: something else has waited for the process


class ExitWatch(Uncopied):
    """`fd` is readable once the process has ended; if -1, call `has_ended` at intervals."""

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
        """The seconds until the next check."""
        interval = self._interval
        self._interval = min(interval * 2, MAX_EXIT_POLL_SECONDS)
        return interval

    def has_ended(self) -> bool:
        """Whether the process has ended; then `status` is set."""
        if self.status is None:
            self._poll_status()
        return self.status is not None

    def _poll_status(self) -> None:
        if not hasattr(os, "waitid"):
            self.status = self._popen.poll()
            return
        try:
            info = os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # the host ignores SIGCHLD, or waits for any child
            self.status = UNKNOWN_EXIT
            return
        if info is not None:
            is_status = info.si_code == os.CLD_EXITED
            self.status = info.si_status if is_status else -info.si_status

    def reap(self) -> None:
        """Remove the zombie."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)
        popen = self._popen
        if self.status is None or self.status == UNKNOWN_EXIT or popen.returncode is not None:
            popen.poll()
            return
        # The part of `poll` that is needed, in a quarter of the time.
        with suppress(ChildProcessError):  # something else has waited for it meanwhile
            os.waitpid(popen.pid, os.WNOHANG)
        popen.returncode = self.status
