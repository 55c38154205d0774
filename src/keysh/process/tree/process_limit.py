"""Process limit: how many processes a tree may have.

A cgroup where one may be made: the kernel refuses the tree more than twice as many, and what it has
refused, or what is counted in between, ends the tree. Else the tree is counted, often enough for a
fork bomb; what may be one is stopped first, since it grows faster than one can count.
"""

from __future__ import annotations

import signal

from keysh.process.tree.kill import signal_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.spec import ProcessSpec
    from keysh.process.tree.pids_cgroup import PidsCgroup
    from keysh.process.tree.process_tree import ProcessTree

# Between two counts; the more room the tree has, the longer.
MIN_COUNT_SECONDS, MAX_COUNT_SECONDS = 0.001, 0.02
GREATEST_GROWTH_PER_SECOND = 20_000  # processes that a tree starts
# A cgroup counts threads too, and the dead that nobody has waited for.
TASKS_PER_PROCESS = 2


class ProcessLimit:
    """The limit of one tree, and the cgroup that holds it, if there is one.

    `exceeded` is the parameter of ProcessSpec that the tree has exceeded.
    """

    __slots__ = (
        "_cgroup", "_greatest_count", "_left_count", "_limit", "_max_owned", "_owner", "_tree",
        "exceeded",
    )  # fmt: skip

    def __init__(self, limit: int, spec: ProcessSpec) -> None:
        """The owner's processes are always counted, those of the tree if `spec` says so."""
        self._limit = limit
        self._owner, self._max_owned = spec.owner, spec.max_owned
        self.exceeded = ""
        self._tree: ProcessTree
        self._cgroup: PidsCgroup | None = None
        self._greatest_count: int | None = 1  # when it was last asked
        self._left_count = 0  # at the last call of `has_grown`
        if not spec.counts_processes:
            from keysh.process.tree.pids_cgroup import make_pids_cgroup  # noqa: PLC0415 - most limits are counted

            self._cgroup = make_pids_cgroup(limit * TASKS_PER_PROCESS)

    @property
    def members_file(self) -> str:
        """The file to which the first process writes 0 to enter the cgroup; "" without one."""
        return "" if self._cgroup is None else self._cgroup.members_file

    def enter(self, pid: int) -> None:
        """Move a process that has not begun into the cgroup, if there is one."""
        if self._cgroup is not None:
            self._cgroup.enter(pid)

    def begin(self, tree: ProcessTree) -> None:
        """The tree has been started."""
        self._tree = tree
        tree.cgroup = self._cgroup

    def release(self) -> None:
        """The first process was not started or has been waited for; others are not limited now."""
        if self._cgroup is not None:
            self._cgroup.remove()

    def is_exceeded(self, has_ended: bool) -> bool:
        """Whether the tree, whose first process may have ended, or its owner has too many."""
        owner, max_owned = self._owner, self._max_owned
        if self._exceeds_own(has_ended):
            self.exceeded = "max_processes"
        elif owner is not None and max_owned is not None and owner.has_more_than(max_owned):
            self.exceeded = "max_owned"
        else:
            return False
        return True

    def _exceeds_own(self, has_ended: bool) -> bool:
        if self._cgroup is not None and self._cgroup.has_entered():
            return self._exceeds_cgroup(self._cgroup)
        tree, limit = self._tree, self._limit
        self._greatest_count = greatest = tree.greatest_count()
        if greatest is None and not has_ended:
            return tree.has_more_than(limit)
        if greatest is not None and greatest <= limit:
            return False
        signal_tree(tree, (), signal.SIGSTOP)
        if tree.has_more_than(limit):
            return True
        signal_tree(tree, (), signal.SIGCONT)
        self._greatest_count = tree.alive_count
        return False

    def _exceeds_cgroup(self, cgroup: PidsCgroup) -> bool:
        if cgroup.has_refused():
            return True
        task_count = cgroup.task_count()
        if task_count <= self._limit:
            return False
        rows = self._tree.members() or ()
        if len(rows) > self._limit:
            return True
        thread_count = sum(row.thread_count - 1 for row in rows)
        cgroup.set_limit(self._limit * TASKS_PER_PROCESS + thread_count)
        return False

    def has_left_any(self) -> bool:
        """Whether processes are alive after the first one has ended."""
        return self.is_exceeded(True) or (self._greatest_count != 0 and self._tree.has_more_than(0))

    @property
    def has_left_none(self) -> bool:
        """Whether the last call of `has_left_any` made sure of it: nothing had been started."""
        return self._greatest_count == 0 and not self._tree.has_looked

    def has_grown(self) -> bool:
        """Whether more processes are alive than when this was last asked."""
        before = self._left_count
        self._left_count = len(self._tree.members() or ())
        return self._left_count > before

    def interval(self) -> float:
        """The seconds in which the tree may grow over its limit."""
        greatest = self._greatest_count
        if greatest is None or (self._cgroup is not None and self._cgroup.has_entered()):
            return MAX_COUNT_SECONDS
        seconds = (self._limit - greatest) / GREATEST_GROWTH_PER_SECOND
        return min(max(seconds, MIN_COUNT_SECONDS), MAX_COUNT_SECONDS)
