"""Waits that only another run or job of the shell can end, and whether nobody is left to do so.

Each run and each job has a budget of its own, which tells what it waits for. All wait for one
another if nobody has moved between two looks, and no wait was over at the second one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    class Waiter(Protocol):
        """The part of a budget that is used here."""

        peer_wait: PeerWait | None
        place: AbstractContextManager[None] | None  # that another run may have meanwhile

        @property
        def has_timeout(self) -> bool: ...


class PeerWait:
    """One wait of a run, for as long as the `with` block lasts.

    `can_fail`: it ends with an error if nobody is left to end it.
    """

    __slots__ = ("_around", "_budget", "can_fail", "is_over")

    def __init__(
        self, budget: Waiter, is_over: Callable[[], bool], *, can_fail: bool = False
    ) -> None:
        self._budget, self.is_over, self.can_fail = budget, is_over, can_fail
        self._around: PeerWait | None = None

    def __enter__(self) -> None:
        self._around, self._budget.peer_wait = self._budget.peer_wait, self
        if self._budget.place is not None:
            self._budget.place.__enter__()

    def __exit__(self, *exception: object) -> None:
        self._budget.peer_wait = self._around
        if self._budget.place is not None:
            self._budget.place.__exit__(None, None, None)


def is_deadlock_for(budget: Waiter, look: Callable[[], Sequence[Waiter]]) -> bool:
    """Whether all wait for one another, and this is the first of them whose wait can fail.

    `look` returns the runs and jobs that there are.
    """
    waits: list[PeerWait] = []
    everybody = look()
    for each in everybody:
        if each.peer_wait is None or each.has_timeout:
            return False
        waits.append(each.peer_wait)
    # At this moment all of them were waiting. Whoever moves from here on, waits for something new;
    # a job that one of them had begun before its wait is seen now.
    if look() != everybody:
        return False
    for each, wait in zip(everybody, waits, strict=True):
        if each.peer_wait is not wait or wait.is_over():
            return False
    return next((wait for wait in waits if wait.can_fail), None) is budget.peer_wait
