"""Work that waits for scripts and processes, done on a thread for an event loop."""

from __future__ import annotations

from keysh.interp.run.limits import Budget, Cancel
from keysh.shell.async_run import await_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")


class Stop:
    """How work on a thread learns that it is to end: a script by `cancel`, any wait by `budget`."""

    __slots__ = ("budget", "cancel")

    def __init__(self, cancel: Cancel | None = None) -> None:
        self.cancel = cancel or Cancel()
        self.budget = Budget()

    @property
    def is_asked(self) -> bool:
        """Whether it is to end."""
        return self.cancel.is_cancelled

    def __enter__(self) -> Stop:
        self.cancel.begin(self.budget)
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel.end(self.budget)


async def on_thread(work: Callable[[Stop], T]) -> T:
    """What the work returns. To cancel the task stops the work; the task ends when that has."""

    def run(_: object, cancel: Cancel) -> Any:
        with Stop(cancel) as stop:
            return work(stop)

    found: T = await await_run(run)  # type: ignore[assignment]  # it hands on what `run` returns
    return found
