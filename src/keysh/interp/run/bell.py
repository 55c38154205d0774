"""Bell: wakes the waits of a run."""

from __future__ import annotations

from _thread import allocate_lock


class Bell:
    """A one-shot event: once rung, every wait returns at once.

    The lock is held until then. Each wait passes it on, so it is released exactly once, by the
    caller of `ring` that gets the token.
    """

    __slots__ = ("_lock", "_token")

    def __init__(self) -> None:
        self._lock, self._token = allocate_lock(), [True]
        self._lock.acquire()

    def ring(self) -> None:
        """Wake all waiting threads. Safe in a signal handler, and in several threads at once."""
        try:
            self._token.pop()
        except IndexError:
            return  # it has rung
        self._lock.release()

    def wait(self, seconds: float) -> None:
        """Wait until the bell rings, at most `seconds`."""
        if self._lock.acquire(timeout=min(seconds, 1e6)):
            self._lock.release()
