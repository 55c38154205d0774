"""Tree: a process and all its descendants, including detached ones.

A descendant is found by its parent, by the session or group that the first process leads, or by the
tag in its environment. One that has left its parents, its session *and* its environment is not
found.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROC = "/proc"
PS_COMMAND = ("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=")  # for systems without /proc

PS_TIMEOUT_SECONDS = 5


class ProcessRow:
    """A row of the process table; `start_time` tells two processes with the same pid apart."""

    __slots__ = ("group", "is_dead", "parent", "pid", "session", "start_time")

    def __init__(
        self, pid: int, parent: int, group: int, session: int, started: int, is_dead: bool
    ) -> None:
        self.pid, self.parent, self.group, self.session = pid, parent, group, session
        self.start_time, self.is_dead = started, is_dead


class ProcessTree:
    """The tree below a process that has not been waited for yet, so that its pid is not reused."""

    __slots__ = ("_start_times", "_tag", "pid")

    def __init__(self, pid: int, tag: str) -> None:
        self.pid = pid
        self._tag = tag.encode()
        # Start times by pid: a process that was in the tree once stays in it.
        self._start_times: dict[int, int] = {}

    def members(self) -> list[ProcessRow] | None:
        """The living processes of the tree; None if the machine has no process table to read."""
        table = processes()
        if table is None:
            return None
        rows = {row.pid: row for row in table}
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
                # A descendant is never older than the tree, so few of these files are read.
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
            return False  # it has ended, or belongs to another user


def processes() -> Iterable[ProcessRow] | None:
    """Every visible process of the machine; None if neither /proc nor `ps` shows them."""
    try:
        names = [name for name in os.listdir(PROC) if name.isdigit()]
    except OSError:
        names = []
    # The directory is there, but empty, where nothing is mounted.
    return rows_of(names) if names else processes_by_ps()


def rows_of(names: Iterable[str]) -> Iterator[ProcessRow]:
    for name in names:
        try:
            with open(f"{PROC}/{name}/stat", "rb", buffering=0) as file:
                text = file.read()
        except OSError:
            continue  # it has ended meanwhile
        # The second field is the program's name in brackets, which may contain brackets and blanks.
        fields = text[text.rindex(b")") + 2 :].split()
        # A main thread that has ended is a zombie too, though other threads may still run.
        is_dead = fields[0] in (b"Z", b"X") and int(fields[17]) <= 1
        parent, group, session, started = (int(fields[n]) for n in (1, 2, 3, 19))
        yield ProcessRow(int(name), parent, group, session, started, is_dead)


def processes_by_ps() -> list[ProcessRow] | None:
    """The same by `ps`, without sessions and start times."""
    import subprocess  # noqa: PLC0415 - loaded by then, and not before

    try:
        table = subprocess.run(
            PS_COMMAND, capture_output=True, timeout=PS_TIMEOUT_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):  # no `ps`, or one that lacks these options
        return None
    fields = (line.split()[:4] for line in table.splitlines())
    return [
        ProcessRow(int(pid), int(parent), int(group), 0, 0, state.startswith(b"Z"))
        for pid, parent, group, state in fields
    ] or None
