"""Running: scripts beside their host: awaited, streamed, or started and looked after later."""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread

from keysh.interp.run.limits import Cancel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncIterator, Callable
    from typing import Any, TypeAlias

    from keysh.shell.result import Result

    Run: TypeAlias = Callable[..., Result]

WAITING = 64  # pieces of output that wait for the one who reads a stream


class Job:
    """A script that runs on a thread of its own."""

    __slots__ = ("_cancel", "_ended", "_error", "_result", "output")

    def __init__(self, run: Run, text: str, options: dict[str, Any]) -> None:
        self._cancel = options.pop("cancel", None) or Cancel()
        self._ended = allocate_lock()
        self._ended.acquire()
        self._result: Result | None = None
        self._error: BaseException | None = None
        self.output: list[tuple[str, str]] = []  # what has been printed so far: stream, text
        told = options.pop("on_output", None)

        def keep(stream: str, text: str) -> None:
            self.output.append((stream, text))
            if told is not None:
                told(stream, text)

        def work() -> None:
            try:
                self._result = run(text, cancel=self._cancel, on_output=keep, **options)
            except BaseException as error:  # noqa: BLE001 - raised where the job is waited for
                self._error = error
            finally:
                self._ended.release()

        start_new_thread(work, ())

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""
        # Not by the lock, which those who wait take for a moment too.
        return self._result is not None or self._error is not None

    def cancel(self) -> None:
        """End it: its status is 130 then."""
        self._cancel.cancel()

    def wait(self, timeout: float | None = None) -> Result:
        """Wait until it ends; TimeoutError where that takes longer than so many seconds."""
        if self._ended.acquire(timeout=-1 if timeout is None else timeout):
            self._ended.release()
        elif not self.is_done:
            raise TimeoutError(f"the script has not ended after {timeout} seconds")
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def __repr__(self) -> str:
        return f"<Job {'done' if self.is_done else 'running'}>"


async def awaited(run: Callable[[AbstractEventLoop, Cancel], Result]) -> Result:
    """Run a script on a thread while the loop goes on. To cancel the task cancels the script."""
    from asyncio import CancelledError, get_running_loop, shield  # noqa: PLC0415 - 40 ms

    loop = get_running_loop()
    done = loop.create_future()
    cancel = Cancel()

    def finish(result: Result | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)

    def work() -> None:
        result, error = None, None
        try:
            result = run(loop, cancel)
        except BaseException as raised:  # noqa: BLE001 - raised where it is awaited
            error = raised
        loop.call_soon_threadsafe(finish, result, error)

    start_new_thread(work, ())
    try:
        result: Result = await shield(done)
    except CancelledError:
        cancel.cancel()
        await done  # what it changes it changes before the task ends
        raise
    return result


async def streamed(run: Callable[..., Any]) -> AsyncIterator[tuple[str, Any]]:
    """The output of a script as it comes, `("stdout", text)`, and `("end", result)` last.

    Who reads slowly slows the script down; who stops reading cancels it.
    """
    from asyncio import Queue, create_task, get_running_loop, run_coroutine_threadsafe  # noqa: PLC0415

    loop = get_running_loop()
    queue: Queue[tuple[str, Any]] = Queue(WAITING)

    def tell(stream: str, text: str) -> None:
        run_coroutine_threadsafe(queue.put((stream, text)), loop).result()

    async def finish() -> None:
        try:
            result = await run(on_output=tell)
        except BaseException as error:  # noqa: BLE001 - raised where the stream is read
            await queue.put(("error", error))
        else:
            await queue.put(("end", result))

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
                await drained(queue, task)


async def drained(queue: Any, task: Any) -> None:
    """Let a script that is cancelled put what it still has, and end."""
    from asyncio import FIRST_COMPLETED, create_task, wait  # noqa: PLC0415 - as above

    getting = create_task(queue.get())
    await wait([getting, task], return_when=FIRST_COMPLETED)
    getting.cancel()
