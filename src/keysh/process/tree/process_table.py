"""The process table of the machine: its rows, and the numbers that new processes were given."""

from __future__ import annotations

import os
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROC = "/proc"
LAST_PID_FILE = "sys/kernel/ns_last_pid"  # below PROC: the newest number that was given out
MAX_PID_FILE = "sys/kernel/pid_max"
PS_COMMAND = ("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=")  # for systems without /proc

PS_TIMEOUT_SECONDS = 5
STAT_BYTES = 4096  # more than any line of /proc/PID/stat
ENVIRONMENT_CHUNK_BYTES = 1 << 16
EXIT_SIGNAL_FIELD = 35  # of /proc/PID/stat, counted from the state
DEAD_STATES, STOPPED_STATES, AWAKE_STATES = (b"Z", b"X"), (b"T", b"t"), (b"R", b"D")
KERNEL_THREAD_FLAG = 0x00200000  # PF_KTHREAD in the kernel's flags of a process

# The kernel makes no more than this many processes a second.
MAX_FORKS_PER_SECOND = 20_000 * (os.cpu_count() or 1)
# A number is given out before the process can be seen; a process this old can be seen.
VISIBLE_AFTER_SECONDS = 0.5
MAX_PROBED_PIDS = 64  # listing /proc costs as much as asking for this many
RECENT_PIDS = 32  # looked at again after a look at all, for the same reason


class ProcessRow:
    """A row of the process table; `start_time` tells two processes with the same pid apart.

    `state` is the letter of the kernel. A main thread that has ended is a zombie too, though other
    threads may still run.
    """

    __slots__ = (
        "flags", "group", "is_dead", "parent", "pid", "session", "start_time", "state",
        "thread_count",
    )  # fmt: skip

    def __init__(
        self, pid: int, parent: int, group: int, session: int, started: int, state: bytes,
        thread_count: int = 1, flags: int = 0,
    ) -> None:  # fmt: skip
        self.pid, self.parent, self.group, self.session = pid, parent, group, session
        self.start_time, self.state = started, state
        self.thread_count, self.flags = thread_count, flags
        self.is_dead = state in DEAD_STATES and thread_count <= 1

    @property
    def identity(self) -> tuple[int, int]:
        """What no other process has or will have."""
        return self.pid, self.start_time

    @property
    def is_awake(self) -> bool:
        """Whether it runs, or waits for a disk; a process that is executing a new file does."""
        return self.state in AWAKE_STATES

    @property
    def is_quiet(self) -> bool:
        """Whether it can start nothing before it is continued."""
        return self.is_dead or self.state in STOPPED_STATES

    @property
    def is_kernel_thread(self) -> bool:
        return bool(self.flags & KERNEL_THREAD_FLAG)


def processes(pids: Iterable[int] | None = None) -> Iterable[ProcessRow] | None:
    """The visible processes, all or those named; None if neither /proc nor `ps` shows them."""
    if pids is not None:
        return rows_of(pids)
    listed = listed_pids()
    # The directory is there, but empty, where nothing is mounted.
    return rows_of(listed) if listed else processes_by_ps()


def listed_pids() -> list[int]:
    """The numbers of all visible processes; empty without /proc."""
    try:
        return [int(name) for name in os.listdir(PROC) if name.isdigit()]
    except OSError:
        return []


def rows_of(pids: Iterable[int]) -> Iterator[ProcessRow]:
    """The rows of those processes that exist."""
    for pid in pids:
        row = process_row(pid)
        if row is not None:
            yield row


def process_row(pid: int) -> ProcessRow | None:
    """The row of a process; None if there is none, or it is a thread, or there is no /proc."""
    try:
        fd = os.open(f"{PROC}/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        text = os.read(fd, STAT_BYTES)
    except OSError:
        return None  # it has ended meanwhile
    finally:
        os.close(fd)
    # The second field is the program's name in brackets, which may contain brackets and blanks.
    fields = text[text.rindex(b")") + 2 :].split(b" ", EXIT_SIGNAL_FIELD + 1)
    if fields[EXIT_SIGNAL_FIELD][:1] == b"-":  # the signal to its parent, which a thread has not
        return None
    state, parent, group, session = fields[:4]
    return ProcessRow(
        pid, int(parent), int(group), int(session), int(fields[19]), state, int(fields[17]),
        int(fields[6]),
    )  # fmt: skip


def environment_of(pid: int) -> bytes | None:
    """The environment that a process was started with; None if it cannot be read."""
    try:
        fd = os.open(f"{PROC}/{pid}/environ", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None  # it has ended, or belongs to another user
    try:
        environment = b""
        while piece := os.read(fd, ENVIRONMENT_CHUNK_BYTES):
            environment += piece
    except OSError:
        return None  # as above
    finally:
        os.close(fd)
    return environment


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
        ProcessRow(int(pid), int(parent), int(group), 0, 0, state[:1])
        for pid, parent, group, state in fields
    ] or None


# ---------------------------------------------------------------- new processes


class NewPids:
    """The numbers given to processes since some moment, without reading the whole table.

    The kernel counts upwards and begins again at the largest number. Where it does not tell the
    newest number, or where it may have begun again unseen, all processes are looked at.
    """

    __slots__ = ("_held_pid", "_largest", "_marks")

    def __init__(self, pid: int, moment: float, *, is_held: bool = False) -> None:
        """Numbers from `pid` on, which was given out at `moment`; 0 for all that there are.

        `is_held`: nobody waits for that process, so its number is not given out again.
        """
        self._held_pid = pid if is_held else -1
        # The newest number at some moments; the oldest mark is where the next look begins.
        self._marks = [(moment, pid - 1)] if pid > 0 else []
        self._largest = 0  # read when it is needed, since most trees are never looked at

    @property
    def newest(self) -> int:
        """The newest number at the last look; -1 if it is not known."""
        return self._marks[-1][1] if self._marks else -1

    def _max_pid(self) -> int:
        if not self._largest:
            self._largest = read_number(MAX_PID_FILE)
        return self._largest

    def _may_have_wrapped(self, seconds: float) -> bool:
        """Whether the numbers may have begun again more than once in some seconds."""
        return seconds > self._max_pid() / MAX_FORKS_PER_SECOND

    def count(self) -> int | None:
        """How many numbers were given out since the last look; None if that is not known."""
        newest = read_number(LAST_PID_FILE)
        if newest < 0 or not self._marks:
            return None
        moment, last = self._marks[-1]
        if newest != self._held_pid and self._may_have_wrapped(monotonic() - moment):
            return None
        return newest - last if newest >= last else newest - last + self._max_pid()

    def take(self) -> list[int] | None:
        """The numbers to look at now; None for all."""
        newest, now = read_number(LAST_PID_FILE), monotonic()
        marks = self._marks
        first = marks[0] if marks else (now, -1)
        # One that was given out lately may have had no visible process at the last look.
        while len(marks) > 1 and marks[1][0] < now - VISIBLE_AFTER_SECONDS:
            del marks[0]
        marks.append((now, newest))
        if newest < 0 or first[1] < 0 or self._may_have_wrapped(now - first[0]):
            marks[:] = [(now, max(newest - RECENT_PIDS, 0))] if newest >= 0 else []
            return None
        begin = first[1] + 1
        ranges = (
            (range(begin, newest + 1),)
            if newest + 1 >= begin
            else (range(begin, self._max_pid() + 1), range(1, newest + 1))
        )
        if sum(map(len, ranges)) <= MAX_PROBED_PIDS:
            return [pid for numbers in ranges for pid in numbers]
        return [pid for pid in listed_pids() if any(pid in numbers for numbers in ranges)]


def read_number(name: str) -> int:
    """The number in a file below PROC; -1 if this system has none."""
    try:
        fd = os.open(f"{PROC}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        return int(os.read(fd, 32))
    except (OSError, ValueError):
        return -1
    finally:
        os.close(fd)
