"""Clocks of a host, in nanoseconds since 1970, for scripts and their files."""

from __future__ import annotations

from keysh.diagnostics.exceptions import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NANOSECONDS = 1_000_000_000


def host_clock(clock: Callable[[], float] | float) -> Callable[[], int]:
    """Return a function that tells seconds, or a fixed time, as a clock."""
    if not callable(clock) and not isinstance(clock, int | float):
        refuse("clock", "a number of seconds or a function", clock, "clock=time.time")
    return HostClock(clock) if callable(clock) else FixedClock(round(clock * NANOSECONDS))


class HostClock:
    """A clock of the host that tells seconds, in nanoseconds. It is pickled as the host's is."""

    __slots__ = ("_seconds",)

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds

    def __call__(self) -> int:
        return round(self._seconds() * NANOSECONDS)


class FixedClock:
    """A clock that stands still."""

    __slots__ = ("_nanoseconds",)

    def __init__(self, nanoseconds: int) -> None:
        self._nanoseconds = nanoseconds

    def __call__(self) -> int:
        return self._nanoseconds
