"""Coroutines of the host's commands, run on the event loop that awaits the script."""

from __future__ import annotations

from contextvars import ContextVar

from keysh.interp.engine.thread_handoff import base_state_of, run_registered
from keysh.interp.run.turn import WAIT_POLL_SECONDS, in_turn
from keysh.interp.state.call import CommandFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any, TypeVar

    from keysh.interp.run.turn import Turn
    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State

    T = TypeVar("T")


class HostCoroutine:
    """A coroutine that a run waits for; what it runs in the same shell is a nested run.

    It may be on another thread than the run, so it is found through a context variable; `outer` is
    the coroutine that called it. `turn` lets one nested run proceed at a time.
    """

    __slots__ = ("is_awaited", "outer", "session", "state", "turn")

    def __init__(self, session: Session, state: State, outer: HostCoroutine | None) -> None:
        self.session, self.state, self.outer = session, state, outer
        self.turn: Turn = {}
        self.is_awaited = True


CALLING_COROUTINE: ContextVar[HostCoroutine | None] = ContextVar("keysh caller", default=None)
# The loop that awaits this thread.
HOST_LOOP: ContextVar[Any] = ContextVar("keysh loop", default=None)
NOT_IN_HOST = -1
# The depth of the state whose question the host answers here; what it does is not judged.
IN_HOST: ContextVar[int] = ContextVar("keysh in host", default=NOT_IN_HOST)


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
    IN_HOST.set(NOT_IN_HOST)  # whoever has started the script


def run_nested(caller: HostCoroutine, work: Callable[[], T]) -> T:
    """Call `work`, a nested run that a coroutine has asked for, on a thread of the host."""
    state = caller.state
    return in_turn(caller.turn, state.budget, lambda: run_registered(state.session, state, work))


class Raised:
    """What a coroutine of the host has raised, as a value.

    asyncio ends the loop for a SystemExit, and never ends a task if the exception's own code fails.
    """

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


async def answer_of(coroutine: Awaitable[object]) -> object:
    """Return what a coroutine returns or raises; it is cancelled and interrupted as any other."""
    from asyncio import CancelledError  # noqa: PLC0415 - 40 ms, and only for coroutines

    try:
        return await coroutine
    except (CancelledError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - raised again where the run waits
        return Raised(error)


def run_coroutine(state: State, coroutine: Coroutine[Any, Any, object]) -> object:
    """Run a coroutine to completion."""
    called = HostCoroutine(state.session, base_state_of(state), CALLING_COROUTINE.get())
    before = CALLING_COROUTINE.set(called)
    try:
        answer = run_on_loop(state, coroutine)
    finally:
        called.is_awaited = False
        CALLING_COROUTINE.reset(before)
    if type(answer) is Raised:
        raise answer.error
    return answer


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
        return asyncio.run(await_with_budget(state, answer_of(coroutine)))
    future = asyncio.run_coroutine_threadsafe(answer_of(coroutine), loop)

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
