r"""Killing a tree: SIGTERM, a grace period, then SIGKILL until nothing is left.

    freeze ── SIGTERM and SIGCONT ── look, look … grace over ── freeze ── SIGKILL ── look, look

A shell whose `sleep` dies would go on to its next command before its own signal comes. So nothing
is signalled before all of the tree is stopped: `freeze` sends SIGSTOP until all that are known have
stopped, and a look after that finds no other. A stopped process neither forks nor sees another one
end, and takes SIGTERM, or the handler that it has for it, before anything else when it continues.

A tree is dead when two looks in a row find nothing alive, since the list of processes is not read
in one piece: one that is born behind the reader is seen by the next.

Processes that feed one another are frozen by separate calls before the first is signalled: `step`
only signals what a step before, or the constructor, has frozen.

Where there is nothing to look at, neither /proc nor `ps`, the signals go to the group alone.
"""

from __future__ import annotations

import signal
from time import monotonic, sleep

from keysh.process.tree.process_signals import signal_group, signal_one
from keysh.process.tree.process_table import NewPids, process_row
from keysh.process.tree.process_tree import NO_PID, ProcessTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keysh.process.tree.process_table import ProcessRow

# Seconds between two looks at a tree that is dying: an eighth of the time for which it has been.
FIRST_CHECK_SECONDS, MAX_CHECK_SECONDS = 0.001, 0.05
CHECKS_PER_DURATION = 8
UNKILLABLE_AFTER_SECONDS = 5.0  # after SIGKILL; what is alive then cannot be killed
QUIET_LOOKS = 2  # in a row that find nothing alive
MAX_FREEZE_SECONDS = 1.0  # a storm of detached processes is killed as far as it is stopped
# A process that waits for a disk or for its vfork, or that belongs to another user, does not stop.
MAX_RESTLESS_SECONDS, RESTLESS_CHECK_SECONDS = 0.01, 0.0002


def freeze(tree: ProcessTree) -> list[ProcessRow] | None:
    """Stop all processes of a tree and return them; None without a table of processes.

    What has stopped starts nothing. So when all that are known have, one more look at what is new
    shows whether these are all.
    """
    signal_tree(tree, (), signal.SIGSTOP)
    fresh = tree.members()
    if fresh is None:
        return None
    found: list[ProcessRow] = []
    restless: list[ProcessRow] = []
    patient_until = give_up_at = monotonic() + MAX_FREEZE_SECONDS
    while True:
        if fresh:
            signal_tree(tree, fresh, signal.SIGSTOP)
            found += fresh
            restless += [row for row in fresh if not row.is_quiet]
            patient_until = min(monotonic() + MAX_RESTLESS_SECONDS, give_up_at)
        restless = [row for row in restless if not is_at_rest(row)]
        now = monotonic()
        if now > patient_until:
            restless = []
        fresh = tree.new_members()
        if not (fresh or restless or tree.is_unclear) or now > give_up_at:
            return found + fresh
        if not fresh:
            sleep(RESTLESS_CHECK_SECONDS)


def is_at_rest(row: ProcessRow) -> bool:
    """Whether a process has stopped or ended."""
    current = process_row(row.pid)
    return current is None or current.start_time != row.start_time or current.is_quiet


def has_died(row: ProcessRow) -> bool:
    current = process_row(row.pid)
    return current is None or current.start_time != row.start_time or current.is_dead


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
        "_awaited", "_frozen", "_has_ended", "_is_asked", "_is_unseen", "_kill_at", "_killed",
        "_quiet_looks", "_signalled_at", "_tree", "survivors",
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
        self._awaited: list[ProcessRow] = []  # what was signalled last, or seen alive since
        self._signalled_at = 0.0
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
        alive = self._alive(now)
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

    def _alive(self, now: float) -> list[ProcessRow]:
        """Whether any is alive: one of those that were signalled, or all that are alive.

        Looking at a large tree takes time in which it could die. So those that were signalled are
        asked for one by one at first, and when they are dead only new ones are looked for.
        """
        awaited = self._awaited
        is_waiting = now < self._kill_at or self._killed
        is_late = now - self._signalled_at > MAX_CHECK_SECONDS * CHECKS_PER_DURATION
        if not is_waiting or is_late or not all(row.start_time for row in awaited[-1:]):
            return self._tree.members() or []
        while awaited and has_died(awaited[-1]):
            awaited.pop()
        if not awaited:
            awaited += self._tree.new_members()
        return awaited[-1:]

    def _signal_frozen(self, now: float) -> float | None:
        """Signal the stopped processes: all receive SIGTERM before the first one continues."""
        rows, self._frozen = self._frozen or [], None
        if not rows:
            return None  # the looks of `freeze` have found nothing alive
        self._awaited, self._signalled_at = rows, now
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
        interval = (now - self._signalled_at) / CHECKS_PER_DURATION
        moment = now + min(max(interval, FIRST_CHECK_SECONDS), MAX_CHECK_SECONDS)
        return moment if now >= self._kill_at else min(moment, self._kill_at)


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
