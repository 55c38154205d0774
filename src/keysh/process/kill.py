"""Killing a tree: asked to end, given a while, then made to, until nobody is left.

SIGSTOP, look, SIGTERM ──── look, look ──── grace over: SIGKILL ──── look ──── nobody, twice: done
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from signal import SIGKILL, SIGTERM
from time import monotonic, sleep

from keysh.process.tree import ProcessTree, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.tree import ProcessRow


FIRST_CHECK_SECONDS, MAX_CHECK_SECONDS = (
    0.001,
    0.05,
)  # seconds between two looks at the table, which double
UNKILLABLE_AFTER_SECONDS = 5.0  # seconds after SIGKILL; what is alive then cannot be killed
EMPTY_CHECKS_TO_FINISH = 2  # that must find nobody, for a fork may hide behind one


class Escalation:
    """One kill. `step` is called whenever its time has come or a process has ended."""

    __slots__ = ("_asked", "_empty_checks", "_interval", "_kill_at", "_kills", "_tree", "survivors")

    def __init__(self, tree: ProcessTree, kill_at: float) -> None:
        self._tree = tree
        self._kill_at = kill_at
        self._asked = False
        self._kills = False  # the grace is over
        self._empty_checks = 0  # looks that found nobody
        self._interval = FIRST_CHECK_SECONDS
        self.survivors: list[int] = []

    def hurry(self, now: float) -> None:
        """The grace is over."""
        self._kill_at = min(self._kill_at, now)

    def step(self, now: float) -> float | None:
        """Signal whoever is alive; when to look again, None when the tree is dead."""
        if not self._asked:
            # One that is forked after the look, and leaves the group, would be its parent's alone:
            # who is stopped does not fork, and is there for its children to be found by.
            signal_group(self._tree.pid, signal.SIGSTOP)
        alive = self._tree.members()
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
        wait = self._interval
        self._interval = min(wait * 2, MAX_CHECK_SECONDS)
        return now + wait if now >= self._kill_at else min(now + wait, self._kill_at)

    def _ask(self, rows: list[ProcessRow]) -> None:
        """SIGTERM, once: whom they start then, to clean up, has the rest of the grace."""
        if self._asked:
            return
        self._asked = True
        for number in (signal.SIGTERM, signal.SIGCONT):  # one that is stopped has to go on for it
            self._signal(rows, number)

    def _signal(self, rows: list[ProcessRow], number: int) -> None:
        """To the group at one moment, so that nothing forks away from it, then to the others."""
        signal_group(self._tree.pid, number)
        for row in rows:
            if row.group != self._tree.pid:
                signal_one(row, number)


def signal_group(pid: int, number: int) -> None:
    """Signal the group that a process leads."""
    # PermissionError: all of the group have another user, or, on macOS, are dead.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def signal_one(row: ProcessRow, number: int) -> None:
    """Signal this process and no other that has been given its number meanwhile."""
    with suppress(ProcessLookupError, PermissionError):
        if not hasattr(os, "pidfd_open"):
            os.kill(row.pid, number)
            return
        held = os.pidfd_open(row.pid)
        try:
            if row.start_time == start_time_of(row.pid):
                signal.pidfd_send_signal(held, number)
        finally:
            os.close(held)


def start_time_of(pid: int) -> int:
    return next((row.start_time for row in rows_of([str(pid)])), 0)


# Strays: processes that have left their parents, found by a tag in their environment.

NO_PID = -1  # the number of no process, from which nothing descends
UNKILLABLE_AFTER_SECONDS = 5.0  # seconds after SIGKILL; what is alive then cannot be killed
TAGGED_CHECK_SECONDS = 0.005  # seconds between two looks at the table


def kill_tagged(tag: str, grace: float) -> list[int]:
    """End whoever has a tag, by SIGTERM and after so many seconds by SIGKILL; who cannot be ended.

    It waits until nobody is left. Where there is no grace, nobody is asked before.
    """
    tree = ProcessTree(NO_PID, tag)
    asked: set[int] = set()
    kill_at = monotonic() + grace
    while rows := tree.members():
        now = monotonic()
        if now >= kill_at + UNKILLABLE_AFTER_SECONDS:
            return sorted(row.pid for row in rows)
        for row in rows:
            if now >= kill_at:
                signal_one(row, SIGKILL)
            elif row.pid not in asked:
                signal_one(row, SIGTERM)
                asked.add(row.pid)
        sleep(TAGGED_CHECK_SECONDS)
    return []
