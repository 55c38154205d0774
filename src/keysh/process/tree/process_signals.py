"""Signals to a group, and to a process that may have ended meanwhile."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from keysh.process.tree.process_table import process_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.tree.process_table import ProcessRow


def signal_group(pid: int, number: int) -> None:
    """Signal the group that a process leads."""
    # PermissionError: all of the group belong to another user or, on macOS, are dead.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def signal_one(row: ProcessRow, number: int) -> None:
    """Signal this process, but not another one that has been given its pid meanwhile."""
    with suppress(ProcessLookupError, PermissionError):
        if not hasattr(os, "pidfd_open"):
            os.kill(row.pid, number)
            return
        try:
            pidfd = os.pidfd_open(row.pid)
        except OSError as error:
            if isinstance(error, ProcessLookupError):
                raise
            # No descriptor is free, or the kernel is old.
            if is_same_process(row):
                os.kill(row.pid, number)
            return
        try:
            if is_same_process(row):
                signal.pidfd_send_signal(pidfd, number)
        finally:
            os.close(pidfd)


def is_same_process(row: ProcessRow) -> bool:
    """Whether a pid still belongs to the process that it belonged to."""
    current = process_row(row.pid)
    return row.start_time == (0 if current is None else current.start_time)
