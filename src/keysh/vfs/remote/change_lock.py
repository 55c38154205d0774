"""ChangeLock: changes of several steps, with reads that do not wait for them."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


class ChangeLock:
    """A re-entrant lock for changes.

    A reader does not wait. But what is missing during a change may exist after it, so a read that
    fails then, and only then, waits and is repeated.
    """

    __slots__ = ("_depth", "_lock", "_moments")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._moments = 0  # counts beginnings and ends of changes: odd during one

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
        """Return what `ask` returns; repeat it if it raises during a change."""
        before = self._moments
        try:
            return ask()
        except Exception:
            if before == self._moments and before % 2 == 0:
                raise
            with self:
                return ask()
