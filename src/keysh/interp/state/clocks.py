"""The clocks by which a script learns how long its commands take.

A clock that the host supplies holds here too: by a fixed one every command takes no time.
"""

from __future__ import annotations

from os import times
from time import monotonic, process_time, thread_time, time_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NANOSECONDS_PER_SECOND = 1_000_000_000


class Clocks:
    """The clocks of a session, in seconds; only the differences of two readings mean anything.

    The processor time is never that of the host. If the shell does not own its process, which the
    program keysh does, the time of the thread that runs the script counts.
    """

    __slots__ = ("_clock", "_is_real", "_owns_process")

    def __init__(self, clock: Callable[[], int], *, owns_process: bool) -> None:
        self._clock, self._owns_process = clock, owns_process
        self._is_real = clock is time_ns

    def wall(self) -> float:
        """Read the clock on the wall."""
        return monotonic() if self._is_real else self._clock() / NANOSECONDS_PER_SECOND

    def work(self) -> float:
        """Read the processor time of the shell alone."""
        if not self._is_real:
            return 0.0
        return process_time() if self._owns_process else thread_time()

    def work_with_programs(self) -> tuple[float, float]:
        """Read the processor time of the shell and its programs: in their code, in the kernel."""
        if self._owns_process and self._is_real:
            used = times()
            return used.user + used.children_user, used.system + used.children_system
        return self.work(), 0.0

    def total_work(self, of_ended_runs: float, work_before: float | None) -> float:
        """Return the processor time since the shell began, without that of its programs.

        `work_before` is what this thread had worked when the run began, if that is known.
        """
        if self._owns_process or not self._is_real:
            return self.work()
        return of_ended_runs + (0.0 if work_before is None else self.work() - work_before)
