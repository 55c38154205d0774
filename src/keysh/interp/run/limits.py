"""Limits: how much a run may use; Budget: how much it has used; Cancel: how a host ends it.

A run counts its steps down in slices. At the end of a slice the budget checks the clock, the
memory and whether the run is cancelled; `tick` in commands and every wait do so too.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from time import monotonic, thread_time

from keysh.interp.run.control_flow import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.peer_wait import PeerWait
    from keysh.process.wakeup import Flag

# Steps between two checks: at first, and at most if steps are fast.
FIRST_SLICE_STEPS, MAX_SLICE_STEPS = 16, 1024
# A faster slice doubles, a slower one shrinks.
QUICK_SLICE_SECONDS, SLOW_SLICE_SECONDS = 0.002, 0.01

MEMORY_CHECK_SECONDS = 0.02
MIN_RESERVED_BYTES = 1 << 20  # less is seen soon enough by the checks
# Longest single wait on a lock: a signal that arrives just before it is handled only after it.
SLEEP_SLICE_SECONDS = 0.25

STATUS_CANCELLED, STATUS_TIMED_OUT, STATUS_OUTPUT_LIMIT = 130, 124, 3
NEVER_SECONDS = 1e9  # more than thirty years: no limit


class Limits:
    """What a run may use; None means unlimited. The defaults are for a host that sets nothing.

    steps      loop iterations and function calls, weighted by the number of commands in them
    seconds    wall time
    output     bytes of standard output and error together
    unpacked   bytes that all compressed files and archives may unpack to
    memory     bytes by which the whole process may grow; measured many times a second
    session_memory  bytes that the variables and files of a shell may keep from run to run
    value      bytes of one value: of a variable, of `$(…)`, of an argument, of a line of input
    depth      nested functions, substitutions, sourced scripts and traps
    globs      paths that one glob may match
    braces     words that one brace expansion may produce
    processes  real processes at the same time
    jobs       background jobs at the same time
    files      files in the shell's own memory; a file system of the host has its own quota
    file_bytes bytes in those files
    """

    __module__ = "keysh"
    __slots__ = (
        "braces", "depth", "file_bytes", "files", "globs", "jobs", "memory", "output", "processes",
        "seconds", "session_memory", "steps", "unpacked", "value",
    )  # fmt: skip

    def __init__(
        self,
        *,
        steps: int | None = None,
        seconds: float | None = 60.0,
        output: int | None = 64 << 20,
        unpacked: int | None = 1 << 30,
        memory: int | None = 512 << 20,
        session_memory: int | None = 512 << 20,
        value: int | None = 64 << 20,
        depth: int = 1000,
        globs: int | None = 1_000_000,
        braces: int | None = 100_000,
        processes: int | None = 64,
        jobs: int | None = 32,
        files: int | None = 100_000,
        file_bytes: int | None = 256 << 20,
    ) -> None:
        self.steps, self.seconds, self.output, self.value = steps, seconds, output, value
        self.unpacked, self.memory, self.session_memory = unpacked, memory, session_memory
        self.depth, self.globs, self.braces = depth, globs, braces
        self.processes, self.jobs = processes, jobs
        self.files, self.file_bytes = files, file_bytes

    @classmethod
    def unlimited(cls) -> Limits:
        """Return limits for scripts that are trusted: only the depth is bounded."""
        return cls(
            seconds=None, output=None, unpacked=None, memory=None, session_memory=None, value=None,
            globs=None, braces=None, processes=None, jobs=None, files=None, file_bytes=None,
        )  # fmt: skip


DEFAULT_LIMITS = Limits()


class Budget:
    """What a run has left. Code that takes `steps_left` below zero calls `refill`."""

    __slots__ = (
        "_began", "_bell", "_first_memory", "_flag", "_memory_check_at", "_refilled", "_slice",
        "deadline", "ends_early", "first_work", "granted_steps", "interruption", "is_cancelled",
        "limits", "peer_wait", "seconds", "signal", "signals", "steps_left", "unpacked",
    )  # fmt: skip

    def __init__(self, limits: Limits = DEFAULT_LIMITS, timeout: float | None = None) -> None:
        self.limits = limits
        self._slice = FIRST_SLICE_STEPS
        self._refilled = 0.0
        most = limits.steps
        self.granted_steps = self.steps_left = (
            FIRST_SLICE_STEPS if most is None else min(FIRST_SLICE_STEPS, most)
        )
        self._began = 0.0
        self.seconds: float | None = None
        self.deadline: float | None = None
        self.ends_early = False  # whether it may end while a command waits
        if limits.seconds is not None or timeout is not None:
            self.set_deadline(shorter_time(finite_seconds(limits.seconds), finite_seconds(timeout)))
        self.is_cancelled = False
        self.signal = 0  # the signal that a cancelled run reports
        self.interruption = 0  # a trapped keyboard signal that ends waits and programs
        self.signals: list[tuple[object, int]] = []  # pending signals with their target states
        self.unpacked = 0  # bytes
        self.peer_wait: PeerWait | None = None  # what it waits for, if only another job can do it
        # Time of the next memory check, and the first measurement. Short runs are never measured.
        self._memory_check_at = 0.0
        self._first_memory = -1
        # The thread of the run, and what it had worked by the first check.
        self.first_work: tuple[int, float] | None = None
        self._bell: Bell | None = None
        self._flag: Flag | None = None

    def set_deadline(self, seconds: float | None) -> None:
        """Set when the run ends, from now on; None is no limit."""
        if seconds is not None:
            self._began, self.seconds = monotonic(), seconds
            self.deadline = self._began + seconds
            self.ends_early = True

    @property
    def has_timeout(self) -> bool:
        """Whether a command such as `timeout` ends a part of the run before its own deadline."""
        own = None if self.seconds is None else self._began + self.seconds
        return self.deadline != own

    def refill(self) -> None:
        """Start the next slice, or end the run."""
        self.check()
        size = self.next_slice()
        max_steps = self.limits.steps
        if max_steps is None:
            self.granted_steps = size
            self.steps_left += size
            return
        used = self.granted_steps - self.steps_left
        if used > max_steps:
            raise LimitReached("steps", used, max_steps)
        more = min(size, max_steps - self.granted_steps)
        self.granted_steps += more
        self.steps_left += more

    def next_slice(self) -> int:
        """Return the number of steps until the next check; fewer if steps are slow."""
        now = monotonic()
        took, self._refilled = now - self._refilled, now
        if took < QUICK_SLICE_SECONDS:
            self._slice = min(self._slice * 2, MAX_SLICE_STEPS)
        elif took > SLOW_SLICE_SECONDS:
            self._slice = max(1, int(self._slice * SLOW_SLICE_SECONDS / took))
        return self._slice

    def check(self) -> None:
        """End the run if it is cancelled, out of time or out of memory."""
        if self.is_cancelled:
            raise LimitReached(
                "cancelled", None, None, 128 + self.signal if self.signal else STATUS_CANCELLED
            )
        now = monotonic()
        if self.deadline is not None and now > self.deadline:
            used = round(now - self._began, 3)
            raise LimitReached("seconds", used, self.seconds, STATUS_TIMED_OUT)
        if now > self._memory_check_at:
            self.check_memory(now)

    def check_memory(self, now: float) -> None:
        """End the run if the process has grown too much since the first measurement."""
        is_first_look = not self._memory_check_at
        self._memory_check_at = (
            NEVER_SECONDS if self.limits.memory is None else now + MEMORY_CHECK_SECONDS
        )
        if is_first_look:
            self.first_work = get_ident(), thread_time()
            return
        from keysh.process.memory_use import resident_bytes  # noqa: PLC0415 - only for runs that take long

        has = resident_bytes()
        if self._first_memory < 0:
            self._first_memory = has
        grown, most = has - self._first_memory, self.limits.memory
        if most is not None and grown > most:
            raise LimitReached("memory", grown, most)

    def work_before(self) -> float | None:
        """Return what this thread had worked before the run; None if that is not known."""
        first = self.first_work
        return first[1] if first is not None and first[0] == get_ident() else None

    def reserve(self, size: int) -> None:
        """End the run if `size` more bytes would be more memory than it may use.

        For a command that is about to build something large in one step, between two checks.
        """
        self.check()
        most = self.limits.memory
        if most is None or size < MIN_RESERVED_BYTES:
            return
        from keysh.process.memory_use import resident_bytes  # noqa: PLC0415 - only for what is large

        has = resident_bytes()
        if self._first_memory < 0:
            self._first_memory = has
        if (grown := has - self._first_memory + size) > most:
            raise LimitReached("memory", grown, most)

    def count_unpacked(self, size: int) -> None:
        """Count unpacked bytes, because a small archive may hold huge files."""
        self.unpacked += size
        most = self.limits.unpacked
        if most is not None and self.unpacked > most:
            raise LimitReached("unpacked", self.unpacked, most)

    def push_deadline(self, timeout: float | None) -> tuple[float, float | None, float | None]:
        """Set an earlier deadline for a part of the run; return the argument for `pop_deadline`."""
        before = (self._began, self.seconds, self.deadline)
        timeout = finite_seconds(timeout)
        if timeout is not None:
            now = monotonic()
            if self.deadline is None or now + timeout < self.deadline:
                self._began, self.seconds, self.deadline = now, timeout, now + timeout
        return before

    def pop_deadline(self, before: tuple[float, float | None, float | None]) -> None:
        """Restore the deadline that `push_deadline` replaced."""
        self._began, self.seconds, self.deadline = before

    def cancel(self, signal: int = 0) -> None:
        """End the run, wherever it is; may be called from any thread."""
        self.signal = signal
        self.is_cancelled = True
        # The step counter triggers a check at once; if it overwrites this, the next slice does.
        self.steps_left = -1
        if self._bell is not None:
            self._bell.ring()
        if self._flag is not None:
            self._flag.set()

    def interrupt(self, signal: int) -> None:
        """End a wait so that the run can continue with a trap."""
        self.interruption = signal
        if self._bell is not None:
            self._bell.ring()

    def clear_interruption(self) -> None:
        """Reset the interruption: the trap runs now, and may wait."""
        if self.interruption:
            self.interruption = 0
            self._bell = None

    def revive(self) -> None:
        """Undo the cancellation so that the EXIT trap can wait and run programs."""
        self.is_cancelled = False
        self._bell = self._flag = None

    def bell(self) -> Bell:
        """Return the bell that rings when the run is cancelled."""
        if self._bell is None:
            self._bell = Bell()
        return self._bell

    def flag(self) -> Flag:
        """Return the flag that wakes waits for real processes when the run is cancelled."""
        if self._flag is None:
            from keysh.process.wakeup import Flag  # noqa: PLC0415 - only for real processes

            self._flag = Flag()
            if self.is_cancelled:
                self._flag.set()
        return self._flag

    def remaining_seconds(self) -> float | None:
        """Return the seconds until the deadline, if there is one."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def sleep(self, seconds: float) -> bool:
        """Sleep, checking the run; return False if a trapped signal cut the sleep short."""
        end = monotonic() + seconds
        self.check()
        while (remaining := end - monotonic()) > 0:
            rest, bell = self.remaining_seconds(), self.bell()
            if self.interruption:  # it may have come before there was a bell
                return False
            bell.wait(
                min(remaining, SLEEP_SLICE_SECONDS)
                if rest is None
                else min(remaining, rest, SLEEP_SLICE_SECONDS)
            )
            self.check()
        return True


def finite_seconds(seconds: float | None) -> float | None:
    """Return None for a time beyond any run; keep others within what a clock can count."""
    return (
        None if seconds is None or seconds >= NEVER_SECONDS else max(float(-NEVER_SECONDS), seconds)
    )


def shorter_time(first: float | None, second: float | None) -> float | None:
    """Return the shorter of two optional times."""
    return second if first is None or (second is not None and second < first) else first


class Cancel:
    """Lets a host cancel runs from any thread: `run(text, cancel=c)`, then `c.cancel()`."""

    __module__ = "keysh"
    __slots__ = ("_budgets", "is_cancelled")

    def __init__(self) -> None:
        self._budgets: list[Budget] = []
        self.is_cancelled = False

    def cancel(self) -> None:
        """End all runs that were started with this object, including later ones."""
        self.is_cancelled = True
        for budget in list(self._budgets):
            budget.cancel()

    def begin(self, budget: Budget) -> None:
        """Register a run that starts."""
        self._budgets.append(budget)
        if self.is_cancelled:
            budget.cancel()

    def is_of(self, budget: Budget) -> bool:
        """Whether the run of `budget` uses this object."""
        return budget in self._budgets

    def end(self, budget: Budget) -> None:
        """Unregister a run that has ended."""
        self._budgets.remove(budget)


class Bell:
    """A one-shot event: once rung, every wait returns at once."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._lock.acquire()

    def ring(self) -> None:
        """Wake all waiting threads."""
        if self._lock.locked():
            self._lock.release()

    def wait(self, seconds: float) -> None:
        """Wait until the bell rings, at most `seconds`."""
        if self._lock.acquire(timeout=min(seconds, 1e6)):
            self._lock.release()
