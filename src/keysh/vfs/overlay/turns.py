"""Changes of several steps, and those who read meanwhile."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


class ChangeLock:
    """Held by who changes something: one at a time, and again by the same thread.

    Who reads does not wait. But what fails in the midst of a change may be there after it, so a
    reader asks again then, and only then.
    """

    __slots__ = ("_depth", "_lock", "_moments")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._moments = 0  # beginnings and ends of changes: odd while one is under way

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1
        if self._depth == 1:
            self._moments += 1

    def __exit__(self, *exception: object) -> None:
        if self._depth == 1:
            self._moments += 1
        self._depth -= 1
        self._lock.release()

    def read_consistently(self, ask: Callable[[], T]) -> T:
        """What `ask` returns, or raises where no change was under way."""
        before = self._moments
        try:
            return ask()
        except Exception:
            if before == self._moments and before % 2 == 0:
                raise
            with self:
                return ask()
