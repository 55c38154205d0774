"""Run blocking work, such as scripts and processes, on a thread for an event loop."""

from __future__ import annotations

from keysh.interp.run.budget import Budget
from keysh.interp.run.cancel import Cancel
from keysh.shell.async_run import await_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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
