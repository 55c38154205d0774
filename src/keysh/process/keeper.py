"""Keeper: one thread that attends all the processes which nobody waits for."""

from __future__ import annotations

import select
from threading import Event, Lock, Thread, current_thread
from time import monotonic

from keysh.process.loop import PollLoop
from keysh.process.result import NotStarted, ProcessResult
from keysh.process.run import run, start
from keysh.process.spec import STREAM
from keysh.process.wakeup import Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.process.process import Process
    from keysh.process.spec import ProcessSpec


class Keeper:
    """Its thread begins with the first process and ends with the last.

    Only the thread touches a kept process. Others leave an order and wait for it to be done.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._wake = Flag()
        self._loop = PollLoop()
        self._loop.watch(self._wake.fd, lambda _: self._wake.clear())
        self._tasks: list[KeeperTask] = []
        self._processes: list[BackgroundProcess] = []
        self._thread: Thread | None = None
        self._last_thread: Thread | None = (
            None  # the same, which may still be ending when that is None
        )

    def keep(self, process: Process) -> BackgroundProcess:
        """Attend a process from now on; it is used through what this returns.

        The `cancel` it was started with does not reach it here. ValueError where its output is
        streamed, for nobody would read it.
        """
        if process.spec.stdout is STREAM:
            raise ValueError("a process in the background cannot stream its output")
        kept = BackgroundProcess(self, process)

        def take() -> None:
            process.move(self._loop)
            self._processes.append(kept)

        self.do_on_thread(take, starts=True)
        return kept

    def run(
        self, spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
    ) -> ProcessResult | BackgroundProcess:
        """Run a process; with `on_timeout="background"` it is kept when its timeout has come."""
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
        except BaseException:
            process.__exit__()
            raise

    def do_on_thread(self, act: Callable[[], None], starts: bool = False) -> None:
        """Have something done while the thread does nothing else."""
        if current_thread() is self._thread:  # a callback
            act()
            return
        with self._lock:
            if self._thread is None and not starts:
                act()
                return
            order = KeeperTask(act)
            self._tasks.append(order)
            if self._thread is None:
                self._thread = Thread(target=self._attend, name="keysh-keeper", daemon=True)
                self._last_thread = self._thread
                self._thread.start()
        self._wake.set()
        order.wait()

    def close(self) -> None:
        """Kill what is kept, and wait until all of it is dead."""

        def stop_all() -> None:
            for kept in self._processes:
                try:
                    kept.process.stop()
                except Exception as error:  # noqa: BLE001 - of its input, which nobody reads
                    kept.error = error

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
                orders, self._tasks = self._tasks, []
                if not orders and not self._processes:
                    self._thread = None
                    return
            for order in orders:
                order.perform()
            try:
                self._loop.turn(None if self._processes else monotonic())
            except BaseException as error:  # noqa: BLE001 - of a callback; all wait for this thread
                self._stop_callbacks(error)
            for kept in [kept for kept in self._processes if kept.process.result is not None]:
                self._processes.remove(kept)
                kept.wake_waiters()

    def _stop_callbacks(self, error: BaseException) -> None:
        """A callback failed, and the loop does not say whose: all that have one are stopped."""
        for kept in self._processes:
            if callable(kept.process.spec.stdout) or callable(kept.process.spec.stderr):
                kept.error = error
                kept.process.stop()


class KeeperTask:
    """Something the thread is to do."""

    __slots__ = ("_act", "_done", "_error")

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._done = Event()
        self._error: BaseException | None = None

    def perform(self) -> None:
        try:
            self._act()
        except BaseException as error:  # noqa: BLE001 - raised where the order came from
            self._error = error
        self._done.set()

    def wait(self) -> None:
        self._done.wait()
        if self._error is not None:
            raise self._error


class BackgroundProcess:
    """A process that a keeper attends; any thread may use it."""

    __slots__ = ("_keeper", "_waiting_flags", "error", "process")

    def __init__(self, keeper: Keeper, process: Process) -> None:
        self._keeper, self.process = keeper, process
        self.error: BaseException | None = None  # of a callback
        self._waiting_flags: list[Flag] = []

    @property
    def is_running(self) -> bool:
        return self.process.result is None

    @property
    def result(self) -> ProcessResult | None:
        """How it ended; None while it runs."""
        return self.process.result

    def read(self) -> tuple[bytes, bytes]:
        """What it has put out, and said on stderr, since the last time; the middle may be cut."""
        taken: list[bytes] = []
        self._keeper.do_on_thread(
            lambda: taken.extend(capture.take() for capture in self.process.captured)
        )
        return taken[0], taken[1]

    def send(self, data: bytes) -> bool:
        """As of the process."""
        answer: list[bool] = []
        self._keeper.do_on_thread(lambda: answer.append(self.process.send(data)))
        return answer[0]

    def finish_input(self) -> None:
        """As of the process."""
        self._keeper.do_on_thread(self.process.finish_input)

    def signal(self, number: int) -> None:
        """As of the process."""
        self._keeper.do_on_thread(lambda: self.process.signal(number))

    def kill(self) -> ProcessResult:
        """Kill its tree, and wait until it is dead."""
        self._keeper.do_on_thread(self.process.stop)
        while (result := self.wait()) is None:
            pass
        return result

    def wait(self, until: float | None = None, cancel: int | None = None) -> ProcessResult | None:
        """Until it is over; None when a moment comes, or `cancel` is readable, before that."""
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
        """Wake whoever waits; the keeper calls it."""
        for flag in self._waiting_flags:
            flag.set()
