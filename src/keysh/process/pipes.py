"""Ends: both ends of a process's streams, opened before it starts."""

from __future__ import annotations

import os

from keysh.process.spec import CAPTURE, DISCARD, MERGE, OPEN, STREAM, Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keysh.process.spec import Output, ProcessSpec


AT_ONCE = 4096  # bytes that fit into a new pipe for certain


class Ends:
    """`stdin stdout stderr` are what the process gets; `input out err` are ours, -1 for none."""

    __slots__ = (
        "_mine", "_theirs", "err", "input", "is_terminal", "out", "source", "stderr", "stdin",
        "stdout",
    )  # fmt: skip

    def __init__(self) -> None:
        self.stdin = self.stdout = self.stderr = -1
        self.input = self.out = self.err = -1
        self.source: Iterable[bytes | str] | None = None  # what is written to `input`
        self.is_terminal = False
        self._mine: list[int] = []
        self._theirs: list[int] = []

    def open(self, spec: ProcessSpec) -> None:
        """Open what the specification asks for."""
        if spec.terminal is not None:
            self._open_terminal(*spec.terminal)
            self.source = () if spec.stdin is None else source_of(spec.stdin)
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
        self._theirs.append(fd)
        return fd

    def close_theirs(self) -> None:
        """To be called when the process has started, or has not."""
        while self._theirs:
            os.close(self._theirs.pop())

    def close_mine(self) -> None:
        """To be called when it has not."""
        while self._mine:
            os.close(self._mine.pop())

    def _open_input(self, spec: ProcessSpec) -> None:
        given = spec.stdin
        if given is None:
            self.stdin = self.hold(os.open(os.devnull, os.O_RDONLY))
        elif isinstance(given, int):
            self.stdin = given
        elif take := getattr(given, "take_output", None):
            self.stdin = self.hold(take())
        elif (fd := descriptor_of(given)) is not None:
            self.stdin = fd
        else:
            source = source_of(given)
            self.stdin, writer = os.pipe()
            self.hold(self.stdin)
            if isinstance(source, tuple) and len(source[0]) <= AT_ONCE:
                os.write(writer, source[0])
                os.close(writer)
            else:
                self.input, self.source = self._keep(writer), source

    def _output(self, wanted: Output) -> tuple[int, int]:
        """The process's end of an output, and ours."""
        if isinstance(wanted, int):
            return wanted, -1
        if wanted is DISCARD:
            return self.hold(os.open(os.devnull, os.O_WRONLY)), -1
        if isinstance(wanted, Marker) and wanted not in (CAPTURE, STREAM):
            raise ValueError(f"stdout cannot be {wanted}")
        reader, writer = os.pipe()
        return self.hold(writer), self._keep(reader)

    def _open_terminal(self, columns: int, rows: int) -> None:
        """A terminal's one end for all of the process's streams; the other one twice for us."""
        import termios  # noqa: PLC0415 - only where a terminal is asked for

        master, slave = os.openpty()
        self.hold(slave)
        self.out = self._keep(master)
        self.input = self._keep(os.dup(master))
        termios.tcsetwinsize(slave, (rows, columns))
        self.stdin = self.stdout = self.stderr = slave
        self.is_terminal = True

    def _keep(self, fd: int) -> int:
        self._mine.append(fd)
        os.set_blocking(fd, False)
        return fd


def descriptor_of(given: object) -> int | None:
    """The descriptor of an open file; None for one that is no file of the machine."""
    fileno = getattr(given, "fileno", None)
    try:
        return None if fileno is None else fileno()
    except (OSError, ValueError):  # in memory, and so read like any iterable
        return None


def source_of(given: object) -> Iterable[bytes | str] | None:
    """What is written to standard input; None where `Process.send` does it."""
    if given is OPEN:
        return None
    if isinstance(given, str):
        return (given.encode("utf-8", "surrogateescape"),)
    if isinstance(given, bytes | bytearray | memoryview):
        return (bytes(given),)
    return iter(given)  # type: ignore[call-overload, no-any-return]  # what is left of Input


# Outlet: our end of one of a process's outputs.

PIECE = 1 << 16  # bytes of one read: a pipe's room
LAST = 1 << 20  # bytes at most that are read from a pipe that others go on writing to


class Outlet:
    """What comes is given to `put`; `ended` is called once, and closes `fd`."""

    __slots__ = ("_ended", "fd", "put")

    def __init__(
        self, fd: int, put: Callable[[bytes], object], ended: Callable[[Outlet], None]
    ) -> None:
        self.fd, self.put, self._ended = fd, put, ended

    def ready(self, _: int) -> None:
        """Read one piece."""
        try:
            data = os.read(self.fd, PIECE)
        except BlockingIOError:  # an action before this one has turned the loop, and read it
            return
        except OSError:  # a terminal whose other end is closed
            data = b""
        if data:
            self.put(data)
        else:
            self._ended(self)

    def drain(self) -> None:
        """Read what there is at this moment."""
        read = 0
        while read < LAST:
            try:
                data = os.read(self.fd, PIECE)
            except OSError:
                return
            if not data:
                return
            read += len(data)
            self.put(data)
