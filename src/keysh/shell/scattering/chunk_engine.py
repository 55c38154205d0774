"""The engine of workers elsewhere: it sends items in chunks.

Each item alone would cost a message. So a chunk has as many as a worker runs in a tenth of a
second, by what the last ones took, but no more than print 4 MiB; what a worker has not begun by
then comes back. Workers of this
machine tell of each item when it has ended, others of all when the chunk has.
"""

from __future__ import annotations

from collections import deque
from functools import partial

from keysh.interp.run.budget import STATUS_CANCELLED
from keysh.interp.scatter.engine import ItemTask, TaskEnding
from keysh.interp.state.call import CommandFailure
from keysh.shell.scattering.item_shell import run_items
from keysh.shell.scattering.mapper import ClusterError, NotBegun, WorkerLost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.shell.scattering.mapper import Mapper, MapperFuture
    from keysh.shell.scattering.payload import Payload

    class ChunkRunner(Protocol):
        """Runs chunks on workers."""

        @property
        def width(self) -> int:
            """How many chunks may run at a time; 0 while there are no workers."""

        def begin(
            self,
            items: Sequence[tuple[int, object]],
            seconds: float,
            tell: Callable[[TaskEnding], object],
        ) -> MapperFuture:
            """Begin a chunk: after some seconds it begins no item.

            `tell` may be called with each ending; the result has those that it was not called with.
            """

        def cancel(self) -> None:
            """End all chunks that have not ended."""


CHUNK_SECONDS = 0.1
MAX_CHUNK_ITEMS = 1000
MAX_CHUNK_BYTES = 4 << 20  # that its items print, by what the last ones printed
LOST_STATUS = 125
FAILED_STATUS = 1


class MappedChunks:
    """Runs chunks by the calls that a mapper carries."""

    __slots__ = ("_mapper", "_payload")

    def __init__(self, mapper: Mapper, payload: Payload) -> None:
        self._mapper, self._payload = mapper, payload

    @property
    def width(self) -> int:
        return self._mapper.width

    def begin(
        self,
        items: Sequence[tuple[int, object]],
        seconds: float,
        tell: Callable[[TaskEnding], object],
    ) -> MapperFuture:
        return self._mapper.submit(run_items, self._payload, items, seconds)

    def cancel(self) -> None:
        self._mapper.cancel()


class ChunkEngine:
    """Runs tasks on workers, at most `max_workers` chunks at a time."""

    __slots__ = (
        "_chunk_items", "_close", "_has_told", "_mailbox", "_max_workers", "_runner", "_running",
        "_tell_of_wait", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        runner: ChunkRunner,
        max_workers: int | None,
        mailbox: Mailbox,
        close: Callable[[], object],
        tell_of_wait: Callable[[], object],
    ) -> None:
        """`close` is called at the end, when nothing of the scatter is asked for any more.

        `tell_of_wait` is called when items wait for the first worker.
        """
        self._runner, self._mailbox, self._close = runner, mailbox, close
        self._max_workers, self._tell_of_wait = max_workers, tell_of_wait
        self._chunk_items = 1
        self._running = 0  # chunks
        self._has_told = False
        self._waiting: deque[ItemTask] = deque()

    @property
    def width(self) -> int:
        return max(1, self._workers) * self._chunk_items

    @property
    def _workers(self) -> int:
        width = self._runner.width
        return width if self._max_workers is None else min(width, self._max_workers)

    def submit(self, task: ItemTask) -> None:
        self._waiting.append(task)

    def flush(self) -> None:
        if self._waiting and not (self._running or self._workers or self._has_told):
            self._has_told = True
            self._tell_of_wait()
        while self._waiting and self._running < self._workers:
            free = self._workers - self._running
            share = -(-len(self._waiting) // free)
            count = min(share, self._chunk_items)
            chunk = SentChunk([self._waiting.popleft() for _ in range(count)])
            items = [(task.index, task.item) for task in chunk.tasks]
            self._running += 1
            future = self._runner.begin(items, CHUNK_SECONDS, partial(self._tell, chunk))
            future.add_done_callback(partial(self._leave, chunk))

    def _tell(self, chunk: SentChunk, ending: TaskEnding) -> None:
        """Tell of the end of an item; called by a thread of the runner, as the next one."""
        self._mailbox.put(EndedItem(chunk, ending))

    def _leave(self, chunk: SentChunk, future: MapperFuture) -> None:
        """Tell of the end of a chunk."""
        chunk.future = future
        self._mailbox.put(chunk)

    def endings(self, thing: object) -> Iterable[tuple[ItemTask, TaskEnding]]:
        if isinstance(thing, EndedItem):
            return [(thing.chunk.take(thing.ending), thing.ending)]
        if isinstance(thing, WorkersChanged):
            return []
        assert isinstance(thing, SentChunk)
        self._running -= 1
        left = thing.tasks[thing.ended :]
        endings = self._last_endings(thing, left)
        ended = [(thing.take(ending), ending) for ending in endings]
        # What was not begun is next.
        self._waiting.extendleft(reversed(thing.tasks[thing.ended :]))
        if thing.ended:
            self._chunk_items = thing.size_of_next()
        return ended

    def _last_endings(self, chunk: SentChunk, left: list[ItemTask]) -> list[TaskEnding]:
        """Return the endings that come with the end of a chunk, some of whose tasks are left."""
        assert chunk.future is not None
        try:
            endings: list[TaskEnding] = chunk.future.result()
        except NotBegun:
            return []
        except WorkerLost as lost:
            ended = lost.ended or []
            count = len(left) if lost.ended is None else 1
            return ended + [
                TaskEnding(LOST_STATUS, err=f"{lost}\n", worker=lost.worker) for _ in range(count)
            ]
        except ClusterError as error:
            raise CommandFailure(str(error), FAILED_STATUS) from None
        except Exception as error:  # noqa: BLE001 - of a worker, whatever it is
            raise CommandFailure(f"a worker cannot run this: {error}", FAILED_STATUS) from None
        return endings[: len(left)]

    def cancel(self) -> None:
        for task in self._waiting:
            self._running += 1
            self._mailbox.put(SentChunk([task], CancelledItems()))
        self._waiting.clear()
        self._runner.cancel()

    def close(self) -> None:
        self._close()


class SentChunk:
    """Tasks that a worker has got, and how many of them have ended."""

    __slots__ = ("ended", "future", "printed", "seconds", "tasks")

    def __init__(
        self, tasks: list[ItemTask], future: MapperFuture | CancelledItems | None = None
    ) -> None:
        self.tasks, self.future = tasks, future
        self.ended, self.seconds, self.printed = 0, 0.0, 0

    def take(self, ending: TaskEnding) -> ItemTask:
        """Return the task that has ended next."""
        task = self.tasks[self.ended]
        self.ended += 1
        self.seconds += ending.seconds
        self.printed += len(ending.out) + len(ending.err)
        return task

    def size_of_next(self) -> int:
        """Return how many items the next chunk may have, if they are as those that have ended."""
        by_time = CHUNK_SECONDS * self.ended / max(self.seconds, CHUNK_SECONDS / MAX_CHUNK_ITEMS)
        by_output = MAX_CHUNK_BYTES * self.ended / max(self.printed, 1)
        return max(1, min(MAX_CHUNK_ITEMS, int(by_time), int(by_output)))


class EndedItem:
    """The end of the next item of a chunk that goes on."""

    __slots__ = ("chunk", "ending")

    def __init__(self, chunk: SentChunk, ending: TaskEnding) -> None:
        self.chunk, self.ending = chunk, ending


class WorkersChanged:
    """In a mailbox: there are more workers, or fewer."""

    __slots__ = ()


class CancelledItems:
    """Stands for the future of an item that was never sent."""

    __slots__ = ()

    def result(self) -> list[TaskEnding]:
        return [TaskEnding(STATUS_CANCELLED, was_cancelled=True)]
