"""Mailbox: where threads leave what one thread waits for."""

from __future__ import annotations

from _thread import allocate_lock
from collections import deque

from keysh.interp.run.peer_wait import PeerWait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.run.budget import Budget

WAIT_POLL_SECONDS = 0.02  # how often a wait checks the run


class Mailbox:
    """Things in the order in which they came. Any thread may put some, one takes them."""

    __slots__ = ("_wake", "_things")

    def __init__(self) -> None:
        self._things: deque[object] = deque()
        self._wake = allocate_lock()
        self._wake.acquire()

    def put(self, thing: object) -> None:
        """Leave something, and wake who waits."""
        self._things.append(thing)
        try:  # noqa: SIM105 - contextlib is slow to load
            self._wake.release()
        except RuntimeError:
            pass  # it is awake

    def take(self) -> object | None:
        """Take the first thing; None if there is none."""
        try:
            return self._things.popleft()
        except IndexError:
            return None

    def wait(self, budget: Budget, is_over: Callable[[], bool] | None = None) -> object | None:
        """Wait for the first thing and take it, or end with the run.

        None if `is_over` says meanwhile that there is something else to do.
        """
        with PeerWait(budget, self.has_any):
            while (thing := self.take()) is None:
                budget.check()
                if is_over is not None and is_over():
                    return None
                self._wake.acquire(timeout=WAIT_POLL_SECONDS)
        return thing

    def has_any(self) -> bool:
        """Whether there is something."""
        return bool(self._things)
