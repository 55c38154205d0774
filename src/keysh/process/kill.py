"""Killing a tree: SIGTERM, a grace period, then SIGKILL until nothing is left.

SIGSTOP, scan, SIGTERM ──── scan, scan ──── grace over: SIGKILL ──── scan ──── empty twice: done

Where there is nothing to scan, neither /proc nor `ps`, the signals go to the group alone.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from time import monotonic, sleep

from keysh.process.process_tree import ProcessTree, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.process.process_tree import ProcessRow

# Seconds between two scans of the process table, doubled each time.
FIRST_CHECK_SECONDS, MAX_CHECK_SECONDS = 0.001, 0.05
TAGGED_CHECK_SECONDS = 0.005  # the same for `kill_tagged`, not doubled
UNKILLABLE_AFTER_SECONDS = 5.0  # after SIGKILL; what is alive then cannot be killed
EMPTY_CHECKS_TO_FINISH = 2  # a single scan may miss a process that is just being forked
NO_PID = -1  # a number that no process has, so that nothing descends from it


class Escalation:
    """One kill. Call `step` when its time has come, or when a process has ended."""

    __slots__ = (
        "_asked", "_empty_checks", "_has_ended", "_interval", "_kill_at", "_kills", "_tree",
        "survivors",
    )  # fmt: skip

    def __init__(self, tree: ProcessTree, kill_at: float, has_ended: Callable[[], bool]) -> None:
        """`has_ended` tells whether the tree's first process has."""
        self._tree, self._has_ended = tree, has_ended
        self._kill_at = kill_at
        self._asked = False
        self._kills = False  # the grace period is over
        self._empty_checks = 0  # scans in a row that found nothing alive
        self._interval = FIRST_CHECK_SECONDS
        self.survivors: list[int] = []

    def hurry(self, now: float) -> None:
        """End the grace period now."""
        self._kill_at = min(self._kill_at, now)

    def step(self, now: float) -> float | None:
        """Signal what is alive; return when to call again, or None if the tree is dead."""
        if not self._asked:
            # A child forked after the scan that leaves the group would be missed. A stopped process
            # does not fork, and stays alive so that its children are found by their parent.
            signal_group(self._tree.pid, signal.SIGSTOP)
        alive = self._tree.members()
        if alive is None:
            return self._step_unseen(now)
        if not alive:
            self._empty_checks += 1
            return None if self._empty_checks >= EMPTY_CHECKS_TO_FINISH else now
        self._empty_checks = 0
        if now >= self._kill_at + UNKILLABLE_AFTER_SECONDS:
            self.survivors = sorted(row.pid for row in alive)
            return None
        if now >= self._kill_at:
            if not self._kills:
                self._kills, self._interval = True, FIRST_CHECK_SECONDS
            self._signal(alive, signal.SIGKILL)
        else:
            self._ask(alive)
        wait = self._next_interval()
        return now + wait if now >= self._kill_at else min(now + wait, self._kill_at)

    def _step_unseen(self, now: float) -> float | None:
        """The same without a process table: others in the group may need all of the grace."""
        if now < self._kill_at:
            self._ask([])
            return self._kill_at
        self._signal([], signal.SIGKILL)
        if self._has_ended():
            return None
        if now >= self._kill_at + UNKILLABLE_AFTER_SECONDS:
            self.survivors = [self._tree.pid]
            return None
        return now + self._next_interval()

    def _next_interval(self) -> float:
        interval = self._interval
        self._interval = min(interval * 2, MAX_CHECK_SECONDS)
        return interval

    def _ask(self, rows: list[ProcessRow]) -> None:
        """Send SIGTERM once. Processes started to clean up have the rest of the grace period."""
        if self._asked:
            return
        self._asked = True
        # A stopped process must continue to receive it.
        for number in (signal.SIGTERM, signal.SIGCONT):
            self._signal(rows, number)

    def _signal(self, rows: list[ProcessRow], number: int) -> None:
        """Signal the group at once, so that nothing can fork away, then the others."""
        signal_group(self._tree.pid, number)
        for row in rows:
            if row.group != self._tree.pid:
                signal_one(row, number)


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
        pidfd = os.pidfd_open(row.pid)
        try:
            if row.start_time == start_time_of(row.pid):
                signal.pidfd_send_signal(pidfd, number)
        finally:
            os.close(pidfd)


def start_time_of(pid: int) -> int:
    return next((row.start_time for row in rows_of([str(pid)])), 0)


def kill_tagged(tag: str, grace: float) -> list[int]:
    """Kill all processes with a tag in their environment; return those that cannot be killed.

    `grace` is the seconds from SIGTERM to SIGKILL; 0 sends SIGKILL at once.
    """
    tree = ProcessTree(NO_PID, tag)
    terminated: set[int] = set()
    kill_at = monotonic() + grace
    while rows := tree.members():
        now = monotonic()
        if now >= kill_at + UNKILLABLE_AFTER_SECONDS:
            return sorted(row.pid for row in rows)
        for row in rows:
            if now >= kill_at:
                signal_one(row, signal.SIGKILL)
            elif row.pid not in terminated:
                signal_one(row, signal.SIGTERM)
                terminated.add(row.pid)
        sleep(TAGGED_CHECK_SECONDS)
    return []
