"""Process: a running process, and what can be done with it until it is over.

started ──> runs ──> has ended: pipes are drained ──> over: `result`
              └──> is stopped: its tree is killed ──────┘
"""

from __future__ import annotations

import os
from time import monotonic

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.launch import launch, remove_private_directory
from keysh.process.result import ProcessResult
from keysh.process.spec import STREAM
from keysh.process.streams.capture import HeadTailCapture
from keysh.process.streams.pipes import OutputPipe
from keysh.process.streams.stdin import StdinFeeder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.process.loop import PollLoop
    from keysh.process.spec import OutputTarget, ProcessSpec
    from keysh.process.tree.kill import Escalation
    from keysh.process.tree.process_limit import ProcessLimit
    from keysh.process.tree.process_tree import ProcessTree


class Process(Uncopied):
    """A started process. Leaving its `with` block stops it if it still runs.

    One thread at a time uses it. It makes progress only in `wait`, `output` and other calls that
    turn its loop: these read, write, check the time and kill.
    """

    __slots__ = (
        "_chunks", "_drained_at", "_escalation", "_exit", "_feeder", "_limit",
        "_output_pipes", "_started", "_stop_reason", "_stream", "_tag", "_tree", "captured",
        "deadline", "due", "has_left", "launched", "loop", "pid", "result", "spec",
    )  # fmt: skip

    def __init__(
        self,
        spec: ProcessSpec,
        loop: PollLoop,
        deadline: float | None = None,
        *,
        may_be_stopped: bool = True,
    ) -> None:
        """`may_be_stopped`: by the caller or by the `cancel` of the loop."""
        self.spec, self.loop = spec, loop
        self._started = now = monotonic()
        if spec.timeout is not None and spec.on_timeout == "kill":
            own_deadline = now + spec.timeout / 1000
            deadline = own_deadline if deadline is None else min(own_deadline, deadline)
        self.deadline = deadline  # monotonic; then the tree is killed
        # Standard output and standard error.
        self.captured = (HeadTailCapture(spec.max_output), HeadTailCapture(spec.max_output))
        self.result: ProcessResult | None = None  # set when it is over
        # Then: whether something of its tree may be alive, if it had a directory of its own.
        self.has_left = True
        self._stop_reason = ""  # why it is being killed
        self._tree: ProcessTree | None = None
        self._escalation: Escalation | None = None
        self._chunks: list[bytes] = []  # of a streamed output, read but not yet returned
        self._output_pipes: list[OutputPipe] = []
        self._stream: OutputPipe | None = None
        self._tag = spec.new_tag(may_be_stopped or deadline is not None)
        self._limit: ProcessLimit | None = None
        if (max_processes := spec.limit("max_processes")) is not None:
            # Now: a fork bomb grows to thousands while modules are loaded.
            from keysh.process.tree.process_limit import ProcessLimit  # noqa: PLC0415 - only where processes are limited

            self._limit = ProcessLimit(max_processes, spec)
        self.launched = launched = launch(spec, self._tag, self._limit)
        self.pid = launched.popen.pid
        if self._limit is not None:
            self._limit.begin(self._process_tree())
        if spec.owner is not None:
            spec.owner.note_start(self.pid, now)
        ends = launched.ends
        self._exit = launched.exit
        self._feeder = StdinFeeder(loop, ends.input, ends.source, ends.is_terminal)
        for fd, target, capture in zip(
            (ends.out, ends.err), (spec.stdout, spec.stderr), self.captured, strict=True
        ):
            if fd >= 0:
                self._output_pipes.append(self._output_pipe(fd, target, capture))
        self.due: float | None = None
        self._drained_at = 0.0  # when it has ended: the time until which others are attended
        self._attend(loop)

    def _output_pipe(self, fd: int, target: OutputTarget, capture: HeadTailCapture) -> OutputPipe:
        if target is STREAM:
            self._stream = OutputPipe(fd, self._chunks.append, self._close)
            return self._stream
        return OutputPipe(fd, target if callable(target) else capture.add, self._close)

    # Called by users of the process.

    @property
    def path(self) -> str:
        """The path of the file that was executed."""
        return self.launched.path

    @property
    def is_running(self) -> bool:
        """Whether the process itself had not ended when its loop last turned."""
        return self.result is None and self._exit.status is None

    def wait(self) -> ProcessResult:
        """Attend the process until it is over. A streamed output is no longer read."""
        while self.result is None:
            self.wait_until(None)
        return self.result

    def wait_until(self, moment: float | None) -> ProcessResult | None:
        """The same, but only until a time; None if it still runs then."""
        self._close_stream()
        while self.result is None and (moment is None or monotonic() < moment):
            self.turn(moment)
        return self.result

    def output(self) -> Iterator[bytes]:
        """Yield the pieces of a streamed output; closing the iterator closes the pipe."""
        try:
            while True:
                while self._chunks:
                    yield self._chunks.pop(0)
                if self._stream is None:
                    return
                self.turn(None)
        finally:
            self._close_stream()

    def turn(self, until: float | None) -> None:
        """Turn the loop once. Ctrl-C stops the process, a second one kills it."""
        try:
            self.loop.turn(until)
        except KeyboardInterrupt:
            self.loop.cancel()

    def send(self, data: bytes) -> bool:
        """Write to standard input, if that is OPEN; False if the process can no longer read.

        Data beyond the pipe's capacity waits; BlockingIOError if too much is waiting.
        """
        return self._feeder.add(data)

    def finish_input(self) -> None:
        """Close standard input once all that was sent is written."""
        self._feeder.finish()

    def stop(self, why: str = "killed", grace: float | None = None) -> None:
        """Begin to kill the tree, with SIGKILL after `grace` milliseconds; at once if called again.

        `wait` completes it.
        """
        if self.result is not None:
            return
        now = monotonic()
        if self._escalation is not None:
            self._escalation.hurry(now)
            self.due = now
        else:
            from keysh.process.tree.kill import Escalation  # noqa: PLC0415 - signals are named by an enum, 3 ms

            is_about_others = why == "limit"  # which may be what an ended process has left
            if is_about_others or self._exit.status is None:
                self._stop_reason = why
            grace = self.spec.grace if grace is None else grace
            self._escalation = Escalation(
                self._process_tree(), now + grace / 1000, self._exit.has_ended
            )
            self.due = now
            # One that reads or feeds this process ends for the same reason: it is frozen too before
            # this one dies.
            for other in tuple(self.loop.members):
                other.stop_if_overdue(now)

    def end_left(self) -> None:
        """Kill what it has left, after it has ended."""
        if self._tag and not self._stop_reason:
            from keysh.process.tree.kill import end_tagged  # noqa: PLC0415 - as in stop

            end_tagged(self._tag, self.spec.grace / 1000)

    def stop_if_overdue(self, now: float) -> None:
        """Stop it if its deadline has passed."""
        if self.deadline is not None and now >= self.deadline and self._escalation is None:
            self.stop("timeout")

    def signal(self, number: int) -> None:
        """Signal the group that the process leads."""
        from keysh.process.tree.process_signals import signal_group  # noqa: PLC0415 - as in stop

        if self._exit.status is None:
            signal_group(self.pid, number)

    def take_output(self) -> int:
        """The reading end of a streamed output, which the caller owns from now on."""
        stream = self._stream
        if stream is None or self._chunks:
            raise ValueError("the output is not streamed, or has been read from")
        self._forget(stream)
        os.set_blocking(stream.fd, True)
        return stream.fd

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *exception: object) -> None:
        # The caller is gone: callbacks could only raise.
        for pipe in self._output_pipes:
            pipe.put = discard_data
        try:
            if self._escalation is None:  # a kill that has begun keeps its grace period
                self.stop()
        finally:
            self._wait_through()

    def _wait_through(self) -> None:
        """Wait despite errors, which other processes on the same loop may cause."""
        fault: BaseException | None = None
        while self.result is None:
            try:
                self.wait_until(None)
            except BaseException as error:  # noqa: BLE001 - raised when the process is dead
                fault = error if fault is None else fault
        if fault is not None:
            raise fault

    # Called by its loop.

    def on_time(self, now: float) -> None:
        """The time `due` has come."""
        if self._escalation is not None:
            self.due = self._escalation.step(now)
            if self.due is None:
                self._exit.has_ended()
                self._finish(self._escalation.survivors)
            else:
                # Not before: the end of its input would let the program go on to its next command.
                self._feeder.close()
            return
        if not self.is_running:
            self._on_time_after_exit(now)
        elif self._exit.fd < 0 and self._exit.has_ended():
            self._on_exit()
        elif self.deadline is not None and now >= self.deadline:
            self.stop("timeout")
        elif self._limit is not None and self._limit.is_exceeded(False):
            self.stop("limit", 0)
        else:
            self._set_due(now)

    def move(self, loop: PollLoop) -> None:
        """Continue on another loop."""
        self._leave()
        self._feeder.move(loop)
        self.loop = loop
        self._attend(loop)

    def result_so_far(self) -> ProcessResult:
        """The result as of now."""
        result = ProcessResult(self.spec.argv)
        result.path, result.pid, result.stop = self.path, self.pid, self._stop_reason
        result.unenforced = self.launched.unenforced
        result.set_captured(*self.captured)
        result.duration_ms = (monotonic() - self._started) * 1000
        result.set_status(self._exit.status)
        return result

    def _attend(self, loop: PollLoop) -> None:
        for pipe in self._output_pipes:
            loop.watch(pipe.fd, pipe.ready)
        if self._exit.fd >= 0:
            loop.watch(self._exit.fd, self._on_exit_event)
        loop.members.append(self)
        self._set_due(monotonic())

    def _leave(self) -> None:
        for pipe in self._output_pipes:
            self.loop.forget(pipe.fd)
        if self._exit.fd >= 0:
            self.loop.forget(self._exit.fd)
        if self in self.loop.members:
            self.loop.members.remove(self)

    def _set_due(self, now: float) -> None:
        """Set the time at which to act without an event."""
        if self._escalation is not None or self._exit.status is not None:
            return  # it is set elsewhere
        moments = [] if self.deadline is None else [self.deadline]
        if self._limit is not None:
            moments.append(now + self._limit.interval())
        if self._exit.fd < 0:
            moments.append(now + self._exit.next_interval())
        self.due = min(moments, default=None)

    def _on_exit_event(self, _: int) -> None:
        self._exit.has_ended()
        self.loop.forget(self._exit.fd)
        self._on_exit()

    def _on_exit(self) -> None:
        """The process has ended; others may still hold its pipes."""
        self._feeder.close()
        now = monotonic()
        if self._tree is not None:
            self._tree.note_exit()
        if self._escalation is not None:
            self.due = now  # perhaps nothing is left alive
        elif self._output_pipes or (self._limit is not None and self._limit.has_left_any()):
            self._drained_at = now + self.spec.drain / 1000
            self._on_time_after_exit(now)
        else:
            self._finish([])

    def _on_time_after_exit(self, now: float) -> None:
        """Read what others write, and count them: a fork bomb may begin by leaving its parent."""
        limit = self._limit
        if limit is not None and limit.is_exceeded(True):
            self.stop("limit", 0)
        elif now >= self._drained_at and not (limit is not None and limit.has_grown()):
            self._finish([])
        else:
            if now >= self._drained_at:
                self._drained_at = now + self.spec.drain / 1000
            self.due = self._drained_at
            if limit is not None:
                self.due = min(self.due, now + limit.interval())

    def _close(self, pipe: OutputPipe) -> None:
        """An output has ended or is no longer wanted."""
        self._forget(pipe)
        os.close(pipe.fd)
        if self._output_pipes or self.result is not None or self._escalation is not None:
            return
        if self._exit.status is not None:
            if self._limit is None or not self._limit.has_left_any():
                self._finish([])
        elif self._exit.fd < 0:
            self.due = monotonic()  # a process that closes its output has usually ended

    def _forget(self, pipe: OutputPipe) -> None:
        self.loop.forget(pipe.fd)
        self._output_pipes.remove(pipe)
        if pipe is self._stream:
            self._stream = None

    def _close_stream(self) -> None:
        if self._stream is not None:
            self._close(self._stream)
        self._chunks.clear()

    def _process_tree(self) -> ProcessTree:
        if self._tree is None:
            from keysh.process.tree.process_table import NewPids  # noqa: PLC0415 - most processes end by themselves
            from keysh.process.tree.process_tree import ProcessTree  # noqa: PLC0415 - as above

            new = NewPids(self.pid, self._started, is_held=True)
            self._tree = ProcessTree(self.pid, self._tag, new)
        return self._tree

    def _finish(self, survivors: list[int]) -> None:
        """Read what is left, release everything, and set the result."""
        if self.result is not None:
            return
        for pipe in self._output_pipes:
            pipe.drain()
        self.result = result = self.result_so_far()
        result.survivors = survivors
        if self.spec.has_own_directory and not self._stop_reason:
            self.has_left = self._process_tree().has_more_than(0)
        if self.spec.owner is not None:
            has_left = not (self._limit and self._limit.has_left_none)
            self.spec.owner.note_end(self.pid, self._started, has_left=has_left)
        exceeded = self._limit.exceeded if self._limit else ""
        result.set_ending_limit(exceeded, is_cpu_limited=self.spec.limit("cpu_seconds") is not None)
        self._release()

    def _release(self) -> None:
        """Close what is open, and remove the zombie."""
        self._leave()
        self.due = self._stream = None
        self._feeder.close()
        while self._output_pipes:
            os.close(self._output_pipes.pop().fd)
        self._exit.reap()
        if self._limit is not None:
            self._limit.release()
        remove_private_directory(self.launched.folder)
        self.launched.folder = ""


def discard_data(_: bytes) -> None:
    """Ignore output after the caller has left."""
