"""Run blocking work, such as scripts and processes, for an event loop, and coroutines without."""

from __future__ import annotations

from keysh.interp.run.budget import Budget
from keysh.interp.run.cancel import Cancel
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


def run_coroutine(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end and return its result, on an event loop of its own.

    In a thread whose loop runs, that waits: the other loop is then on a thread. An interrupt of the
    wait cancels the coroutine.
    """
    import asyncio  # noqa: PLC0415 - 40 ms
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - as above
    from contextvars import copy_context  # noqa: PLC0415 - as above

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    begun: list[tuple[AbstractEventLoop, Task[T] | None]] = []

    async def run() -> T:
        begun.append((asyncio.get_running_loop(), asyncio.current_task()))
        return await work()

    with ThreadPoolExecutor(1, "keysh-tool") as pool:
        future = pool.submit(copy_context().run, asyncio.run, run())
        try:
            return future.result()
        finally:
            for loop, task in begun:
                if task is not None and not future.done():
                    loop.call_soon_threadsafe(task.cancel)
