"""A background command: a script on a thread, or a process."""

from __future__ import annotations

import os
from _thread import allocate_lock
from time import monotonic

from keysh.process.streams.capture import HeadTailCapture, take_both
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from keysh import Changes, Shell
    from keysh.adapters.tool_result import LimitRecord
    from keysh.interp.run.cancel import Cancel
    from keysh.process.keeper import BackgroundProcess
    from keysh.shell.async_run import Job

    class Task(Protocol):
        """The command of a background shell. Any thread may use it."""

        @property
        def is_running(self) -> bool:
            """Whether it has not ended yet."""

        @property
        def exit_code(self) -> int | None:
            """The exit status once it has ended."""

        def read(self) -> tuple[bytes, bytes, int]:
            """Return its stdout and stderr since the last call, and the number of lost bytes."""

        def send(self, data: bytes) -> bool:
            """Write to its input; return False if it reads none."""

        def finish_input(self) -> None:
            """Close its input."""

        def kill(self) -> None:
            """Kill it with all processes it has started, and wait for that."""

        def wait(self, seconds: float) -> bool:
            """Wait up to a number of seconds; return whether it has ended."""


MAX_KEPT_BYTES = 1 << 20  # of each unread output; beyond this the middle is dropped


class FinishedCommand:
    """A command of the session that has ended; `stop` is the reason if it was stopped.

    `lost_bytes` of its outputs are missing, since they were too long. `limit` is what ended it.
    `changes` is what it did to files and to the session, as far as the session has a journal.
    """

    __slots__ = (
        "changes", "exit_code", "limit", "lost_bytes", "notice", "stderr", "stdout", "stop",
    )  # fmt: skip

    def __init__(
        self,
        exit_code: int,
        stdout: bytes,
        stderr: bytes,
        stop: str = "",
        notice: str = "",
        changes: Changes | None = None,
        *,
        lost_bytes: int = 0,
        limit: LimitRecord | None = None,
    ) -> None:
        self.exit_code, self.stdout, self.stderr = exit_code, stdout, stderr
        self.stop, self.notice, self.changes = stop, notice, changes
        self.lost_bytes, self.limit = lost_bytes, limit


class UnsupportedRequest(Exception):
    """A request that the session cannot fulfil; the message says why."""


class OutputStreams:
    """The output of a shell until it is read; only the head and the tail are kept."""

    __slots__ = ("_captures", "_lock")

    def __init__(self, max_bytes: int = MAX_KEPT_BYTES) -> None:
        self._captures = HeadTailCapture(max_bytes), HeadTailCapture(max_bytes)
        self._lock = allocate_lock()  # shared by the thread that writes and the one that reads

    def put(self, text: str) -> None:
        """Add to standard output."""
        with self._lock:
            self._captures[0].add(bytes_of_text(text))

    def put_error(self, text: str) -> None:
        """Add to standard error."""
        with self._lock:
            self._captures[1].add(bytes_of_text(text))

    def take(self) -> tuple[bytes, bytes, int]:
        """Return and remove the output so far, and how many bytes of it were dropped."""
        with self._lock:
            return take_both(*self._captures)


class InputPipe:
    """The write end of a pipe that a script reads."""

    __slots__ = ("_fd", "_lock")

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._lock = allocate_lock()  # so that no closed descriptor is written to

    def send(self, data: bytes) -> bool:
        """Write data; return False if nobody reads. Raise BlockingIOError if the pipe is full."""
        with self._lock:
            if self._fd < 0:
                return False
            try:
                written = os.write(self._fd, data)
            except BrokenPipeError:
                return False
        if written < len(data):
            raise BlockingIOError(f"only {written} of {len(data)} bytes were taken")
        return True

    def close(self) -> None:
        """Close the pipe: its reader finds the end of input."""
        with self._lock:
            fd, self._fd = self._fd, -1
            if fd >= 0:
                os.close(fd)


class ScriptTask:
    """A script that runs in its own shell."""

    __slots__ = ("_cancel", "_input", "_job", "_shell", "_streams")

    def __init__(
        self,
        shell: Shell,
        streams: OutputStreams,
        job: Job,
        cancel: Cancel,
        stdin: InputPipe | None = None,
    ) -> None:
        self._shell, self._streams, self._job, self._cancel = shell, streams, job, cancel
        self._input = stdin

    @property
    def is_running(self) -> bool:
        return not self._job.is_done

    @property
    def exit_code(self) -> int | None:
        return self._job.wait().code if self._job.is_done else None

    def read(self) -> tuple[bytes, bytes, int]:
        return self._streams.take()

    def send(self, data: bytes) -> bool:
        return self._input is not None and self.is_running and self._input.send(data)

    def finish_input(self) -> None:
        if self._input is not None:
            self._input.close()

    def kill(self) -> None:
        self._cancel.cancel()
        self.finish_input()  # wakes a script that waits for input
        self._job.wait()
        self._shell.close()

    def wait(self, seconds: float) -> bool:
        try:
            self._job.wait(seconds)
        except TimeoutError:
            return False
        return True


class ProcessTask:
    """A process that a Keeper supervises."""

    __slots__ = ("_background", "_status", "_take")

    def __init__(
        self,
        background: BackgroundProcess,
        take: Callable[[], tuple[bytes, bytes, int]] | None = None,
        status: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._background = background
        self._take = take or background.read
        self._status = status  # of the command, if that is not the whole process

    @property
    def is_running(self) -> bool:
        return self._background.is_running

    @property
    def exit_code(self) -> int | None:
        result = self._background.result
        if result is None:
            return None
        status = self._status()
        return result.code if status is None or result.stop else status

    def read(self) -> tuple[bytes, bytes, int]:
        return self._take()

    def send(self, data: bytes) -> bool:
        return self._background.send(data)

    def finish_input(self) -> None:
        self._background.finish_input()

    def kill(self) -> None:
        self._background.kill()

    def wait(self, seconds: float) -> bool:
        return self._background.wait(monotonic() + seconds) is not None
