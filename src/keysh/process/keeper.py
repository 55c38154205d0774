"""The keeper: one thread that attends all processes that nothing waits for."""

from __future__ import annotations

import errno
import select
from threading import Event, Lock, Thread, current_thread
from time import monotonic

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.loop import PollLoop
from keysh.process.process_run import run, start
from keysh.process.result import NotStarted, ProcessResult
from keysh.process.spec import STREAM
from keysh.process.streams.capture import take_both
from keysh.process.wakeup import Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.process.process import Process
    from keysh.process.spec import ProcessSpec


class Keeper(Uncopied):
    """A thread that starts with the first process and ends with the last.

    Only the thread touches a kept process. Other threads hand it a task and wait until it is done.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._wake = Flag()
        self._loop = PollLoop()
        self._loop.watch(self._wake.fd, lambda _: self._wake.clear())
        self._tasks: list[KeeperTask] = []
        self._processes: list[BackgroundProcess] = []
        self._thread: Thread | None = None
        # The same thread, which may still be ending when `_thread` is None.
        self._last_thread: Thread | None = None

    def keep(self, process: Process) -> BackgroundProcess:
        """Attend a process from now on; use it through the object returned.

        NotStarted if the machine has no thread for that; the process is still the caller's. The
        `cancel` that it was started with has no effect here. ValueError if its output is streamed,
        since nothing would read it.
        """
        if process.spec.stdout is STREAM:
            raise ValueError("a process in the background cannot stream its output")
        background = BackgroundProcess(self, process)

        def take() -> None:
            process.move(self._loop)
            self._processes.append(background)

        self.do_on_thread(take, starts=True)
        return background

    def run(
        self, spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
    ) -> ProcessResult | BackgroundProcess:
        """Run a process; with `on_timeout="background"` keep it when its timeout expires."""
        if spec.timeout is None or spec.on_timeout == "kill":
            return run(spec, cancel=cancel, deadline=deadline)
        until = monotonic() + spec.timeout / 1000
        try:
            process = start(spec, cancel=cancel, deadline=deadline)
        except NotStarted as error:
            return ProcessResult(spec.argv).record_failure(error)
        try:
            result = process.wait_until(until)
            return self.keep(process) if result is None else result
        except NotStarted as error:
            process.__exit__()
            return process.result_so_far().record_failure(error)
        except BaseException:
            process.__exit__()
            raise

    def do_on_thread(self, act: Callable[[], None], starts: bool = False) -> None:
        """Perform an action on the thread, between two turns of its loop, and wait for it."""
        if current_thread() is self._thread:  # called from a callback
            act()
            return
        with self._lock:
            if self._thread is None and not starts:
                act()
                return
            task = KeeperTask(act)
            if self._thread is None:
                thread = Thread(target=self._attend, name="keysh-keeper", daemon=True)
                self._tasks.append(task)
                try:
                    thread.start()  # it waits for the lock
                except RuntimeError:
                    self._tasks.remove(task)
                    raise NotStarted("resources", errno.EAGAIN, "keysh-keeper") from None
                self._thread = self._last_thread = thread
            else:
                self._tasks.append(task)
        self._wake.set()
        task.wait()

    def close(self) -> None:
        """Kill all kept processes and wait until they are dead."""

        def stop_all() -> None:
            for background in self._processes:
                try:
                    background.process.stop()
                except Exception as error:  # noqa: BLE001 - of its input, which nobody reads
                    background.error = error

        self.do_on_thread(stop_all)
        with self._lock:
            last, self._last_thread = self._last_thread, None
        if last is not None:
            last.join()
        self._loop.forget(self._wake.fd)
        self._wake.close()

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _attend(self) -> None:
        while True:
            with self._lock:
                tasks, self._tasks = self._tasks, []
                if not tasks and not self._processes:
                    self._thread = None
                    return
            for task in tasks:
                task.perform()
            try:
                self._loop.turn(None if self._processes else monotonic())
            except BaseException as error:  # noqa: BLE001 - of a callback; all wait for this thread
                self._stop_callbacks(error)
            for background in [
                background
                for background in self._processes
                if background.process.result is not None
            ]:
                self._processes.remove(background)
                background.wake_waiters()

    def _stop_callbacks(self, error: BaseException) -> None:
        """Stop all processes with callbacks: one failed, and the loop does not know whose."""
        for background in self._processes:
            if callable(background.process.spec.stdout) or callable(background.process.spec.stderr):
                background.error = error
                background.process.stop()


class KeeperTask:
    """An action for the thread to perform."""

    __slots__ = ("_act", "_done", "_error")

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._done = Event()
        self._error: BaseException | None = None

    def perform(self) -> None:
        try:
            self._act()
        except BaseException as error:  # noqa: BLE001 - raised where the task came from
            self._error = error
        self._done.set()

    def wait(self) -> None:
        self._done.wait()
        if self._error is not None:
            raise self._error


class BackgroundProcess(Uncopied):
    """A process that a keeper attends; any thread may use it."""

    __slots__ = ("_keeper", "_waiting_flags", "error", "process")

    def __init__(self, keeper: Keeper, process: Process) -> None:
        self._keeper, self.process = keeper, process
        self.error: BaseException | None = None  # raised by a callback
        self._waiting_flags: list[Flag] = []

    @property
    def is_running(self) -> bool:
        return self.process.result is None

    @property
    def result(self) -> ProcessResult | None:
        """How it ended; None while it runs."""
        return self.process.result

    def read(self) -> tuple[bytes, bytes, int]:
        """Its stdout and stderr since the last call, and how many bytes of them were dropped."""
        taken: list[tuple[bytes, bytes, int]] = []
        self._keeper.do_on_thread(lambda: taken.append(take_both(*self.process.captured)))
        return taken[0]

    def send(self, data: bytes) -> bool:
        """Write to its standard input, as Process.send."""
        answer: list[bool] = []
        self._keeper.do_on_thread(lambda: answer.append(self.process.send(data)))
        return answer[0]

    def finish_input(self) -> None:
        """Close its standard input, as Process.finish_input."""
        self._keeper.do_on_thread(self.process.finish_input)

    def signal(self, number: int) -> None:
        """Signal its group, as Process.signal."""
        self._keeper.do_on_thread(lambda: self.process.signal(number))

    def kill(self) -> ProcessResult:
        """Kill its tree and wait until it is dead; if it has ended, kill what it has left."""
        self._keeper.do_on_thread(self.process.stop)
        while (result := self.wait()) is None:
            pass
        self.process.end_left()
        return result

    def wait(self, until: float | None = None, cancel: int | None = None) -> ProcessResult | None:
        """Wait until it is over; None if `until` or a readable `cancel` comes first."""
        with Flag() as flag:
            self._keeper.do_on_thread(lambda: self._waiting_flags.append(flag))
            try:
                poll = select.poll()
                for fd in (flag.fd, cancel):
                    if fd is not None:
                        poll.register(fd, select.POLLIN)
                if self.process.result is None:
                    poll.poll(None if until is None else max(0.0, until - monotonic()) * 1000)
            finally:
                self._keeper.do_on_thread(lambda: self._waiting_flags.remove(flag))
        return self.process.result

    def wake_waiters(self) -> None:
        """Wake all threads that wait; called by the keeper."""
        for flag in self._waiting_flags:
            flag.set()
