"""Tree: a process and all its descendants, including detached ones.

A descendant is found by its parent, by the session or group that the first process leads, by the
tag in its environment, or in the tree's cgroup. One that has left its parents, its session *and*
its environment is not found without a cgroup.
"""

from __future__ import annotations

from time import monotonic

from keysh.process.tree.process_table import (
    VISIBLE_AFTER_SECONDS,
    NewPids,
    environment_of,
    processes,
    rows_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.process.tree.pids_cgroup import PidsCgroup
    from keysh.process.tree.process_table import ProcessRow

NO_PID = -1  # a number that no process has, so that nothing descends from it
# A process without an environment that is awake may be executing a new file: it is looked at again
# for this long.
MAX_UNCLEAR_SECONDS = 0.015


class ProcessTree:
    """The tree below a process that has not been waited for yet, so that its pid is not reused.

    With NO_PID it has no first process: all that carry the tag belong to it.
    """

    __slots__ = (
        "_looked_at", "_new", "_seen", "_since", "_start_times", "_tag", "_unclear", "alive_count",
        "cgroup", "has_looked", "pid",
    )  # fmt: skip

    def __init__(self, pid: int, tag: str, new: NewPids) -> None:
        self.pid = pid
        self.cgroup: PidsCgroup | None = None  # what is inside belongs to the tree
        self._tag = tag.encode()
        self._new = new
        self._since = 0  # when the first process began
        # Start times by pid: a process that was in the tree once stays in it.
        self._start_times: dict[int, int] = {}
        self._seen: set[int] = set()  # the numbers at the last look at all, and at later ones
        self.alive_count = 0  # at the last look
        self.has_looked, self._looked_at = False, 0.0
        # When those without an environment were first seen, by pid.
        self._unclear: dict[int, float] = {}

    @property
    def is_unclear(self) -> bool:
        """Whether a process was seen that may turn out to belong to the tree."""
        return bool(self._unclear)

    def note_exit(self) -> None:
        """The first process has ended. Before the first look it counts as one that may be alive."""
        if not self.has_looked:
            self.alive_count = -1

    def greatest_count(self) -> int | None:
        """The number of processes that are alive at most; None if that is not known.

        All that the machine has started since the last look may belong to the tree.
        """
        more = self._new.count()
        return None if more is None else self.alive_count + more

    def has_more_than(self, count: int) -> bool:
        """Whether more than `count` processes are alive; looked at only if that is possible."""
        greatest = self.greatest_count()
        if greatest is not None and greatest <= count:
            return False
        return len(self.members() or ()) > count

    def is_empty(self) -> bool:
        """Whether nothing is alive, for certain: asked without a look if nothing was started.

        One look does not tell. What was forked just before it may not be visible yet, but its
        parent is until it is; and what is forked during a look has a new number.
        """
        if self.greatest_count() != 0:
            return False
        if not self.has_looked:
            return True
        newest = self._new.newest
        return not self.members() and self._new.newest == newest and self.greatest_count() == 0

    def members(self) -> list[ProcessRow] | None:
        """The living processes of the tree; None if the machine has no process table to read.

        A process never enters the tree of another, so only new ones have to be judged.
        """
        self.has_looked, self._looked_at = True, monotonic()
        pids = self._new.take()
        enclosed = () if self.cgroup is None else self.cgroup.members()
        if pids is not None:
            pids = list({*pids, *enclosed, *self._start_times, *self._unclear})
        table = processes(pids)
        if table is None:
            return None
        rows = {row.pid: row for row in table}
        first = rows.get(self.pid)
        if first is not None and not self._since:
            self._since = first.start_time
        known = {
            pid
            for pid, row in rows.items()
            if (pid == self.pid and row.start_time == self._since)
            or self._start_times.get(pid) == row.start_time
        }
        inside = self._judge(rows, known, enclosed)
        self._seen = set(rows)
        self._start_times = {pid: rows[pid].start_time for pid in inside}
        alive = [rows[pid] for pid in inside if not rows[pid].is_dead]
        self.alive_count = len(alive)
        return alive

    def new_members(self) -> list[ProcessRow]:
        """The living ones that no look has seen so far; all are looked at if that has to be."""
        is_recent = monotonic() - self._looked_at < VISIBLE_AFTER_SECONDS
        pids = self._new.take() if is_recent else None
        if pids is None:  # a number that was seen may have been given out again
            before = self._start_times
            return [row for row in self.members() or () if before.get(row.pid) != row.start_time]
        enclosed = () if self.cgroup is None else self.cgroup.members()
        unseen = {*pids, *enclosed} - self._seen | {*self._unclear}
        rows = {row.pid: row for row in rows_of(unseen)}
        fresh = [rows[pid] for pid in self._judge(rows, {*self._start_times}, enclosed)]
        self._seen.update(rows)
        self._start_times.update((row.pid, row.start_time) for row in fresh)
        alive = [row for row in fresh if not row.is_dead]
        self.alive_count += len(alive)
        return alive

    def _judge(
        self, rows: dict[int, ProcessRow], known: set[int], enclosed: Iterable[int]
    ) -> set[int]:
        """The numbers of those rows that belong to the tree, as those that are known do."""
        inside = {*known}
        inside.update(pid for pid, row in rows.items() if self.pid in (row.session, row.group))
        inside.update(pid for pid in enclosed if pid in rows)
        self._add_descendants(inside, rows)
        if self._tag and self._add_tagged(inside, rows):
            self._add_descendants(inside, rows)
        return inside & rows.keys()

    def _add_descendants(self, inside: set[int], rows: dict[int, ProcessRow]) -> None:
        children: dict[int, list[int]] = {}
        for row in rows.values():
            children.setdefault(row.parent, []).append(row.pid)
        waiting = list(inside)
        while waiting:
            for child in children.get(waiting.pop(), ()):
                if child not in inside:
                    inside.add(child)
                    waiting.append(child)

    def _add_tagged(self, inside: set[int], rows: dict[int, ProcessRow]) -> bool:
        """Add the processes with the tag; return whether there are any."""
        unclear: dict[int, float] = {}
        now = monotonic()
        strays = []
        for pid, row in rows.items():
            # A descendant is never older than the tree, so few of these files are read.
            if pid in inside or row.start_time < self._since or row.is_dead:
                continue
            is_tagged = self._is_tagged(row)
            if is_tagged:
                strays.append(pid)
            elif is_tagged is None:
                since = self._unclear.get(pid, now)
                if now - since < MAX_UNCLEAR_SECONDS:
                    unclear[pid] = since
        inside.update(strays)
        self._unclear = unclear
        return bool(strays)

    def _is_tagged(self, row: ProcessRow) -> bool | None:
        """Whether the tag is in the environment of a process; None if it may have none yet."""
        environment = None if row.is_kernel_thread else environment_of(row.pid)
        if environment is None:
            return False
        return None if not environment and row.is_awake else self._tag in environment
