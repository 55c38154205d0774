"""Engine: runs the tasks of a scatter, many at once, and says how each has ended."""

from __future__ import annotations

from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Protocol

    class Engine(Protocol):
        """Runs at most `width` tasks at a time. All methods are called by one thread."""

        @property
        def width(self) -> int: ...

        def submit(self, task: ItemTask) -> None:
            """Begin a task, or let it wait for `flush`. Its ending comes by the mailbox."""

        def flush(self) -> None:
            """Begin what waits."""

        def endings(self, thing: object) -> Iterable[tuple[ItemTask, TaskEnding]]:
            """The tasks that have ended, by what the mailbox has got; LimitReached ends all."""

        def cancel(self) -> None:
            """End all tasks that run, with their programs; their endings come by the mailbox."""

        def close(self) -> None:
            """End all that the engine has started, and wait for it."""


class ItemTask:
    """One item, and how its command is to run."""

    __slots__ = ("attempt", "index", "item", "seed", "timeout", "words")

    def __init__(
        self,
        index: int,
        item: object,
        words: Sequence[object],
        *,
        timeout: float | None = None,
        seed: int | None = None,
    ) -> None:
        self.index, self.item, self.words = index, item, words
        self.timeout = timeout  # seconds
        self.seed = seed  # of `$RANDOM`
        self.attempt = 1


class TaskEnding:
    """How a task has ended. `worker` says where it ran, `files` what it brings back."""

    __slots__ = ("code", "data", "err", "files", "out", "seconds", "was_cancelled", "worker")

    def __init__(
        self,
        code: int,
        out: str = "",
        err: str = "",
        *,
        data: Any = ABSENT,
        seconds: float = 0.0,
        worker: object = None,
        was_cancelled: bool = False,
        files: dict[str, bytes] | None = None,
    ) -> None:
        self.files = files
        self.code, self.out, self.err, self.data = code, out, err, data
        self.seconds, self.worker = seconds, worker
        self.was_cancelled = was_cancelled  # it might not have failed by itself
