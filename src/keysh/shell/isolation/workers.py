"""Workers: the processes in which isolated shells run, and which session gets which.

    sessions that wait   ──▶ in order ──▶  a worker that holds this session's shell
                                           one that holds none
    each has at most one run that waits,   a new one, as far as allowed
    so the order is fair to all            the one that was idle longest: its shell goes
                                           into an image, and this session's comes in

A worker holds the shell of one session at a time. Another session's state is never in it.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections import deque
from threading import Lock
from time import monotonic
from weakref import finalize, ref

from keysh.diagnostics.uncopied import Uncopied
from keysh.shell.isolation.worker_process import WorkerProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any

    from keysh.shell.isolation.session_state import SessionState

DEFAULT_MEMORY_BYTES = 1 << 30  # of address space: the interpreter takes 60 MB of it
MIN_MEMORY_BYTES = 128 << 20
DEFAULT_RECYCLE_RUNS = 10_000
IDLE_SECONDS = 60.0
OPEN_FILES = 64
WATCH_SLICE_SECONDS = 5.0  # between two looks whether the pool is still there
WAIT_SLICE_SECONDS = 0.05  # between two looks whether a run that waits is cancelled


class WorkerWait:
    """A session that waits for a worker."""

    __slots__ = ("lock", "session", "worker")

    def __init__(self, session: SessionState) -> None:
        self.session = session
        self.worker: WorkerProcess | None = None
        self.lock = Lock()
        self.lock.acquire()


class Workers(Uncopied):
    """Worker processes: at most `workers`, started when they are needed, each replaced at its end.

    workers  the most processes at a time
    memory   bytes of address space of each, held by the kernel
    cpu      seconds that a run may compute, held by the kernel; by default the time of a run
    recycle  runs after which a worker is replaced by a new one
    warm     how many are started in advance, and kept when nothing is to do
    """

    def __init__(
        self, workers: int = 1, *, memory: int = DEFAULT_MEMORY_BYTES, cpu: int | None = None,
        recycle: int = DEFAULT_RECYCLE_RUNS, warm: int = 1,
    ) -> None:  # fmt: skip
        for name, value, least in (
            ("workers", workers, 1), ("memory", memory, MIN_MEMORY_BYTES), ("cpu", cpu, 1),
            ("recycle", recycle, 1), ("warm", warm, 0),
        ):  # fmt: skip
            if value is None:
                continue
            if value.__class__ is not int:
                raise TypeError(f"{name} must be a whole number, but is {value!r:.60}")
            if value < least:
                raise ValueError(f"{name} must be at least {least}, but is {value}")
        self._most, self._memory, self._cpu = workers, memory, cpu or 0
        self._recycle, self._warm = recycle, min(warm, workers)
        self._lock = Lock()
        self._idle: list[WorkerProcess] = []  # the one that was used last is the last
        self._waits: deque[WorkerWait] = deque()
        self._alive: set[WorkerProcess] = set()
        self._is_watched = False  # whether a thread waits until idle workers are old
        self._end_of_watch = Lock()
        self._is_closed, self._owner = False, os.getpid()
        finalize(self, end_all, self._alive)
        self._counts = dict.fromkeys(("started", "died", "recycled", "runs", "moves"), 0)
        with self._lock:
            self._prewarm()

    # ------------------------------------------------------------ for sessions

    def acquire(
        self, session: SessionState, ends_at: float | None, check: Callable[[], None]
    ) -> WorkerProcess:
        """Return a worker for one session alone, until it is released.

        Wait for it in turn; `check` raises if that shall end, and TimeoutError ends it in time. If
        the shell of another session is in the worker, `worker.live.image_lock` is held.
        """
        with self._lock:
            self._refuse_closed()
            worker = None if self._waits else self._take(session)
            if worker is not None:
                return worker
            wait = WorkerWait(session)
            self._waits.append(wait)
        try:
            while not wait.lock.acquire(timeout=WAIT_SLICE_SECONDS):
                check()
                if ends_at is not None and monotonic() > ends_at:
                    raise TimeoutError
        except BaseException:
            with self._lock:
                if wait in self._waits:
                    self._waits.remove(wait)
                elif wait.worker is not None:
                    live = wait.worker.live
                    if live is not None and live is not session:
                        live.image_lock.release()  # which was taken for this session
                    self._give_back(wait.worker)
            raise
        if wait.worker is None:
            self._refuse_closed()
            raise OSError("no worker can be started")
        return wait.worker

    def release(self, worker: WorkerProcess, *, is_lost: bool) -> None:
        """Take a worker back; one that is lost, or has done its runs, is replaced."""
        with self._lock:
            if is_lost or self._is_closed:
                self._counts["died"] += is_lost
                self._discard(worker)
                self._replace()
                return
            if worker.runs < self._recycle:
                self._give_back(worker)
                return
            self._counts["recycled"] += 1
            session = self._lock_session(worker)
        self._retire(worker, session)

    def _retire(self, worker: WorkerProcess, session: SessionState | None) -> None:
        """End a worker that nobody uses; the session that is in it goes into its image."""
        if session is not None:
            session.leave(worker)
        with self._lock:
            self._discard(worker)
            self._replace()

    def retire_idle(self) -> float | None:
        """End the workers that were idle for long; return when the next one will be, in seconds.

        None if no worker is idle that may end.
        """
        while True:
            with self._lock:
                oldest = self._idle[0] if self._idle else None
                if oldest is None or len(self._alive) <= self._warm or self._is_closed:
                    self._is_watched = False
                    return None
                left = oldest.released_at + IDLE_SECONDS - monotonic()
                if left > 0:
                    return left
                del self._idle[0]
                session = self._lock_session(oldest)
            self._retire(oldest, session)

    def forget(self, session: SessionState) -> None:
        """End the shell of a session that nobody can use any more."""
        with self._lock:
            for worker in self._idle:
                if worker.live is session:
                    worker.live = None
                    self._idle.remove(worker)
                    break
            else:
                return
        is_lost = not session.end_in(worker)
        with self._lock:
            if is_lost:
                self._discard(worker)
                self._replace()
            else:
                self._give_back(worker)

    def count(self, name: str) -> None:
        """Count a run, or a shell that was taken into an image for another one."""
        with self._lock:
            self._counts[name] += 1

    # ------------------------------------------------------------ for hosts

    def metrics(self) -> dict[str, int]:
        """Return how many workers there are, idle, and of sessions that wait; and counts so far."""
        with self._lock:
            return {
                "workers": len(self._alive), "idle": len(self._idle), "waiting": len(self._waits),
                **self._counts,
            }  # fmt: skip

    def close(self) -> None:
        """End all workers. Runs in progress end with the limit `worker`."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._is_closed = True
            if self._is_watched:
                self._is_watched = False
                self._end_of_watch.release()
            for worker in self._idle:
                self._discard(worker)
            self._idle.clear()
            for worker in self._alive:
                worker.stop()  # the thread that uses it sees that it is lost
            for wait in self._waits:
                wait.lock.release()
            self._waits.clear()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------ with the lock held

    def _refuse_closed(self) -> None:
        if self._is_closed:
            raise ValueError("the workers are closed")
        if os.getpid() != self._owner:
            raise ValueError("the workers belong to the process that has started them")

    def _take(self, session: SessionState) -> WorkerProcess | None:
        """Return the best worker for a session, if one is free or can be started."""
        idle = self._idle
        chosen = next((worker for worker in idle if worker.live is session), None)
        if chosen is None:
            chosen = next((worker for worker in idle if worker.live is None), None)
        if chosen is None and len(self._alive) < self._most:
            return self._start()
        if chosen is None and idle:
            chosen = idle[0]
        if chosen is not None:
            idle.remove(chosen)
            self._prepare(chosen, session)
        return chosen

    def _prepare(self, worker: WorkerProcess, session: SessionState) -> None:
        """Let the session that is in a worker wait until its image is there."""
        if worker.live is not session:
            self._lock_session(worker)

    def _lock_session(self, worker: WorkerProcess) -> SessionState | None:
        """Return the session that is in a worker, with its image lock held, if there is one."""
        live: SessionState | None = worker.live
        if live is not None:
            live.image_lock.acquire()  # free: nobody else has this worker
        return live

    def _give_back(self, worker: WorkerProcess) -> None:
        """Give a worker to the session that waits longest, or keep it."""
        if self._is_closed:
            self._discard(worker)
        elif self._waits:
            wait = self._waits.popleft()
            self._prepare(worker, wait.session)
            wait.worker = worker
            wait.lock.release()
        else:
            worker.released_at = monotonic()
            self._idle.append(worker)
            if len(self._alive) > self._warm and not self._is_watched:
                self._watch_idle()

    def _watch_idle(self) -> None:
        """Let a thread wait until idle workers are old, for as long as there are any."""
        self._end_of_watch = Lock()
        self._end_of_watch.acquire()
        try:
            start_new_thread(watch_idle, (ref(self), self._end_of_watch))
        except RuntimeError:
            return  # the next one that is given back tries again
        self._is_watched = True

    def _replace(self) -> None:
        """Start a worker in place of one that has ended, for a session or in advance."""
        while self._waits and len(self._alive) < self._most and not self._is_closed:
            wait = self._waits.popleft()
            try:
                wait.worker = self._start()
            except OSError:
                wait.worker = None  # the waiting thread reports it
            wait.lock.release()
        self._prewarm()

    def _prewarm(self) -> None:
        while len(self._alive) < self._warm and not self._is_closed:
            try:
                self._idle.insert(0, self._start())
            except OSError:
                return  # the next session that needs one reports it

    def _start(self) -> WorkerProcess:
        worker = WorkerProcess(self._memory, self._cpu, OPEN_FILES)
        worker.released_at = monotonic()
        self._alive.add(worker)
        self._counts["started"] += 1
        return worker

    def _discard(self, worker: WorkerProcess) -> None:
        worker.kill()
        self._alive.discard(worker)


def end_all(workers: set[WorkerProcess]) -> None:
    """End the processes of a pool that nobody has any more."""
    for worker in [*workers]:
        worker.kill()


def watch_idle(pool: Callable[[], Workers | None], end: LockType) -> None:
    """End idle workers when they are old, until the pool is closed or gone, or has none."""
    seconds: float | None = IDLE_SECONDS
    while seconds is not None and not end.acquire(timeout=min(seconds, WATCH_SLICE_SECONDS)):
        workers = pool()
        seconds = None if workers is None else workers.retire_idle()
        del workers
