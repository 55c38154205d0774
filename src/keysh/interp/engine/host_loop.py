"""Coroutines of the host's commands, run on the event loop that awaits the script."""

from __future__ import annotations

from _thread import allocate_lock
from contextvars import ContextVar

from keysh.interp.engine.thread_handoff import WAIT_POLL_SECONDS, base_state_of
from keysh.interp.state.call import CommandFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Coroutine
    from typing import Any

    from keysh.interp.run.budget import Budget
    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State


class HostCoroutine:
    """A coroutine that a run waits for; what it runs in the same shell is a nested run.

    It may be on another thread than the run, so it is found through a context variable; `outer` is
    the coroutine that called it. The lock `turn` lets one nested run proceed at a time.
    """

    __slots__ = ("is_awaited", "outer", "session", "state", "turn")

    def __init__(self, session: Session, state: State, outer: HostCoroutine | None) -> None:
        self.session, self.state, self.outer = session, state, outer
        self.turn = allocate_lock()
        self.is_awaited = True


CALLING_COROUTINE: ContextVar[HostCoroutine | None] = ContextVar("keysh caller", default=None)
# The loop that awaits this thread.
HOST_LOOP: ContextVar[Any] = ContextVar("keysh loop", default=None)


def host_coroutine_of(session: Session) -> HostCoroutine | None:
    """Return the coroutine running here, if a run of this shell waits for it."""
    caller = CALLING_COROUTINE.get()
    while caller is not None and not (caller.session is session and caller.is_awaited):
        caller = caller.outer
    return caller


def calling_coroutine() -> HostCoroutine | None:
    """Return the coroutine running here, if a run of any shell waits for it."""
    return CALLING_COROUTINE.get()


def set_host(loop: object, caller: HostCoroutine | None) -> None:
    """Record the loop, and perhaps the coroutine, for which this thread works."""
    HOST_LOOP.set(loop)
    CALLING_COROUTINE.set(caller)


def wait_for_turn(lock: LockType, budget: Budget) -> None:
    """Acquire a lock, or end with the run."""

    def wait() -> None:
        while not lock.acquire(timeout=WAIT_POLL_SECONDS):
            budget.check()

    budget.waiting(wait)


def run_coroutine(state: State, coroutine: Coroutine[Any, Any, object]) -> object:
    """Run a coroutine to completion."""
    called = HostCoroutine(state.session, base_state_of(state), CALLING_COROUTINE.get())
    before = CALLING_COROUTINE.set(called)
    try:
        return run_on_loop(state, coroutine)
    finally:
        called.is_awaited = False
        CALLING_COROUTINE.reset(before)


def run_on_loop(state: State, coroutine: Coroutine[Any, Any, object]) -> object:
    """Run a coroutine on the host's loop, or on a new one."""
    import asyncio  # noqa: PLC0415 - 40 ms, and loaded already where there is a coroutine

    loop = state.session.host_loop
    if loop is None or loop is running_loop():
        if running_loop() is not None:
            coroutine.close()
            raise CommandFailure(
                "this command is awaited by its host: run the script with `await sh.arun(…)`"
            )
        return asyncio.run(await_with_budget(state, coroutine))
    future = asyncio.run_coroutine_threadsafe(coroutine, loop)

    def wait() -> object:
        while True:
            try:
                state.budget.check()
                return future.result(WAIT_POLL_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
            except BaseException:
                future.cancel()
                raise

    return state.budget.waiting(wait)


async def await_with_budget(state: State, coroutine: Coroutine[Any, Any, object]) -> object:
    """Await a coroutine on a new loop; it ends with the run."""
    from asyncio import ensure_future, wait  # noqa: PLC0415 - 40 ms, and only for coroutines

    task = ensure_future(coroutine)
    while not task.done():
        await wait([task], timeout=WAIT_POLL_SECONDS)
        state.budget.check()
    return task.result()


def running_loop() -> object:
    """Return the loop running on this thread, if any."""
    import asyncio  # noqa: PLC0415 - 40 ms, and only for coroutines

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
