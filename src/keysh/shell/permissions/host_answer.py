"""Ask the host and wait for its answer, for as long as the rules and the run allow."""

from __future__ import annotations

from _thread import allocate_lock
from inspect import isawaitable, iscoroutinefunction
from time import monotonic

from keysh.interp.state.call import CommandFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from keysh.interp.state.state import State

ANSWER_POLL_SECONDS = 0.02  # how often a wait looks whether the run was cancelled


def answer_in_time(
    state: State,
    ask: Callable[[Any], object],
    request: object,
    seconds: float,
    enter_host: Callable[[], object],
) -> object:
    """Return the answer of a function or coroutine function; None if none comes in time.

    `enter_host` is called where the code of the host begins. A function is called on a thread of
    its own, since nothing else could end the wait. What it
    raises is raised here.
    """
    end = monotonic() + seconds
    if iscoroutinefunction(ask) or iscoroutinefunction(getattr(ask, "__call__", None)):  # noqa: B004 - whether the call is async
        answer = ask(request)
    else:
        answer = called_answer(state, ask, request, end, enter_host)
    if isawaitable(answer):
        return awaited_answer(state, answer, end, enter_host)
    return answer


def called_answer(
    state: State,
    ask: Callable[[Any], object],
    request: object,
    end: float,
    enter_host: Callable[[], object],
) -> object:
    """Call the host on a thread; return its answer, or None at the end of the time."""
    done = allocate_lock()
    done.acquire()
    answers: list[object] = []
    errors: list[BaseException] = []

    def work() -> None:
        enter_host()
        try:
            answers.append(ask(request))
        except BaseException as error:  # noqa: BLE001 - it is raised where the script waits
            errors.append(error)
        finally:
            done.release()

    state.session.services.start_thread(work)
    budget = state.budget

    def wait() -> bool:
        while (left := end - monotonic()) > 0:
            if done.acquire(timeout=min(left, ANSWER_POLL_SECONDS)):
                return True
            budget.check()
        return False

    if not budget.waiting(wait):
        return None
    if errors:
        raise errors[0]
    return answers[0]


def awaited_answer(
    state: State, answer: Awaitable[object], end: float, enter_host: Callable[[], object]
) -> object:
    """Await the host's answer; return None at the end of the time."""
    from asyncio import wait_for  # noqa: PLC0415 - loaded already where something is awaited

    from keysh.interp.engine.host_loop import Raised, answer_of  # noqa: PLC0415 - as above

    async def wait() -> object:
        enter_host()
        try:
            given = await wait_for(answer_of(answer), max(0.0, end - monotonic()))
        except TimeoutError:
            return None
        if type(given) is Raised:
            raise given.error
        return given

    waiting = wait()
    try:
        return state.session.services.run_coroutine(state, waiting)
    except CommandFailure:  # the host runs the script on the loop that should await the answer
        close = getattr(answer, "close", None)
        if close is not None:
            close()
        return "deny"
