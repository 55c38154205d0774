"""Streams: what the descriptors of a program are connected to while it runs."""

from __future__ import annotations

import fcntl
import os

from keysh.external.program_pipes import DescriptorDrain, ProgramReader, StdinPipe, TextDrain
from keysh.interp.streams.descriptors import (
    CLOSED_READER,
    CLOSED_WRITER,
    DIRECTORY_READER,
    NO_INPUT,
)
from keysh.process.spec import MERGE, STREAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keysh.interp.state.call import Call
    from keysh.interp.streams.descriptors import Descriptor
    from keysh.process.loop import PollLoop
    from keysh.process.spec import InputSource
    from keysh.process.spec import OutputTarget as ProcessOutput


class ProgramStreams:
    """The streams for a ProcessSpec: `stdin`, `stdout`, `stderr`, and further `numbers`.

    `out` receives streamed output, `err` errors as text. `loop` is that of the program whose output
    is read directly; whoever attends this program must attend that one too.
    """

    __slots__ = (
        "_borrowed_fds", "_pumps", "err", "loop", "numbers", "out", "stderr", "stdin", "stdout",
    )  # fmt: skip

    def __init__(self, call: Call) -> None:
        self.loop: PollLoop | None = None
        self.numbers: dict[int, int] = {}
        self.stdin: InputSource = None
        self.stdout: ProcessOutput = STREAM
        self.out, self.err = TextDrain(call.out), TextDrain(call.err)
        self.stderr: ProcessOutput = self.err.put
        self._pumps: list[StdinPipe | DescriptorDrain] = []
        self._borrowed_fds: list[int] = []  # to be closed once the program has its copies

    def connect(self, call: Call, output: int | None) -> None:
        """Connect the first three. `output`, if given, is closed once the program has it."""
        call.out.flush()
        if output is not None:
            self.stdout = output
            self._borrowed_fds.append(output)
        elif call.out.fd >= 0:
            self.stdout = call.out.fd
        elif call.out is CLOSED_WRITER:
            self.stdout = self._open_refusing(os.devnull, os.O_RDONLY)
        self.stdin = self._input(call)
        if call.err.fd >= 0:
            self.stderr = call.err.fd
        elif call.err is call.out or getattr(call.err, "target", None) is call.out:
            self.stderr = MERGE

    def add(self, descriptors: Mapping[int, Descriptor], words: Sequence[str]) -> None:
        """Connect those above 2. One without a real file is pumped if the words mention it."""
        for number, descriptor in descriptors.items():
            if number < 3:
                continue
            reader, writer = descriptor.reader, descriptor.writer
            if reader is not None and (fd := reader.lend()) >= 0:
                self.numbers[number] = fd
            elif writer is not None and writer.fd >= 0:
                self.numbers[number] = writer.fd
            elif mentions_descriptor(number, words) and (reader is not None or writer is not None):
                pump = DescriptorDrain(writer) if reader is None else StdinPipe(reader)  # type: ignore[arg-type]
                self._pumps.append(pump)
                self.numbers[number] = self._duplicate_as(pump.fd, number)

    def begin(self, loop: PollLoop) -> None:
        """The program has started and is attended by a loop."""
        self._close_borrowed()
        for pump in self._pumps:
            pump.begin(loop)

    def end(self) -> None:
        """The program has ended, or did not start."""
        self._close_borrowed()
        while self._pumps:
            self._pumps.pop().end()
        self.err.put(b"")

    def _input(self, call: Call) -> int | None:
        reader = call.source
        if reader is NO_INPUT:
            return None
        if reader is CLOSED_READER:
            return self._open_refusing(os.devnull, os.O_WRONLY)
        if reader is DIRECTORY_READER:
            return self._open_refusing("/", os.O_RDONLY)
        fd = reader.lend()
        if fd >= 0:
            if isinstance(reader, ProgramReader):
                self.loop = reader.loop
            return fd
        feed = StdinPipe(reader)
        self._pumps.append(feed)
        return feed.fd

    def _open_refusing(self, path: str, flags: int) -> int:
        """Open a file that fails as the shell's own stream does."""
        opened = os.open(path, flags)
        self._borrowed_fds.append(opened)
        return opened

    def _duplicate_as(self, fd: int, number: int) -> int:
        """Duplicate a file to the number that the program expects, if that is free here.

        If it is not, a launcher renumbers it.
        """
        duplicate = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, number)
        self._borrowed_fds.append(duplicate)
        return duplicate

    def _close_borrowed(self) -> None:
        while self._borrowed_fds:
            os.close(self._borrowed_fds.pop())


def mentions_descriptor(number: int, words: Sequence[str]) -> bool:
    """Whether a program's words mention a descriptor: its path, or a redirection in a script."""
    return any(f"/dev/fd/{number}" in word or f"&{number}" in word for word in words)
