"""The worker pool: the few threads on which event loops await the scripts of many shells.

    arun ──▶ queue of its shell ──▶ ready, in order ──▶ a worker
                                                        │ waits: gives its place up
                                                        └ ends: takes the next one

A script that computes has a place, of which there are a few more than processors, since Python
computes in one thread at a time. One that waits, for time, a program, a job, its turn or a
coroutine of the host, gives its place up meanwhile, so that the pool grows only by scripts that
wait. What blocks in code of the host does not tell; so a reserve looks whether the queue moves,
and takes the first script itself if it does not. The scripts of one shell run one after another,
and take one thread.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread
from collections import deque
from contextvars import Context
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MAX_WORKERS = 512  # threads, most of which wait
PLACES_MORE_THAN_PROCESSORS = 2
IDLE_SECONDS = 1.0  # before a worker without work ends
PATIENCE_SECONDS = 0.05  # in which no script begins or ends, before the reserve takes one


class Place:
    """What a script has while it computes. Use as a context manager around a wait."""

    __slots__ = ("_pool", "waits")

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self.waits = 0  # nested, and of several threads of the run

    def __enter__(self) -> None:
        self._pool.begin_wait(self)

    def __exit__(self, *exception: object) -> None:
        self._pool.end_wait(self)


class PooledWork:
    """Something that the pool is to do: the run of a script, say."""

    __slots__ = ("has_begun", "is_urgent", "owner", "place", "work")

    def __init__(
        self, pool: WorkerPool, work: Callable[[Place], None], owner: Hashable, is_urgent: bool
    ) -> None:
        self.work, self.owner, self.is_urgent = work, owner, is_urgent
        self.place = Place(pool)
        self.has_begun = False


class Worker:
    """A thread of the pool; whoever gives it a task releases its lock."""

    __slots__ = ("task", "wake")

    def __init__(self, task: PooledWork | None) -> None:
        self.task = task
        self.wake = allocate_lock()
        self.wake.acquire()


class WorkerPool:
    """The workers of this process."""

    __slots__ = (
        "_computing", "_has_reserve", "_idle", "_lock", "_moved_at", "_places", "_queues", "_ready",
        "workers",
    )  # fmt: skip

    def __init__(self) -> None:
        self.begin_process()

    def begin_process(self) -> None:
        """Begin without a thread: a fork of a process has only the one that called it."""
        self._lock = allocate_lock()
        self._places = (os.cpu_count() or 1) + PLACES_MORE_THAN_PROCESSORS
        self._queues: dict[Hashable, deque[PooledWork]] = {}  # of each shell that has a script here
        # The first of each shell none of whose scripts runs.
        self._ready: deque[PooledWork] = deque()
        self._idle: list[Worker] = []
        self._computing: set[Place] = set()
        self.workers = 0  # threads
        self._has_reserve = False
        self._moved_at = 0.0

    # ------------------------------------------------------------ for event loops

    def submit(
        self, work: Callable[[Place], None], owner: Hashable = None, *, is_urgent: bool = False
    ) -> PooledWork:
        """Let a thread do some work, after all else of its owner.

        What is urgent, because a script that has a thread waits for it, begins at once. Raises
        RuntimeError if the machine has no thread for it.
        """
        task = PooledWork(self, work, owner, is_urgent)
        with self._lock:
            if is_urgent:
                self._begin(task)
                return task
            if owner is not None:
                queue = self._queues.setdefault(owner, deque())
                queue.append(task)
                if len(queue) > 1:
                    return task
            self._ready.append(task)
            self._fill_places()
            if not self.workers:
                self._forget(task)
                raise RuntimeError("can't start new thread")
            return task

    def withdraw(self, task: PooledWork) -> bool:
        """Take back a task; False if it has begun."""
        with self._lock:
            return not task.has_begun and self._forget(task)

    # ------------------------------------------------------------ for workers

    def begin_wait(self, place: Place) -> None:
        """Note that a script waits, so that another one may begin."""
        with self._lock:
            place.waits += 1
            if place.waits == 1:
                self._computing.discard(place)
                self._fill_places()

    def end_wait(self, place: Place) -> None:
        """Note that a script goes on; at once, even if all places are taken."""
        with self._lock:
            place.waits -= 1
            if not place.waits:
                self._computing.add(place)

    def _serve(self, worker: Worker) -> None:
        """Work until there is nothing to do for a while."""
        while True:
            task, worker.task = worker.task, None
            if task is None:
                if not self._wait_for_task(worker):
                    return
                continue
            Context().run(task.work, task.place)
            with self._lock:
                self._end(task)
                if self._ready and len(self._computing) < self._places:
                    worker.task = self._taken()
                else:
                    self._idle.append(worker)
                    self._keep_reserve()  # of the same shell one may be ready, and no place free
            del task  # and what it holds, such as a shell

    def _wait_for_task(self, worker: Worker) -> bool:
        """Wait until this worker gets a task; False if it ends without one."""
        if worker.wake.acquire(timeout=IDLE_SECONDS):
            return True
        with self._lock:
            if worker not in self._idle:
                return True  # it gets one at this moment
            self._idle.remove(worker)
            self.workers -= 1
            return False

    def _watch_queue(self, worker: Worker) -> None:
        """Wait as the reserve, until nothing moves or nothing is left; then serve."""
        while worker.task is None:
            worker.wake.acquire(timeout=PATIENCE_SECONDS)  # which nobody releases
            with self._lock:
                if not self._ready:
                    self._has_reserve = False
                    self._idle.append(worker)
                    break
                if monotonic() - self._moved_at >= PATIENCE_SECONDS:
                    self._has_reserve = False
                    worker.task = self._taken()
                    self._keep_reserve()
        self._serve(worker)

    # ------------------------------------------------------------ with the lock held

    def _fill_places(self) -> None:
        """Begin what is ready, as far as there are places and threads."""
        while self._ready and len(self._computing) < self._places:
            if not self._idle and self.workers >= MAX_WORKERS:
                return
            try:
                self._begin(self._ready[0])
            except RuntimeError:
                return  # a worker takes it when it has time
            self._ready.popleft()
        self._keep_reserve()

    def _keep_reserve(self) -> None:
        """See to it that somebody looks whether the queue moves."""
        if self._has_reserve or not self._ready or self.workers >= MAX_WORKERS:
            return
        try:
            start_new_thread(self._watch_queue, (Worker(None),))
        except RuntimeError:
            return
        self._has_reserve = True
        self.workers += 1

    def _begin(self, task: PooledWork) -> None:
        """Give a task to a worker; RuntimeError if the machine has no thread."""
        if self._idle:
            worker = self._idle.pop()
            worker.task = task
            if worker.wake.locked():  # or it is woken already: it has taken a task without a wait
                worker.wake.release()
        else:
            start_new_thread(self._serve, (Worker(task),))
            self.workers += 1
        self._note_begin(task)

    def _taken(self) -> PooledWork:
        """Return the first task that is ready; the caller works on it."""
        task = self._ready.popleft()
        self._note_begin(task)
        return task

    def _note_begin(self, task: PooledWork) -> None:
        task.has_begun = True
        self._computing.add(task.place)
        self._moved_at = monotonic()

    def _end(self, task: PooledWork) -> None:
        """Note that a task has ended; the next one of its owner is ready then."""
        self._moved_at = monotonic()
        self._computing.discard(task.place)
        if task.owner is not None and not task.is_urgent:
            self._leave_queue(task)

    def _forget(self, task: PooledWork) -> bool:
        """Drop a task that has not begun."""
        if task in self._ready:
            self._ready.remove(task)
        if task.owner is not None:
            self._leave_queue(task)
        return True

    def _leave_queue(self, task: PooledWork) -> None:
        queue = self._queues[task.owner]
        is_first = queue[0] is task
        queue.remove(task)
        if not queue:
            del self._queues[task.owner]
        elif is_first:
            self._ready.append(queue[0])


POOL = WorkerPool()
os.register_at_fork(after_in_child=POOL.begin_process)
