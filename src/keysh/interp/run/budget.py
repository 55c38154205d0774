"""Budget: what a run, or a job of it, has left of its limits.

A run counts its steps down in slices. At the end of a slice the budget checks the clock, the
memory and whether the run is cancelled; `tick` in commands and every wait do so too. A job has an
end and a cancellation of its own, and shares all else with the run that started it.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from time import monotonic, thread_time
from time import sleep as give_turn

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import DEFAULT_LIMITS, NEVER_SECONDS, finite_seconds, shorter_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import NoReturn, TypeVar

    from keysh.interp.run.bell import Bell
    from keysh.interp.run.limits import Limits
    from keysh.interp.run.peer_wait import PeerWait
    from keysh.process.wakeup import Flag

    T = TypeVar("T")

# Steps between two checks: at first, and at most if steps are fast.
FIRST_SLICE_STEPS, MAX_SLICE_STEPS = 16, 1024
# A faster slice doubles, a slower one shrinks.
QUICK_SLICE_SECONDS, SLOW_SLICE_SECONDS = 0.002, 0.01
YIELD_SECONDS = 0.001  # that a run computes, before others that an event loop awaits go on
STEPS_PER_TICK = 10  # what a command is charged for the work between two of its checks
SHARED_SLICE_PART = 8  # with jobs a slice is at most this part: others need what is left, too

# Shorter runs are never measured. In a longer one all growth counts but that of this first moment.
FIRST_MEMORY_CHECK_SECONDS, MEMORY_CHECK_SECONDS = 0.001, 0.02
# What a run may grow by in a shell that keeps too much already: it may want to clear up.
MIN_RUN_MEMORY_BYTES = 16 << 20
MIN_RESERVED_BYTES = 1 << 20  # less is seen soon enough by the checks
SLEEP_SLICE_SECONDS = 0.25  # of one wait: a signal that comes just before is handled after it

SIGTERM = 15
STATUS_CANCELLED, STATUS_TIMED_OUT, STATUS_OUTPUT_LIMIT = 130, 124, 3


class Budget:
    """What a run has left. Code that takes `steps_left` below zero calls `refill`."""

    # What few runs change has no slot but a default here: each run makes a budget, and half of it
    # would be stored for nothing (0.25 us, of a run of 2).
    __slots__ = (
        "__dict__", "_began", "_memory_check_at", "_refilled", "_slice", "deadline", "ends_early",
        "first_memory", "first_work", "granted_steps", "is_cancelled", "limits", "max_memory",
        "seconds", "steps_left",
    )  # fmt: skip

    _run: Budget | None = None  # of the run that started a job
    # Of a job that the run itself started: when it began, its seconds, and its deadline.
    _time: tuple[float, float | None, float | None] = (0.0, None, None)
    _sharing: LockType | None = None  # held to change what jobs share; from the first job
    _bell: Bell | None = None
    _flag: Flag | None = None
    is_stopped = False
    cancelled_at = ended_at = 0.0  # when it was told to end, and when that was raised
    signal = 0  # the signal that a cancelled run reports
    interruption = 0  # a trapped keyboard signal that ends waits and programs
    signals: Sequence[tuple[object, int]] = ()  # pending, with their target states
    unpacked = 0  # bytes
    peer_wait: PeerWait | None = None  # what it waits for, if only another job can do it
    kept_memory = 0  # bytes that the shell has kept, if they leave less for the run
    is_large = False  # whether the watchdog has seen that the run has grown too much
    # If an event loop awaits it: its place while it computes, and when others go on meanwhile.
    place: AbstractContextManager[None] | None = None
    yields_at = NEVER_SECONDS

    def __init__(self, limits: Limits = DEFAULT_LIMITS, timeout: float | None = None) -> None:
        self.limits = limits
        self._slice = FIRST_SLICE_STEPS
        most = limits.steps
        first = FIRST_SLICE_STEPS if most is None else min(FIRST_SLICE_STEPS, most)
        self.granted_steps = self.steps_left = first
        seconds = limits.seconds
        if timeout is not None:
            seconds = shorter_time(finite_seconds(seconds), finite_seconds(timeout))
        elif seconds is not None and not seconds < NEVER_SECONDS:
            seconds = None
        # Inline, since each run makes a budget: a method for it takes 0.15 us more.
        self.seconds = seconds
        if seconds is None:
            began, self.deadline = 0.0, None
            self.ends_early = False  # whether it may end while a command waits
        else:
            began = monotonic()
            self.deadline = began + seconds
            self.ends_early = True
        self._began, self._refilled = began, 0.0
        # The work of a shorter run is not counted either: two calls for it take 1 us.
        self._memory_check_at = began + FIRST_MEMORY_CHECK_SECONDS
        self.is_cancelled = False
        self.max_memory = limits.memory
        self.first_memory = -1  # resident bytes at the first measurement
        # The thread of the run, and what it had worked by the first check.
        self.first_work: tuple[int, float] | None = None

    # ------------------------------------------------------------ time

    @property
    def has_timeout(self) -> bool:
        """Whether a command such as `timeout` ends a part of the run before its own deadline."""
        own = None if self.seconds is None else self._began + self.seconds
        return self.deadline != own

    def push_deadline(self, timeout: float | None) -> tuple[float, float | None, float | None]:
        """Set an earlier deadline for a part of the run; return the argument for `pop_deadline`."""
        before, now = (self._began, self.seconds, self.deadline), monotonic()
        timeout = finite_seconds(timeout)
        if timeout is not None and (self.deadline is None or now + timeout < self.deadline):
            self._began, self.seconds, self.deadline = now, timeout, now + timeout
        return before

    def pop_deadline(self, before: tuple[float, float | None, float | None]) -> None:
        """Restore the deadline that `push_deadline` replaced."""
        self._began, self.seconds, deadline = before
        self.set_deadline(deadline)

    def set_deadline(self, deadline: float | None) -> None:
        """Set the deadline; if only a part of the run has ended, the watchdog goes on."""
        self.deadline = deadline
        if not self.is_overdue(monotonic()):
            self.ended_at = 0.0

    def remaining_seconds(self) -> float | None:
        """Return the seconds until the deadline, if there is one."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    # ------------------------------------------------------------ jobs

    def for_job(self) -> Budget:
        """Return the budget of a job.

        A job may outlive the run, so it has `Limits.seconds` from its own start; the jobs that it
        starts end when it would have to. All else it shares with the run, for as long as it lasts.
        """
        job = Budget(self.limits)
        if self._run is not None:
            job._began, job.seconds, job.deadline = self._time
        run = job._run = self._run or self
        job._time = (job._began, job.seconds, job.deadline)
        job.yields_at = self.yields_at
        job.max_memory, job.kept_memory = self.max_memory, self.kept_memory
        if run._sharing is None:
            run._sharing = allocate_lock()
        job._sharing = run._sharing
        if self.limits.steps is not None:
            job.steps_left = 0  # each slice is taken from what is left of the run's
        return job

    def leave(self) -> None:
        """Give back the steps that a job has not used."""
        if self._run is not None and self._sharing is not None and self.steps_left > 0:
            with self._sharing:
                self._run.granted_steps -= self.steps_left
                self.steps_left = 0

    # ------------------------------------------------------------ steps

    def refill(self) -> None:
        """Start the next slice, or end the run."""
        self.check()
        size = self.next_slice()
        max_steps = self.limits.steps
        if max_steps is None:
            self.granted_steps = size
            self.steps_left += size
        elif self._sharing is None:
            self._take_steps(self, size, max_steps)
        else:
            run = self._run or self
            with self._sharing:
                part = max(1, (max_steps - run.granted_steps) // SHARED_SLICE_PART)
                self._take_steps(run, min(size, part), max_steps)

    def _take_steps(self, run: Budget, size: int, max_steps: int) -> None:
        """Take steps from those of a run, which are limited."""
        used = run.granted_steps - self.steps_left
        if used > max_steps:
            raise LimitReached("steps", used, max_steps)
        more = min(size, max_steps - run.granted_steps)
        run.granted_steps += more
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

    def tick(self) -> None:
        """Check the run in a long computation of a command; where steps are limited, count some."""
        if self.limits.steps is not None:
            self.steps_left -= STEPS_PER_TICK
            if self.steps_left < 0:
                self.refill()
                return
        self.check()

    # ------------------------------------------------------------ checks

    def check(self) -> None:
        """End the run if it is cancelled, out of time or out of memory."""
        now = monotonic()
        if self.is_cancelled or (self.deadline is not None and now > self.deadline):
            self._end(now, self.time_limit(now))
        if now > self._memory_check_at:
            self.check_memory(now)
        if now > self.yields_at:
            self.yields_at = now + YIELD_SECONDS
            give_turn(0)

    def is_overdue(self, now: float) -> bool:
        """Whether the run was cancelled or out of time before `now`."""
        is_late = self.deadline is not None and self.deadline < now
        return is_late or (self.is_cancelled and self.cancelled_at < now)

    def time_limit(self, now: float) -> LimitReached:
        """Return the limit of a run that is cancelled or out of time."""
        if self.is_cancelled:
            status = 128 + self.signal if self.signal else STATUS_CANCELLED
            return LimitReached("cancelled", None, None, status)
        return LimitReached("seconds", round(now - self._began, 3), self.seconds, STATUS_TIMED_OUT)

    def check_memory(self, now: float) -> None:
        """End the run if the process has grown too much since the first measurement."""
        if self.first_work is None:
            self.first_work = get_ident(), thread_time()
        if self.max_memory is None:
            self._memory_check_at = NEVER_SECONDS
            return
        self._memory_check_at = now + MEMORY_CHECK_SECONDS
        from keysh.process.memory_use import resident_bytes  # noqa: PLC0415 - only for runs that take long

        limit = self.memory_limit(resident_bytes())
        if limit is not None:
            self._end(now, limit)

    def memory_limit(self, resident: int, size: int = 0) -> LimitReached | None:
        """Return the limit if the process, which has `resident` bytes, has grown too much.

        `size`: what it is about to grow by.
        """
        run = self._run or self
        if run.first_memory < 0:
            run.first_memory = resident
        grown, most = resident + size - run.first_memory, self.max_memory
        if most is None or grown <= most:
            return None
        if self.kept_memory:
            used = self.kept_memory + grown
            return LimitReached("session_memory", used, self.limits.session_memory)
        return LimitReached("memory", grown, most)

    def count_kept(self, kept: int, most: int) -> None:
        """Count what the shell has kept from earlier runs; `most` is what it may have."""
        rest = max(MIN_RUN_MEMORY_BYTES, most - kept)
        if self.max_memory is None or rest < self.max_memory:
            self.max_memory, self.kept_memory = rest, kept

    def reserve(self, size: int) -> None:
        """End the run if `size` more bytes would be more memory than it may use.

        For a command that is about to build something large in one step, between two checks.
        """
        if size < MIN_RESERVED_BYTES:
            return
        self.check()
        if self.max_memory is None:
            return
        from keysh.process.memory_use import resident_bytes  # noqa: PLC0415 - only for what is large

        limit = self.memory_limit(resident_bytes(), size)
        if limit is not None:
            self._end(monotonic(), limit)

    def work_before(self) -> float | None:
        """Return what this thread had worked before the run; None if that is not known."""
        first = self.first_work
        return first[1] if first is not None and first[0] == get_ident() else None

    def missed_memory_limit(self, resident: int) -> LimitReached | None:
        """Return the limit if it was reached at the call before as well, and is not noticed yet."""
        limit = self.memory_limit(resident)
        was_reached, self.is_large = self.is_large, limit is not None
        return limit if was_reached else None

    def _end(self, now: float, limit: LimitReached) -> NoReturn:
        """End the run, and note when that began."""
        self.ended_at = now
        raise limit

    def count_unpacked(self, size: int) -> None:
        """Count unpacked bytes, because a small archive may hold huge files."""
        if self._sharing is None:
            self._add_unpacked(self, size)
        else:
            with self._sharing:
                self._add_unpacked(self._run or self, size)

    def _add_unpacked(self, run: Budget, size: int) -> None:
        run.unpacked += size
        most = self.limits.unpacked
        if most is not None and run.unpacked > most:
            raise LimitReached("unpacked", run.unpacked, most)

    # ------------------------------------------------------------ cancellation

    def cancel(self, signal: int = 0) -> None:
        """End the run, wherever it is; may be called from any thread."""
        self.signal = signal
        self.cancelled_at = monotonic()
        self.is_cancelled = True
        # The step counter triggers a check at once; if it overwrites this, the next slice does.
        self.steps_left = -1
        if self._bell is not None:
            self._bell.ring()
        if self._flag is not None:
            self._flag.set()

    def stop(self) -> None:
        """End a job for good: its EXIT trap, too."""
        self.is_stopped = True
        self.cancel(SIGTERM)

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
        self.is_cancelled = self.is_stopped
        self.ended_at = 0.0
        if not self.is_cancelled:
            self._bell = self._flag = None

    # ------------------------------------------------------------ waits

    def bell(self) -> Bell:
        """Return the bell that rings when the run is cancelled."""
        if self._bell is None:
            from keysh.interp.run.bell import Bell  # noqa: PLC0415 - only for waits

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

    def sleep(self, seconds: float) -> bool:
        """Sleep, checking the run; return False if a trapped signal cut the sleep short."""
        end = monotonic() + seconds
        self.check()
        return self.waiting(lambda: self._sleep_until(end))

    def waiting(self, wait: Callable[[], T]) -> T:
        """Call what waits; another run may have the place of this one meanwhile."""
        if self.place is None:
            return wait()
        with self.place:
            return wait()

    def _sleep_until(self, end: float) -> bool:
        while (remaining := end - monotonic()) > 0:
            rest, bell = self.remaining_seconds(), self.bell()
            if self.interruption:  # it may have come before there was a bell
                return False
            bell.wait(min(remaining, SLEEP_SLICE_SECONDS, remaining if rest is None else rest))
            self.check()
        return True
