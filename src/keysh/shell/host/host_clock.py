"""The clock of a host, in nanoseconds as a shell counts them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NANOSECONDS = 1_000_000_000


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

    def __init__(self, seconds: float) -> None:
        self._nanoseconds = round(seconds * NANOSECONDS)

    def __call__(self) -> int:
        return self._nanoseconds
