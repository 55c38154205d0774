"""Running: `start` a process; `run` and `arun` also attend it until it is over."""

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
    """Start a process, to be used in a `with` block; NotStarted if that fails.

    When the descriptor `cancel` is readable or the monotonic clock reaches `deadline`, its tree is
    killed. A process that reads another one's output shares its loop, and so its `cancel`.
    """
    return Process(spec, loop_for(spec, cancel), deadline)


def run(
    spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
) -> ProcessResult:
    """Run a process to its end. Only exceptions of callbacks and iterators are raised."""
    refuse_background(spec)
    try:
        process = Process(spec, loop_for(spec, cancel), deadline, may_be_stopped=cancel is not None)
    except NotStarted as error:
        return ProcessResult(spec.argv).record_failure(error)
    with process:
        return process.wait()


def loop_for(spec: ProcessSpec, cancel: int | None) -> PollLoop:
    """The loop of the process whose output is read, or a new one."""
    upstream = spec.stdin
    return upstream.loop if isinstance(upstream, Process) else PollLoop(cancel)


async def arun(
    spec: ProcessSpec, *, cancel: int | None = None, deadline: float | None = None
) -> ProcessResult:
    """The same on an event loop, which is not blocked; on Linux no thread is started.

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
    """Turn a process's loop whenever its poller has events or its time has come."""
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
    """ValueError for a process that would be left unattended after its timeout."""
    if spec.on_timeout == "background" and spec.timeout is not None:
        raise ValueError("a process that outlives its timeout needs a keeper: Keeper.run")
