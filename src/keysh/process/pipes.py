"""Ends: both ends of a process's streams, opened before it starts."""

from __future__ import annotations

import os

from keysh.process.spec import CAPTURE, DISCARD, MERGE, OPEN, STREAM, StreamMarker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keysh.process.spec import OutputTarget, ProcessSpec


MAX_IMMEDIATE_BYTES = 4096  # bytes that fit into a new pipe for certain


class ProcessPipes:
    """`stdin stdout stderr` are what the process gets; `input out err` are ours, -1 for none."""

    __slots__ = (
        "_our_fds", "_child_fds", "err", "input", "is_terminal", "out", "source", "stderr", "stdin",
        "stdout",
    )  # fmt: skip

    def __init__(self) -> None:
        self.stdin = self.stdout = self.stderr = -1
        self.input = self.out = self.err = -1
        self.source: Iterable[bytes | str] | None = None  # what is written to `input`
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
        """Have a descriptor closed when the process has its own of it."""
        self._child_fds.append(fd)
        return fd

    def close_child_ends(self) -> None:
        """To be called when the process has started, or has not."""
        while self._child_fds:
            os.close(self._child_fds.pop())

    def close_our_ends(self) -> None:
        """To be called when it has not."""
        while self._our_fds:
            os.close(self._our_fds.pop())

    def _open_input(self, spec: ProcessSpec) -> None:
        given = spec.stdin
        if given is None:
            self.stdin = self.hold(os.open(os.devnull, os.O_RDONLY))
        elif isinstance(given, int):
            self.stdin = given
        elif take := getattr(given, "take_output", None):
            self.stdin = self.hold(take())
        elif (fd := file_descriptor_of(given)) is not None:
            self.stdin = fd
        else:
            source = stdin_source(given)
            self.stdin, writer = os.pipe()
            self.hold(self.stdin)
            if isinstance(source, tuple) and len(source[0]) <= MAX_IMMEDIATE_BYTES:
                os.write(writer, source[0])
                os.close(writer)
            else:
                self.input, self.source = self._own(writer), source

    def _output(self, wanted: OutputTarget) -> tuple[int, int]:
        """The process's end of an output, and ours."""
        if isinstance(wanted, int):
            return wanted, -1
        if wanted is DISCARD:
            return self.hold(os.open(os.devnull, os.O_WRONLY)), -1
        if isinstance(wanted, StreamMarker) and wanted not in (CAPTURE, STREAM):
            raise ValueError(f"stdout cannot be {wanted}")
        reader, writer = os.pipe()
        return self.hold(writer), self._own(reader)

    def _open_terminal(self, columns: int, rows: int) -> None:
        """A terminal's one end for all of the process's streams; the other one twice for us."""
        import termios  # noqa: PLC0415 - only where a terminal is asked for

        master, slave = os.openpty()
        self.hold(slave)
        self.out = self._own(master)
        self.input = self._own(os.dup(master))
        termios.tcsetwinsize(slave, (rows, columns))
        self.stdin = self.stdout = self.stderr = slave
        self.is_terminal = True

    def _own(self, fd: int) -> int:
        self._our_fds.append(fd)
        os.set_blocking(fd, False)
        return fd


def file_descriptor_of(given: object) -> int | None:
    """The descriptor of an open file; None for one that is no file of the machine."""
    fileno = getattr(given, "fileno", None)
    try:
        return None if fileno is None else fileno()
    except (OSError, ValueError):  # in memory, and so read like any iterable
        return None


def stdin_source(given: object) -> Iterable[bytes | str] | None:
    """What is written to standard input; None where `Process.send` does it."""
    if given is OPEN:
        return None
    if isinstance(given, str):
        return (given.encode("utf-8", "surrogateescape"),)
    if isinstance(given, bytes | bytearray | memoryview):
        return (bytes(given),)
    return iter(given)  # type: ignore[call-overload, no-any-return]  # what is left of Input


# Outlet: our end of one of a process's outputs.

READ_CHUNK_BYTES = 1 << 16  # bytes of one read: a pipe's room
MAX_FINAL_READ_BYTES = (
    1 << 20
)  # bytes at most that are read from a pipe that others go on writing to


class OutputPipe:
    """What comes is given to `put`; `ended` is called once, and closes `fd`."""

    __slots__ = ("_on_end", "fd", "put")

    def __init__(
        self, fd: int, put: Callable[[bytes], object], ended: Callable[[OutputPipe], None]
    ) -> None:
        self.fd, self.put, self._on_end = fd, put, ended

    def ready(self, _: int) -> None:
        """Read one piece."""
        try:
            data = os.read(self.fd, READ_CHUNK_BYTES)
        except BlockingIOError:  # an action before this one has turned the loop, and read it
            return
        except OSError:  # a terminal whose other end is closed
            data = b""
        if data:
            self.put(data)
        else:
            self._on_end(self)

    def drain(self) -> None:
        """Read what there is at this moment."""
        read = 0
        while read < MAX_FINAL_READ_BYTES:
            try:
                data = os.read(self.fd, READ_CHUNK_BYTES)
            except OSError:
                return
            if not data:
                return
            read += len(data)
            self.put(data)
