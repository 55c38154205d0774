"""A job that is a process: what the shell that started it knows, and what the two share."""

from __future__ import annotations

import os
from _thread import allocate_lock
from io import FileIO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_JOB_OUTPUT_BYTES = 1 << 20  # the newest output of a job, shown in /v/jobs
PID_BYTES = 16  # enough for a process number and a newline
STATUS_SIGNAL_BASE = 128


class JobProcess:
    """The process of a job, seen from the shell that started it.

    The channel brings the pid of the program that the job consists of, if it does, and the end of
    file when the process has ended. Nothing runs here between two calls: a shell with jobs has no
    thread more, and so can fork again.
    """

    __slots__ = ("_channel", "_errors", "_looking", "_output", "pid", "program", "status")

    def __init__(self, pid: int, channel: int, output: FileIO, errors: FileIO) -> None:
        self.pid, self._channel = pid, channel
        self._output, self._errors = output, errors
        self.program: JobProgram | None = None
        self.status: int | None = None
        self._looking = allocate_lock()
        os.set_blocking(channel, False)

    def look(self) -> None:
        """Learn whether the program has started and whether the process has ended."""
        with self._looking:  # nothing in it waits
            if self.status is not None:
                return
            self._read_channel()
            pid, code = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._read_channel()
                ended = os.waitstatus_to_exitcode(code)
                self.status = STATUS_SIGNAL_BASE - ended if ended < 0 else ended
                os.close(self._channel)

    def _read_channel(self) -> None:
        try:
            text = os.read(self._channel, PID_BYTES)
        except BlockingIOError:
            return
        if text:
            self.program = JobProgram(int(text))

    def wait(self, seconds: float) -> None:
        """Wait until there is something to learn, or `seconds` are over."""
        from select import POLLIN, poll  # noqa: PLC0415 - few scripts wait for jobs

        if self.status is None:
            poller = poll()
            poller.register(self._channel, POLLIN)
            if poller.poll(seconds * 1000):
                self.look()

    def signal(self, number: int) -> None:
        """Send a signal, if the process has not ended."""
        self.look()
        if self.status is None:
            os.kill(self.pid, number)

    def output_texts(self) -> tuple[str, str]:
        """Return the newest standard output and standard error of the job."""
        return recorded_text(self._output), recorded_text(self._errors)

    def close_records(self) -> None:
        """Close the records of the output."""
        self._output.close()
        self._errors.close()


class JobProgram:
    """The program that a job in a process of its own consists of; it leads a process group."""

    __slots__ = ("pid",)

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def signal(self, number: int, *, is_group: bool) -> None:
        """Signal it, or the whole group that it leads; one that has just ended gets nothing."""
        try:  # noqa: SIM105 - contextlib is slow to load
            (os.killpg if is_group else os.kill)(self.pid, number)
        except ProcessLookupError:
            pass


# ---------------------------------------------------------------- the record of the output


def open_record() -> FileIO:
    """Return a file without a name, which the job writes and the shell reads."""
    if hasattr(os, "memfd_create"):
        return FileIO(os.memfd_create("keysh-job"), "r+b")
    from tempfile import TemporaryFile  # noqa: PLC0415 - where there is no file in memory

    with TemporaryFile(buffering=0) as file:
        return FileIO(os.dup(file.fileno()), "r+b")


def recorded_text(record: FileIO) -> str:
    """Return what a record holds."""
    size = os.fstat(record.fileno()).st_size
    return os.pread(record.fileno(), size, 0).decode("utf-8", "surrogateescape")


def file_record(record: FileIO) -> Callable[[str], None]:
    """Return a function that keeps the newest part of what it gets in a record.

    Jobs of the job write to the same record: all of them share its offset.
    """
    fd = record.fileno()

    def put(text: str) -> None:
        os.write(fd, text.encode("utf-8", "surrogateescape"))
        size = os.fstat(fd).st_size
        if size > 2 * MAX_JOB_OUTPUT_BYTES:
            newest = os.pread(fd, MAX_JOB_OUTPUT_BYTES, size - MAX_JOB_OUTPUT_BYTES)
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, newest)

    return put
