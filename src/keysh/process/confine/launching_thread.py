"""A thread that is confined by the kernel, and starts programs, which inherit that.

    any thread ── call(start) ──> launching thread ── vfork ──> program
        <── the process, or the exception ──   no_new_privs, Landlock, seccomp: both

What a thread has given up it never gets back, so it does nothing else. Collections of garbage wait
meanwhile: they would call finalizers of the host where files of the host are closed.
"""

from __future__ import annotations

import gc
import os
from _thread import allocate_lock
from queue import SimpleQueue
from threading import Thread
from weakref import finalize

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.confine.confinement import confinement_refusal
from keysh.process.confine.kernel import Kernel
from keysh.process.confine.thread_restriction import ThreadRestriction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from keysh.process.confine.confinement import Confinement

    T = TypeVar("T")

# A signal that arrives just before a wait begins is handled by Python only after it.
MAX_WAIT_SECONDS = 0.25
MAX_LAUNCHING_THREADS = 4  # of one policy; the one that was used least recently ends


class LaunchingThread(Uncopied):
    """One confined thread. It ends with `close`, or when it has no owner any more."""

    __slots__ = ("__weakref__", "_lock", "_tasks", "close", "pid")

    def __init__(self, confinement: Confinement, kernel: Kernel) -> None:
        """OSError or NotStarted if the kernel does not confine it."""
        self._lock = allocate_lock()
        self.pid = os.getpid()
        tasks: SimpleQueue[ConfinedTask | None] = SimpleQueue()
        self._tasks = tasks
        with ThreadRestriction(confinement, kernel) as restriction:
            thread = Thread(target=perform_tasks, args=(tasks,), name="keysh-confined", daemon=True)
            try:
                thread.start()
            except RuntimeError as error:  # the machine has no thread for that
                raise confinement_refusal("keysh-confined", str(error)) from None
            # It ends with the last reference, and is left alone when the interpreter exits.
            self.close = finalize(self, tasks.put, None)
            self.close.atexit = False
            self.call(restriction.apply)

    def call(self, act: Callable[[], T], undo: Callable[[T], object] | None = None) -> T:
        """Call a function on the thread; return what it returns or raise what it raises.

        `undo` is called with what it returns if an exception, such as that of Ctrl-C, ends the wait
        for it.
        """
        task = ConfinedTask(act)
        with self._lock:
            self._tasks.put(task)
            try:
                while not task.done.acquire(timeout=MAX_WAIT_SECONDS):
                    pass
            except BaseException:
                task.done.acquire()
                if undo is not None and task.error is None:
                    undo(task.result)  # type: ignore[arg-type]
                raise
        if task.error is not None:
            try:
                raise task.error
            finally:
                task.error = None  # it refers to this frame
        return task.result  # type: ignore[return-value]


class ConfinedTask:
    """A function for the thread to call."""

    __slots__ = ("act", "done", "error", "result")

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act
        self.done = allocate_lock()
        self.done.acquire()
        self.error: BaseException | None = None
        self.result: object = None


def perform_tasks(tasks: SimpleQueue[ConfinedTask | None]) -> None:
    """Call what comes; None ends the thread."""
    while (task := tasks.get()) is not None:
        is_collecting = gc.isenabled()
        gc.disable()
        try:
            task.result = task.act()
        except BaseException as error:  # noqa: BLE001 - raised where the task came from
            task.error = error
        finally:
            if is_collecting:
                gc.enable()
            done, task = task.done, None
            done.release()


class LaunchingThreads(Uncopied):
    """The launching threads of a policy, one for each confinement that its programs have."""

    __slots__ = ("_lock", "_threads")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._threads: dict[object, LaunchingThread] = {}

    def thread(self, confinement: Confinement, kernel: Kernel) -> LaunchingThread:
        """A thread that is confined so; NotStarted if the kernel does not do that."""
        key = confinement.key(), kernel.landlock_abi, kernel.has_seccomp
        with self._lock:
            thread = self._threads.pop(key, None)
            if thread is None or thread.pid != os.getpid():  # a fork of the host has no threads
                try:
                    thread = LaunchingThread(confinement, kernel)
                except OSError as error:
                    reason = f"the kernel refuses: {error.strerror}"
                    raise confinement_refusal("confine", reason) from None
            self._threads[key] = thread
            if len(self._threads) > MAX_LAUNCHING_THREADS:
                del self._threads[next(iter(self._threads))]
        return thread
