"""Run blocking work, such as scripts and processes, for an event loop, and coroutines without."""

from __future__ import annotations

from contextlib import suppress

from keysh.interp.engine.thread_handoff import run_on_thread
from keysh.interp.run.budget import Budget
from keysh.interp.run.cancel import Cancel
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.async_run import await_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    T = TypeVar("T")


class Stop:
    """Tells work on a thread to stop: `cancel` stops scripts, `budget` any other wait."""

    __slots__ = ("budget", "cancel")

    def __init__(self, cancel: Cancel | None = None) -> None:
        self.cancel = cancel or Cancel()
        self.budget = Budget()

    @property
    def is_asked(self) -> bool:
        """Whether the work should stop."""
        return self.cancel.is_cancelled

    def __enter__(self) -> Stop:
        self.cancel.begin(self.budget)
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel.end(self.budget)


async def on_thread(work: Callable[[Stop], T]) -> T:
    """Run work on a thread and return its result. Cancelling the task stops the work first."""

    def run(_: object, cancel: Cancel) -> Any:
        with Stop(cancel) as stop:
            return work(stop)

    result: T = await await_run(run)  # type: ignore[assignment]  # it returns what `run` returns
    return result


class AwaitedTask:
    """The task of a coroutine for which a thread waits; `cancel` may come from that thread."""

    __slots__ = ("_is_cancelled", "_loop", "_task")

    def __init__(self) -> None:
        self._is_cancelled = False
        self._loop: AbstractEventLoop | None = None
        self._task: Task[Any] | None = None

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine as this task."""
        from asyncio import current_task, get_running_loop  # noqa: PLC0415 - 40 ms

        self._loop, self._task = get_running_loop(), current_task()
        if self._is_cancelled and self._task is not None:
            self._task.cancel()
        return await work()

    def cancel(self) -> None:
        """Cancel the task, or let it end as soon as it begins."""
        self._is_cancelled = True
        if self._loop is not None and self._task is not None:
            with suppress(RuntimeError):  # it is over, and its loop closed
                self._loop.call_soon_threadsafe(self._task.cancel)


def run_coroutine(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end and return its result, on an event loop of its own.

    In a thread whose loop runs, that waits: the other loop is then on a thread. An interrupt of the
    wait cancels the coroutine.
    """
    import asyncio  # noqa: PLC0415 - 40 ms
    from contextvars import copy_context  # noqa: PLC0415 - as above

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    context, task = copy_context(), AwaitedTask()
    try:
        return run_on_thread(lambda: context.run(asyncio.run, task.run(work)), task)
    except LimitReached as limit:
        if limit.kind == "threads":
            raise RuntimeError(limit.message) from None
        raise
