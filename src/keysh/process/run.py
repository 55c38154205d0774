"""Running: start a process and, for `run` and `arun`, attend it until it is over."""

from __future__ import annotations

from time import monotonic

from keysh.process.loop import PollLoop
from keysh.process.process import Process
from keysh.process.result import NotStarted, ProcessResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.spec import ProcessSpec


def start(
    spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
) -> Process:
    """A running process, to be used in a `with`; NotStarted where there is none.

    When `cancel`, a descriptor, is readable, or the monotonic clock is at `deadline`, its tree is
    killed. One that reads the output of another shares that one's loop, and so its `cancel`.
    """
    upstream = spec.stdin
    loop = upstream.loop if isinstance(upstream, Process) else PollLoop(cancel)
    return Process(spec, loop, deadline)


def run(
    spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
) -> ProcessResult:
    """A process from its start to its end. Only what a callback or an iterator raises is raised."""
    refuse_background(spec)
    try:
        process = start(spec, cancel=cancel, deadline=deadline)
    except NotStarted as error:
        return ProcessResult(spec.argv).record_failure(error)
    with process:
        return process.wait()


async def arun(
    spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
) -> ProcessResult:
    """The same on an event loop, which is not held up and starts no thread, on Linux.

    Cancelling the task kills the tree first. Callbacks and iterators run on the event loop.
    """
    refuse_background(spec)
    import asyncio  # noqa: PLC0415 - the caller has it
    import select  # noqa: PLC0415 - with it

    if not hasattr(select, "epoll"):
        return await asyncio.to_thread(run, spec, cancel=cancel, deadline=deadline)
    with select.epoll() as poller:
        try:
            process = Process(spec, PollLoop(cancel, poller), deadline)
        except NotStarted as error:
            return ProcessResult(spec.argv).record_failure(error)
        with process:
            return await attend_async(process, poller.fileno())


async def attend_async(process: Process, fd: int) -> ProcessResult:
    """Turn a process's loop whenever its poller, by its descriptor, or its time says so."""
    import asyncio  # noqa: PLC0415 - as in arun

    events = asyncio.get_running_loop()
    cancelled: asyncio.CancelledError | None = None
    while process.result is None:
        woken = asyncio.Event()
        events.add_reader(fd, woken.set)
        due = process.loop.due()
        timer = None if due is None else events.call_later(max(0, due - monotonic()), woken.set)
        try:
            await woken.wait()
        except asyncio.CancelledError as error:
            cancelled = error
            process.stop("cancelled")
        finally:
            events.remove_reader(fd)
            if timer is not None:
                timer.cancel()
        process.loop.turn_at_once()
    if cancelled is not None:
        raise cancelled
    return process.result


def refuse_background(spec: ProcessSpec) -> None:
    """ValueError where the process would be left with nobody to attend it."""
    if spec.on_timeout == "background" and spec.timeout is not None:
        raise ValueError("a process that outlives its timeout needs a keeper: Keeper.run")
