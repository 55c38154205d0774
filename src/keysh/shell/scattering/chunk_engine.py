"""The engine of workers elsewhere: it sends items in chunks over a mapper.

Each item alone would cost a message. So a chunk has as many as a worker runs in a tenth of a
second, by what the last ones took; what a worker has not begun by then comes back.
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
    from collections.abc import Callable, Iterable

    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.shell.scattering.mapper import Mapper, MapperFuture
    from keysh.shell.scattering.payload import Payload

CHUNK_SECONDS = 0.1
MAX_CHUNK_ITEMS = 1000
LOST_STATUS = 125
FAILED_STATUS = 1


class ChunkEngine:
    """Runs tasks on the workers of a mapper, at most `workers` chunks at a time."""

    __slots__ = (
        "_chunk_items",
        "_close",
        "_mailbox",
        "_mapper",
        "_payload",
        "_running",
        "_waiting",
        "_workers",
    )

    def __init__(
        self,
        mapper: Mapper,
        payload: Payload | None,
        workers: int,
        mailbox: Mailbox,
        close: Callable[[], object],
    ) -> None:
        """`close` is called at the end, when nothing of the scatter is asked for any more."""
        self._mapper, self._payload, self._mailbox = mapper, payload, mailbox
        self._workers, self._close = workers, close
        self._chunk_items = 1
        self._running = 0  # chunks
        self._waiting: deque[ItemTask] = deque()

    @property
    def width(self) -> int:
        return self._workers * self._chunk_items

    def submit(self, task: ItemTask) -> None:
        self._waiting.append(task)

    def flush(self) -> None:
        while self._waiting and self._running < self._workers:
            free = self._workers - self._running
            share = -(-len(self._waiting) // free)
            count = min(share, self._chunk_items)
            chunk = [self._waiting.popleft() for _ in range(count)]
            items = [(task.index, task.item) for task in chunk]
            future = self._mapper.submit(run_items, self._payload, items, CHUNK_SECONDS)
            self._running += 1
            future.add_done_callback(partial(self._leave, chunk))

    def _leave(self, chunk: list[ItemTask], future: MapperFuture) -> None:
        """Tell of the end of a chunk; called by a thread of the mapper."""
        self._mailbox.put(SentChunk(chunk, future))

    def endings(self, thing: object) -> Iterable[tuple[ItemTask, TaskEnding]]:
        assert isinstance(thing, SentChunk)
        chunk, future = thing.tasks, thing.future
        self._running -= 1
        try:
            endings: list[TaskEnding] = future.result()
        except NotBegun:
            endings = []
        except WorkerLost as lost:
            ended = lost.ended or []
            count = len(chunk) if lost.ended is None else 1
            endings = ended + [
                TaskEnding(LOST_STATUS, err=f"{lost}\n", worker=lost.worker) for _ in range(count)
            ]
        except ClusterError as error:
            raise CommandFailure(str(error), FAILED_STATUS) from None
        except Exception as error:  # noqa: BLE001 - of a worker, whatever it is
            raise CommandFailure(f"a worker cannot run this: {error}", FAILED_STATUS) from None
        # What was not begun is next.
        self._waiting.extendleft(reversed(chunk[len(endings) :]))
        if endings:
            taken = sum(ending.seconds for ending in endings) / len(endings)
            self._chunk_items = max(1, min(MAX_CHUNK_ITEMS, int(CHUNK_SECONDS / max(taken, 1e-6))))
        return zip(chunk, endings, strict=False)

    def cancel(self) -> None:
        for task in self._waiting:
            self._running += 1
            self._mailbox.put(SentChunk([task], CancelledItems()))
        self._waiting.clear()
        self._mapper.cancel()

    def close(self) -> None:
        self._close()


class SentChunk:
    """Tasks that a worker has got, and what becomes of them."""

    __slots__ = ("future", "tasks")

    def __init__(self, tasks: list[ItemTask], future: MapperFuture | CancelledItems) -> None:
        self.tasks, self.future = tasks, future


class CancelledItems:
    """Stands for the future of an item that was never sent."""

    __slots__ = ()

    def result(self) -> list[TaskEnding]:
        return [TaskEnding(STATUS_CANCELLED, was_cancelled=True)]
