"""Pipes: both ends of a process's streams, and reading its outputs."""

from __future__ import annotations

import os

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.spec import CAPTURE, DISCARD, MERGE, OPEN, STREAM, StreamMarker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keysh.process.spec import OutputTarget, ProcessSpec


MAX_IMMEDIATE_BYTES = 4096  # always fit into a new pipe (POSIX PIPE_BUF is 512, Linux 4096)
READ_CHUNK_BYTES = 1 << 16  # a pipe's capacity on Linux
MAX_FINAL_READ_BYTES = 1 << 20  # read after the exit, if other processes go on writing


class ProcessPipes(Uncopied):
    """`stdin stdout stderr` are the process's ends; `input out err` are ours, -1 for none."""

    __slots__ = (
        "_our_fds", "_child_fds", "err", "input", "is_terminal", "out", "source", "stderr", "stdin",
        "stdout",
    )  # fmt: skip

    def __init__(self) -> None:
        self.stdin = self.stdout = self.stderr = -1
        self.input = self.out = self.err = -1
        self.source: Iterable[bytes | str] | None = None  # the data to write to `input`
        self.is_terminal = False
        self._our_fds: list[int] = []
        self._child_fds: list[int] = []

    def open(self, spec: ProcessSpec) -> None:
        """Open what the specification asks for."""
        if spec.terminal is not None:
            self._open_terminal(*spec.terminal)
            self.source = () if spec.stdin is None else stdin_source(spec.stdin)
            return
        self._open_input(spec)
        self.stdout, self.out = self._output(spec.stdout)
        if spec.stderr is MERGE:
            self.stderr = self.stdout
        elif spec.stderr is STREAM:
            raise ValueError("stderr cannot be STREAM")
        else:
            self.stderr, self.err = self._output(spec.stderr)

    def hold(self, fd: int) -> int:
        """Close a descriptor once the process has its own copy."""
        self._child_fds.append(fd)
        return fd

    def close_child_ends(self) -> None:
        """Close the process's ends; call it after the start, failed or not."""
        while self._child_fds:
            os.close(self._child_fds.pop())

    def close_our_ends(self) -> None:
        """Close our ends; call it if the start has failed."""
        while self._our_fds:
            os.close(self._our_fds.pop())

    def _open_input(self, spec: ProcessSpec) -> None:
        source_given = spec.stdin
        if source_given is None:
            self.stdin = self.hold(os.open(os.devnull, os.O_RDONLY))
        elif isinstance(source_given, int):
            self.stdin = source_given
        elif take := getattr(source_given, "take_output", None):
            self.stdin = self.hold(take())
        elif (fd := file_descriptor_of(source_given)) is not None:
            self.stdin = fd
        else:
            source = stdin_source(source_given)
            self.stdin, writer = os.pipe()
            self.hold(self.stdin)
            if isinstance(source, tuple) and len(source[0]) <= MAX_IMMEDIATE_BYTES:
                os.write(writer, source[0])
                os.close(writer)
            else:
                self.input, self.source = self.adopt(writer), source

    def _output(self, target: OutputTarget) -> tuple[int, int]:
        """Return the process's end of an output, and ours."""
        if isinstance(target, int):
            return target, -1
        if target is DISCARD:
            return self.hold(os.open(os.devnull, os.O_WRONLY)), -1
        if isinstance(target, StreamMarker) and target not in (CAPTURE, STREAM):
            raise ValueError(f"stdout cannot be {target}")
        reader, writer = os.pipe()
        return self.hold(writer), self.adopt(reader)

    def _open_terminal(self, columns: int, rows: int) -> None:
        """Open a terminal: one end for all three streams, the other one twice for us."""
        import termios  # noqa: PLC0415 - only where a terminal is asked for

        master, slave = os.openpty()
        self.hold(slave)
        self.out = self.adopt(master)
        self.input = self.adopt(os.dup(master))
        termios.tcsetwinsize(slave, (rows, columns))
        self.stdin = self.stdout = self.stderr = slave
        self.is_terminal = True

    def adopt(self, fd: int) -> int:
        """Close a descriptor if the start fails."""
        self._our_fds.append(fd)
        os.set_blocking(fd, False)
        return fd


def file_descriptor_of(file: object) -> int | None:
    """The descriptor of an open file; None for one that the machine does not have."""
    fileno = getattr(file, "fileno", None)
    try:
        return None if fileno is None else fileno()
    except (OSError, ValueError):  # a file in memory is read like any iterable
        return None


def stdin_source(data: object) -> Iterable[bytes | str] | None:
    """The data for standard input; None if `Process.send` provides it."""
    if data is OPEN:
        return None
    if isinstance(data, str):
        return (data.encode("utf-8", "surrogateescape"),)
    if isinstance(data, bytes | bytearray | memoryview):
        return (bytes(data),)
    return iter(data)  # type: ignore[call-overload, no-any-return]  # what remains of InputSource


class OutputPipe(Uncopied):
    """Our end of an output. Data goes to `put`; `on_end` is called once and closes `fd`."""

    __slots__ = ("_on_end", "fd", "put")

    def __init__(
        self, fd: int, put: Callable[[bytes], object], on_end: Callable[[OutputPipe], None]
    ) -> None:
        self.fd, self.put, self._on_end = fd, put, on_end

    def ready(self, _: int) -> None:
        """Read one piece."""
        try:
            data = os.read(self.fd, READ_CHUNK_BYTES)
        except BlockingIOError:  # an earlier action has turned the loop, which read the data
            return
        except OSError:  # a terminal whose other end is closed
            data = b""
        if data:
            self.put(data)
        else:
            self._on_end(self)

    def drain(self) -> None:
        """Read what is available now."""
        size = 0
        while size < MAX_FINAL_READ_BYTES:
            try:
                data = os.read(self.fd, READ_CHUNK_BYTES)
            except OSError:
                return
            if not data:
                return
            size += len(data)
            self.put(data)
