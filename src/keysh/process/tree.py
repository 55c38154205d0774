"""Tree: a process and all that descends from it, also what has detached itself.

A descendant is found by its parent, by the session or group that the first process leads, or by
the tag in its environment. One that has left its parents, its session *and* its environment is
found by nothing.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROC = "/proc"
PS_COMMAND = ("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=")  # where there is no /proc

PS_TIMEOUT_SECONDS = 5


class ProcessRow:
    """What the system's table says of one process; `started` tells two with one number apart."""

    __slots__ = ("group", "is_dead", "parent", "pid", "session", "start_time")

    def __init__(
        self, pid: int, parent: int, group: int, session: int, started: int, is_dead: bool
    ) -> None:
        self.pid, self.parent, self.group, self.session = pid, parent, group, session
        self.start_time, self.is_dead = started, is_dead


class ProcessTree:
    """The tree below a process that nobody has waited for yet, so that its number stays its own."""

    __slots__ = ("_start_times", "_tag", "pid")

    def __init__(self, pid: int, tag: str) -> None:
        self.pid = pid
        self._tag = tag.encode()
        # By number, when it started: whoever was in the tree once stays in it.
        self._start_times: dict[int, int] = {}

    def members(self) -> list[ProcessRow]:
        """Whoever of the tree is alive."""
        rows = {row.pid: row for row in processes()}
        first = rows.get(self.pid)
        since = first.start_time if first else 0
        inside = {
            pid
            for pid, row in rows.items()
            if pid == self.pid
            or self.pid in (row.session, row.group)
            or self._start_times.get(pid) == row.start_time
        }
        self._add_descendants(inside, rows)
        if self._tag:
            strays = [
                row.pid
                for row in rows.values()
                # No descendant is older than the first of the tree, which spares most files.
                if row.pid not in inside and row.start_time >= since and self._is_tagged(row.pid)
            ]
            inside.update(strays)
            self._add_descendants(inside, rows)
        self._start_times = {pid: rows[pid].start_time for pid in inside if pid in rows}
        return [rows[pid] for pid in inside if pid in rows and not rows[pid].is_dead]

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

    def _is_tagged(self, pid: int) -> bool:
        try:
            with open(f"{PROC}/{pid}/environ", "rb", buffering=0) as file:
                return self._tag in file.read()
        except OSError:
            return False  # gone, or another user's


def processes() -> Iterable[ProcessRow]:
    """Every process of the machine that can be seen."""
    try:
        names = os.listdir(PROC)
    except OSError:
        return processes_by_ps()
    return rows_of(name for name in names if name.isdigit())


def rows_of(names: Iterable[str]) -> Iterator[ProcessRow]:
    for name in names:
        try:
            with open(f"{PROC}/{name}/stat", "rb", buffering=0) as file:
                text = file.read()
        except OSError:
            continue  # it has gone meanwhile
        # The second field is the program's name in brackets, and may hold brackets and blanks.
        fields = text[text.rindex(b")") + 2 :].split()
        # A main thread that has ended is a zombie too, while other threads of it run on.
        is_dead = fields[0] in (b"Z", b"X") and int(fields[17]) <= 1
        parent, group, session, started = (int(fields[n]) for n in (1, 2, 3, 19))
        yield ProcessRow(int(name), parent, group, session, started, is_dead)


def processes_by_ps() -> Iterator[ProcessRow]:
    """The same as `ps` tells it: without sessions, and without a time that would matter."""
    import subprocess  # noqa: PLC0415 - loaded by then, and not before

    table = subprocess.run(
        PS_COMMAND, capture_output=True, timeout=PS_TIMEOUT_SECONDS, check=False
    ).stdout
    for line in table.splitlines():
        pid, parent, group, state = line.split()[:4]
        yield ProcessRow(int(pid), int(parent), int(group), 0, 0, state.startswith(b"Z"))
