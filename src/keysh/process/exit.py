"""Exit: learns that a process has ended, and keeps its pid from being reused.

The process stays a zombie until `reap`, so that its tree can be killed by pid without hitting
another process that has been given the pid meanwhile.
"""

from __future__ import annotations

import os
from sys import byteorder

from keysh.diagnostics.uncopied import Uncopied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

# Where the system has no pidfd; doubled each time.
FIRST_EXIT_POLL_SECONDS, MAX_EXIT_POLL_SECONDS = 0.001, 0.02

UNKNOWN_EXIT = 1 << 16  # no status: something else has waited for the process

# Linux 6.15 keeps the status for those who hold a pidfd: PIDFD_GET_INFO of <linux/pidfd.h>, whose
# record begins with a mask: the fields that the caller wants, and later those that there are.
PIDFD_GET_INFO, PIDFD_INFO_BYTES, PIDFD_INFO_EXIT = 0xC040FF0B, 64, 1 << 3


class ExitWatch(Uncopied):
    """`fd` is readable once the process has ended; if -1, call `has_ended` at intervals."""

    __slots__ = ("_held", "_interval", "_popen", "fd", "status")

    def __init__(self, popen: Popen[bytes], held: int) -> None:
        """`held`: a pipe that the process reads before it begins, or -1; closed by `reap`."""
        self._popen, self._held = popen, held
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
            self.status = pidfd_status(self.fd)
            return
        if info is not None:
            is_status = info.si_code == os.CLD_EXITED
            self.status = info.si_status if is_status else -info.si_status

    def reap(self) -> None:
        """Remove the zombie."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)
        held, self._held = self._held, -1
        if held >= 0:
            os.close(held)
        popen = self._popen
        if self.status is None or self.status == UNKNOWN_EXIT or popen.returncode is not None:
            popen.poll()
            return
        # The part of `poll` that is needed, in a quarter of the time.
        try:  # noqa: SIM105 - contextlib takes as long as the call
            os.waitpid(popen.pid, os.WNOHANG)
        except ChildProcessError:
            pass  # something else has waited for it meanwhile
        popen.returncode = self.status


def pidfd_status(pidfd: int) -> int:
    """The status of a process that something else has waited for; UNKNOWN_EXIT if it is lost."""
    from fcntl import ioctl  # noqa: PLC0415 - few hosts wait for processes that are not theirs

    record = bytearray(PIDFD_INFO_EXIT.to_bytes(8, byteorder) + bytes(PIDFD_INFO_BYTES - 8))
    try:
        ioctl(pidfd, PIDFD_GET_INFO, record)
    except (OSError, ValueError):  # an older kernel, or there is no pidfd
        return UNKNOWN_EXIT
    if not int.from_bytes(record[:8], byteorder) & PIDFD_INFO_EXIT:
        return UNKNOWN_EXIT
    return os.waitstatus_to_exitcode(int.from_bytes(record[60:64], byteorder))
