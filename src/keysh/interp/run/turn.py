"""Turns: one thread at a time, in the order in which they come.

A `Turn` is a dictionary of those who want it; the first one has it. Unlike a lock it says who that
is, so nobody can lose it: an exception may come where a call begins or returns, also between the
acquisition of a lock and the `try` after it. One instruction enters the queue and one leaves it:

    try:
        turn[me] = None
        if len(turn) > 1:
            wait_for_turn(turn, me, budget)
        …
    finally:
        turn.pop(me, None)
        if turn:
            wake_next(turn)
"""

from __future__ import annotations

from _thread import LockType, allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias, TypeVar

    from keysh.interp.run.budget import Budget

    T = TypeVar("T")

    # The value is the lock that wakes a thread, once that sleeps.
    Turn: TypeAlias = dict[object, LockType | None]

WAIT_POLL_SECONDS = 0.02  # how often a wait checks the run


def wait_for_turn(turn: Turn, me: object, budget: Budget | None) -> None:
    """Wait until `me`, which is in the queue, is the first, or end with the run."""
    sleeper = allocate_lock()
    sleeper.acquire()
    turn[me] = sleeper  # at the same place

    def wait() -> None:
        while [*turn][0] is not me:  # noqa: RUF015 - an iterator fails if another thread enters
            sleeper.acquire(timeout=WAIT_POLL_SECONDS)
            if budget is not None:
                budget.check()

    if budget is None:
        wait()
    else:
        budget.waiting(wait)


def take_turn(turn: Turn) -> object | None:
    """Enter the queue if nobody is in it; return the key to leave it with, None if somebody is."""
    me = object()
    try:
        turn[me] = None
        if [*turn][0] is me:  # noqa: RUF015 - an iterator fails if another thread enters
            return me
    except BaseException:
        turn.pop(me, None)
        raise
    turn.pop(me, None)
    return None


def wake_next(turn: Turn) -> None:
    """Wake the first of the queue, if it sleeps."""
    for sleeper in [*turn.values()][:1]:
        if sleeper is not None:
            try:  # noqa: SIM105 - contextlib is slow to load
                sleeper.release()
            except RuntimeError:
                pass  # it is awake


def in_turn(turn: Turn, budget: Budget | None, work: Callable[[], T]) -> T:
    """Call `work` when it has its turn."""
    me = object()
    try:
        turn[me] = None
        if len(turn) > 1:
            wait_for_turn(turn, me, budget)
        return work()
    finally:
        turn.pop(me, None)
        if turn:
            wake_next(turn)
