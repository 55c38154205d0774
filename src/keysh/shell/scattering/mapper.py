"""Mapper: what carries calls to workers in other processes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from keysh.interp.scatter.engine import TaskEnding

    class MapperFuture(Protocol):
        """What becomes of a call, as in `concurrent.futures`."""

        def add_done_callback(self, call: Callable[[Any], object], /) -> object: ...
        def result(self) -> Any: ...

    class Mapper(Protocol):
        """Carries calls to workers. A host may bring its own: `Shell(mapper=…)`.

        Functions and arguments travel by pickle. The function imports keysh, of the same version.
        """

        @property
        def width(self) -> int:
            """How many calls may run at a time."""

        def submit(self, function: Callable[..., Any], *arguments: Any) -> MapperFuture:
            """Begin a call on a worker."""

        def cancel(self) -> None:
            """End all calls that have not ended."""


class ClusterError(Exception):
    """The workers cannot run items, or cannot be reached."""


class NotBegun(Exception):
    """A call has not begun, through no fault of its own; it may be submitted again."""


class WorkerLost(Exception):
    """The worker of a call has ended before it.

    `ended` has the endings of the items that it had run, if that is known; then the next one was
    running, and no other.
    """

    def __init__(self, worker: object, reason: str, ended: list[TaskEnding] | None = None) -> None:
        super().__init__(f"the worker {worker} was lost: {reason}")
        self.worker, self.ended = worker, ended
