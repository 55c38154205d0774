"""Leader: the program that a background job is, as it is signalled."""

from __future__ import annotations

from keysh.process.kill import signal_group, signal_one
from keysh.process.tree import Row, rows_of


class Leader:
    """A program whose number is the job's. It leads a group of processes.

    The number may be another process's by the time it is signalled, which is left alone then.
    """

    __slots__ = ("_row", "pid")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._row: Row = next(rows_of([str(pid)]), Row(pid, 0, pid, 0, 0, False))

    def signal(self, number: int, *, is_group: bool) -> None:
        """Send it a signal, or to all of the group that it leads."""
        if is_group and self._is_there():
            signal_group(self.pid, number)
        elif not is_group:
            signal_one(self._row, number)

    def _is_there(self) -> bool:
        """Whether the number is still its own; nothing tells where there is no /proc."""
        found = next(rows_of([str(self.pid)]), None)
        return found is None or found.started == self._row.started
