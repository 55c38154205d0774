"""Run scripts concurrently with the host: awaited, streamed, or started as jobs."""

from __future__ import annotations

from _thread import TIMEOUT_MAX, allocate_lock, start_new_thread
from contextlib import suppress
from os import getpid
from time import monotonic

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.budget import YIELD_SECONDS
from keysh.interp.run.cancel import Cancel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncGenerator, Callable
    from typing import Any, NoReturn, TypeAlias, TypeVar

    from keysh.interp.run.budget import Budget
    from keysh.interp.run.worker_pool import Place
    from keysh.shell.run_result import Result

    Run: TypeAlias = Callable[..., Result]
    Piece = TypeVar("Piece")

MAX_QUEUED_PIECES = 64  # pieces of output that wait for the reader of a stream


class Job:
    """A script that runs on its own thread.

    output  what was printed so far: pairs of "stdout" or "stderr" and a piece of text
    """

    __module__ = "keysh"
    __slots__ = ("_cancel", "_end_lock", "_error", "_process", "_result", "output")

    def __init__(self, run: Run, text: str, options: dict[str, Any]) -> None:
        self._process = getpid()
        self._cancel = options.pop("cancel", None) or Cancel()
        self._end_lock = allocate_lock()
        self._end_lock.acquire()
        self._result: Result | None = None
        self._error: BaseException | None = None
        self.output: list[tuple[str, str]] = []
        host_callback = options.pop("on_output", None)

        def keep(stream: str, text: str) -> None:
            self.output.append((stream, text))
            if host_callback is not None:
                host_callback(stream, text)

        def work() -> None:
            try:
                self._result = run(text, cancel=self._cancel, on_output=keep, **options)
            except BaseException as error:  # noqa: BLE001 - raised by `wait`
                self._error = error
            finally:
                self._open_lock()

        try:
            start_new_thread(work, ())
        except RuntimeError:
            self._result = result_without_thread()
            self._open_lock()

    @property
    def is_done(self) -> bool:
        """Whether the script has ended."""
        # The lock cannot tell: a thread that waits also holds it for a moment.
        return self._result is not None or self._error is not None

    def cancel(self) -> None:
        """Cancel the script; its status is then 130."""
        self._cancel.cancel()

    def wait(self, timeout: float | None = None) -> Result:
        """Wait for the end and return the result; raise TimeoutError after `timeout` seconds."""
        if timeout is not None:
            from keysh.shell.run_options import refuse_seconds  # noqa: PLC0415 - many wait to the end

            refuse_seconds("timeout", timeout)
            timeout = min(timeout, TIMEOUT_MAX)
        if self._process != getpid() and not self.is_done:
            raise KeyshError("the script runs in the process that forked this one")
        try:
            self._end_lock.acquire(timeout=-1 if timeout is None else timeout)
        finally:
            if self.is_done:
                self._open_lock()  # for others that wait, also where an interrupt has come
        if not self.is_done:
            raise TimeoutError(f"the script has not ended after {timeout} seconds")
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def _open_lock(self) -> None:
        with suppress(RuntimeError):  # it is open
            self._end_lock.release()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a Job runs in its process, and is not copied or pickled; its result is")

    def __repr__(self) -> str:
        return f"<Job {'done' if self.is_done else 'running'}>"


def result_without_thread() -> Result:
    """Return the result of a script that cannot run, because the machine has no thread for it."""
    from keysh.interp.run.control_flow import STATUS_OVER_LIMIT, LimitReached  # noqa: PLC0415 - rare
    from keysh.shell.run_result import ReachedLimit, Result  # noqa: PLC0415 - rare

    limit = LimitReached("threads", "the machine has no more of them", None)
    messages = [f"keysh: {limit.message}\n"]
    return Result(STATUS_OVER_LIMIT, [], messages, 0.0, ReachedLimit(limit))


class AwaitedCancel(Cancel):
    """Cancels what an event loop awaits, which has a place of the pool while it computes."""

    __slots__ = ("place",)

    def __init__(self) -> None:
        super().__init__()
        self.place: Place | None = None

    def begin(self, budget: Budget) -> None:
        budget.place, budget.yields_at = self.place, monotonic() + YIELD_SECONDS
        super().begin(budget)


async def await_run(
    run: Callable[[AbstractEventLoop, Cancel], Result],
    owner: object = None,
    *,
    is_urgent: bool = False,
) -> Result:
    """Run a script on a thread while the event loop goes on; those of one owner one by one.

    Cancelling the task cancels the script. `is_urgent`: another script waits for this one.
    """
    from asyncio import CancelledError, get_running_loop, shield  # noqa: PLC0415 - 40 ms
    from contextvars import copy_context  # noqa: PLC0415 - as above

    from keysh.interp.run.worker_pool import POOL  # noqa: PLC0415 - only for event loops

    loop = get_running_loop()
    done = loop.create_future()
    cancel, context = AwaitedCancel(), copy_context()  # what the task has set, functions see

    def finish(result: Result | None, error: BaseException | None) -> None:
        if not done.cancelled():
            # As values: asyncio refuses a StopIteration, and looks at exceptions of the host.
            done.set_result((result, error))

    def work(place: Place) -> None:
        result, error = None, None
        cancel.place = place
        try:
            result = context.run(run, loop, cancel)
        except BaseException as raised:  # noqa: BLE001 - raised in the task that awaits
            error = raised
        with suppress(RuntimeError):  # nobody awaits it: the loop is closed
            loop.call_soon_threadsafe(finish, result, error)

    try:
        task = POOL.submit(work, owner, is_urgent=is_urgent)
    except RuntimeError:
        return result_without_thread()
    try:
        result, error = await shield(done)
    except CancelledError:
        cancel.cancel()
        if not POOL.withdraw(task):
            await done  # the script makes no change after the task has ended
        raise
    if error is not None:
        raise error
    ended: Result = result
    return ended


async def stream_run(
    run: Callable[..., Any], piece_of: Callable[[str, Any], Piece]
) -> AsyncGenerator[Piece, None]:
    """Yield the output of a script as it comes: `piece_of("stdout", text)`, then of "end".

    A slow reader slows the script down; a reader that stops cancels it.
    """
    from asyncio import Queue, create_task, get_running_loop, run_coroutine_threadsafe  # noqa: PLC0415

    loop = get_running_loop()
    queue: Queue[Any] = Queue(MAX_QUEUED_PIECES)

    def send(stream: str, text: str) -> None:
        run_coroutine_threadsafe(queue.put(piece_of(stream, text)), loop).result()

    async def finish() -> None:
        try:
            result = await run(on_output=send)
        except BaseException as error:  # noqa: BLE001 - raised in the reader
            await queue.put(("error", error))
        else:
            await queue.put(piece_of("end", result))

    task = create_task(finish())
    try:
        while True:
            event = await queue.get()
            if event[0] == "error":
                raise event[1]
            yield event
            if event[0] == "end":
                return
    finally:
        if not task.done():
            task.cancel()
            while not queue.empty():
                queue.get_nowait()
            while not task.done():
                await drain_queue(queue, task)


async def drain_queue(queue: Any, task: Any) -> None:
    """Make room in the queue until a cancelled script has written its last output and ended."""
    from asyncio import FIRST_COMPLETED, create_task, wait  # noqa: PLC0415 - 40 ms

    getting = create_task(queue.get())
    await wait([getting, task], return_when=FIRST_COMPLETED)
    getting.cancel()
