r"""Killing a tree: SIGTERM, a grace period, then SIGKILL until nothing is left.

    freeze ── SIGTERM and SIGCONT ── look, look … grace over ── freeze ── SIGKILL ── look, look

A shell whose `sleep` dies would go on to its next command before its own signal comes. So nothing
is signalled before all of the tree is stopped: `freeze` sends SIGSTOP until two looks in a row find
no new process. A stopped process neither forks nor sees another one end, and takes SIGTERM, or the
handler that it has for it, before anything else when it continues. Two looks, since the list of
processes is not read in one piece: one that is born behind the reader is seen by the next.

Processes that feed one another are frozen by separate calls before the first is signalled: `step`
only signals what a step before, or the constructor, has frozen.

Where there is nothing to look at, neither /proc nor `ps`, the signals go to the group alone.
"""

from __future__ import annotations

import signal
from time import monotonic, sleep

from keysh.process.tree.process_signals import signal_group, signal_one
from keysh.process.tree.process_table import NewPids
from keysh.process.tree.process_tree import NO_PID, ProcessTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keysh.process.tree.process_table import ProcessRow

# Seconds between two looks at a tree that is dying, doubled each time.
FIRST_CHECK_SECONDS, MAX_CHECK_SECONDS = 0.001, 0.05
UNKILLABLE_AFTER_SECONDS = 5.0  # after SIGKILL; what is alive then cannot be killed
QUIET_LOOKS = 2  # in a row that find nothing new, or nothing alive
MAX_FREEZE_SECONDS = 1.0  # a storm of detached processes is killed as far as it is stopped


def freeze(tree: ProcessTree) -> list[ProcessRow] | None:
    """Stop all processes of a tree and return them; None without a table of processes."""
    signal_tree(tree, (), signal.SIGSTOP)
    stopped: set[tuple[int, int]] = set()
    quiet_looks = 0
    give_up_at = monotonic() + MAX_FREEZE_SECONDS
    while True:
        alive = tree.members()
        if alive is None:
            return None
        fresh = [row for row in alive if row.identity not in stopped]
        stopped.update(row.identity for row in fresh)
        if fresh:
            signal_tree(tree, fresh, signal.SIGSTOP)
        quiet_looks = 0 if fresh or tree.is_unclear else quiet_looks + 1
        if quiet_looks >= QUIET_LOOKS or monotonic() > give_up_at:
            return alive


def signal_tree(tree: ProcessTree, rows: Iterable[ProcessRow], number: int) -> None:
    """Signal the group of a tree at once, so that nothing can fork away, then the others."""
    if tree.pid != NO_PID:
        signal_group(tree.pid, number)
    for row in rows:
        if row.group != tree.pid:
            signal_one(row, number)


class Escalation:
    """One kill; the tree is frozen from the start.

    Call `step` when its time has come, or when a process has ended.
    """

    __slots__ = (
        "_frozen", "_has_ended", "_interval", "_is_asked", "_is_unseen", "_kill_at", "_killed",
        "_quiet_looks", "_tree", "survivors",
    )  # fmt: skip

    def __init__(self, tree: ProcessTree, kill_at: float, has_ended: Callable[[], bool]) -> None:
        """`has_ended` tells whether the tree's first process has."""
        self._tree, self._has_ended = tree, has_ended
        self._kill_at = kill_at
        self._frozen = freeze(tree)  # what is to be signalled next; None: nothing
        self._is_unseen = self._frozen is None
        self._is_asked = False
        self._killed: set[tuple[int, int]] = set()
        self._quiet_looks = 0  # looks in a row that found nothing alive
        self._interval = FIRST_CHECK_SECONDS
        self.survivors: list[int] = []

    def hurry(self, now: float) -> None:
        """End the grace period now."""
        self._kill_at = min(self._kill_at, now)

    def step(self, now: float) -> float | None:
        """Go on with the kill; return when to call again, or None if the tree is dead."""
        if self._is_unseen:
            return self._step_unseen(now)
        if self._frozen is not None:
            return self._signal_frozen(now)
        alive = self._tree.members() or []
        if not alive:
            self._quiet_looks += 1
            return None if self._quiet_looks >= QUIET_LOOKS else now
        self._quiet_looks = 0
        if now >= self._kill_at + UNKILLABLE_AFTER_SECONDS:
            self.survivors = sorted(row.pid for row in alive)
            return None
        if now >= self._kill_at and any(row.identity not in self._killed for row in alive):
            self._frozen = freeze(self._tree)
            return now
        return self._next_look(now)

    def _signal_frozen(self, now: float) -> float | None:
        """Signal the stopped processes: all receive SIGTERM before the first one continues."""
        rows, self._frozen = self._frozen or [], None
        if not rows:
            return None  # the looks of `freeze` have found nothing alive
        self._interval = FIRST_CHECK_SECONDS
        if now >= self._kill_at:
            signal_tree(self._tree, rows, signal.SIGKILL)
            self._killed.update(row.identity for row in rows)
        else:
            self._ask(rows)
        return self._next_look(now)

    def _step_unseen(self, now: float) -> float | None:
        """The same without a process table: others in the group may need all of the grace."""
        if now < self._kill_at:
            if not self._is_asked:
                self._ask(())
            return self._kill_at
        signal_tree(self._tree, (), signal.SIGKILL)
        if self._has_ended():
            return None
        if now >= self._kill_at + UNKILLABLE_AFTER_SECONDS:
            self.survivors = [self._tree.pid]
            return None
        return self._next_look(now)

    def _ask(self, rows: Iterable[ProcessRow]) -> None:
        """Send SIGTERM. Processes started to clean up have the rest of the grace period."""
        self._is_asked = True
        for number in (signal.SIGTERM, signal.SIGCONT):
            signal_tree(self._tree, rows, number)

    def _next_look(self, now: float) -> float:
        """The time of the next look."""
        interval = self._interval
        self._interval = min(interval * 2, MAX_CHECK_SECONDS)
        return now + interval if now >= self._kill_at else min(now + interval, self._kill_at)


def end_tagged(tag: str, grace: float) -> list[int]:
    """Kill all processes with a tag in their environment; return those that cannot be killed.

    `grace` is the seconds from SIGTERM to SIGKILL; 0 sends SIGKILL at once.
    """
    return end_tree(ProcessTree(NO_PID, tag, NewPids(0, 0.0)), grace)


def end_tree(tree: ProcessTree, grace: float) -> list[int]:
    """Kill a tree without a first process, as `end_tagged` does."""
    escalation = Escalation(tree, monotonic() + grace, lambda: True)
    while (moment := escalation.step(monotonic())) is not None:
        sleep(max(0.0, moment - monotonic()))
    return escalation.survivors
