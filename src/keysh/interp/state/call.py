"""Call: what a command sees of the shell that runs it, and nothing else.

    for source in sh.inputs(files):
        for line in source.lines():
            sh.out.write(line)

A command answers in one of four ways: nothing or a status (an int); text, which is printed; a
value, which is printed as text and bound as it is in `$(…)`; or, as a generator, chunks of text,
which the next stage of a pipeline pulls one by one, or values, each of which is a line of JSON.
What it warns of makes its status 1. A filter may tell how it works on a whole text: `sh.remember`.
"""

from __future__ import annotations

import errno
import os

from keysh.diagnostics.errors import UnwritableOutput, failure
from keysh.interp.streams.descriptors import (
    DISCARD_WRITER,
    Descriptor,
    DescriptorStream,
    device_descriptor_number,
)
from keysh.interp.streams.streams import Reader, reader_of
from keysh.schema.binder import InvalidArguments
from keysh.text.chunks import bare_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
    from random import Random
    from typing import Any, Protocol, TypeVar

    from keysh.interp.streams.streams import Writer
    from keysh.schema.arguments import ConstantArguments, Work
    from keysh.schema.command import Command
    from keysh.text.chunks import LineBlock
    from keysh.vfs.api import Access, Stream
    from keysh.vfs.router import Router

    T = TypeVar("T")

    class CallState(Protocol):
        """What a call stands in: the state of the shell that runs it."""

        cwd: str
        flags: int  # the options of the shell
        umask: int

        @property
        def parent(self) -> CallState | None:
            """The state that it is forked from."""

        @property
        def descriptors(self) -> Mapping[int, Descriptor]:
            """What the numbers of redirections stand for."""

        @property
        def fs(self) -> Router:
            """The file system."""

        def environment(self) -> Mapping[str, str]:
            """The exported variables."""

        def run_words(
            self,
            call: Call,
            words: Sequence[object],
            env: Mapping[str, str] | None,
            cwd: str | None,
        ) -> int:
            """Run a command with the streams of a call."""

        def tick(self) -> None:
            """Stop a run that is cancelled or over its time."""

        def count_unpacked(self, size: int) -> None:
            """Stop a run that unpacks more than it may."""

        def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
            """What a coroutine of the host's gives."""

        def on_fresh_stack(self, work: Callable[[], T]) -> T:
            """What a piece of work gives, done on a stack of its own."""

        def report_exception(self, call: Call, error: BaseException) -> int:
            """A command of the host has raised something; the status."""

        def now(self) -> int:
            """The time, in nanoseconds since 1970."""

        def has_real_clock(self) -> bool:
            """Whether the time is that of the machine, not the host's own."""

        def random(self) -> Random:
            """Where chance comes from."""

        def sleep(self, seconds: float) -> bool:
            """Wait so long, or until the run is cancelled; whether nothing has interrupted it."""


class CommandFailure(Exception):
    """A command cannot go on; its message is printed and its status set."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class UsageFailure(InvalidArguments):
    """A call that its command makes no sense of; behind the message stands where help is.

    The status is that of the command's usage, unless another one is given.
    """

    def __init__(self, message: str, *, status: int = 0) -> None:
        super().__init__("E303", -1, message, status=status)


class Call:
    """One run of one command."""

    __slots__ = ("err", "given", "name", "out", "repeated_call", "state", "status", "stdin")

    def __init__(
        self, name: str, state: CallState, stdin: Reader, out: Writer, err: Writer
    ) -> None:
        self.name, self.state = name, state
        self.stdin, self.out, self.err = stdin, out, err
        self.given: list[tuple[str, Any]] = []  # the options as they came, in order
        self.status = 0
        self.repeated_call: tuple[Command, ConstantArguments] | None = (
            None  # where it is called so again and again
        )

    @property
    def fs(self) -> Router:
        """The file system; its paths are absolute."""
        return self.state.fs

    @property
    def cwd(self) -> str:
        """The directory that relative paths start from."""
        return self.state.cwd

    @property
    def env(self) -> Mapping[str, str]:
        """The exported variables, as text."""
        return self.state.environment()

    @property
    def random(self) -> Random:
        """Where chance comes from: fixed where the host asks for it."""
        return self.state.random()

    def now(self) -> int:
        """The time in nanoseconds since 1970: fixed where the host asks for it."""
        return self.state.now()

    def tick(self) -> None:
        """To be called now and then in a long computation: it stops a cancelled run."""
        self.state.tick()

    def ticking(self, chunks: Iterable[T]) -> Iterator[T]:
        """The same chunks, for who gathers them: a run can be stopped between them."""
        for chunk in chunks:
            self.state.tick()
            yield chunk

    def unpacked(self, size: int) -> None:
        """To be called with the bytes of each piece that is unpacked, wherever it goes."""
        self.state.count_unpacked(size)

    def run(
        self,
        words: Sequence[object],
        /,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> int:
        """Run a command of these words in this call's place; its status.

        `env` is the whole environment, `cwd` a path of the file system.
        """
        return self.state.run_words(self, words, env, cwd)

    def remember(self, work: Work) -> None:
        """Let other calls of the same words make their output of their whole input in one go.

        For what depends on nothing else. Where `work` answers None the command itself is called.
        """
        if self.repeated_call is not None:
            command, words = self.repeated_call
            words.work = command, work

    def tell(self, text: str) -> None:
        """Print what is told beside the work: that goes on where it cannot be written."""
        try:
            self.out.write(text)
        except UnwritableOutput as fault:
            self.warn(f"write error: {os_error_text(fault.error)}")
            self.out = DISCARD_WRITER

    def note(self, message: str) -> None:
        """Print a message behind the command's name on standard error, and go on."""
        self.err.write(f"{self.name}: {message}\n")

    def warn(self, message: str, status: int = 1) -> None:
        """Print a message behind the command's name and go on; the status will not be 0."""
        self.note(message)
        self.status = max(self.status, status)

    def fail(self, message: str, status: int = 1) -> CommandFailure:
        """The exception to raise when there is no going on: `raise sh.fail("…")`."""
        return CommandFailure(message, status)

    def path(self, path: str) -> str:
        """A path as the file system takes it; the empty one leads nowhere."""
        if not path:
            raise failure(errno.ENOENT, path)
        from keysh.vfs.paths import join  # noqa: PLC0415 - some scripts need no file

        return join(self.cwd, path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        """Open a file by the path a user gave; a new one gets what the umask leaves."""
        place = self.path(path)
        if place.startswith("/dev/"):
            found = self._device(place)
            if found is not None:
                return found
        try:
            stream = self.fs.open(place, access, permissions & ~self.state.umask)
        except PermissionError as refusal:
            from keysh.interp.streams.fifos import open_fifo  # noqa: PLC0415 - fifos are rare

            return open_fifo(self.state, place, access, refusal)
        if access == "r" and (self.out.feeds_file or self.out.fd >= 0 or self._has_file()):
            from keysh.interp.streams.self_output import bounded_input  # noqa: PLC0415 - output is often no file

            return bounded_input(stream, self)
        return stream

    def _has_file(self) -> bool:
        """Whether the output of the script is an open file that has no number."""
        found = self.state.descriptors.get(1)
        return found is not None and found.stream is not None

    @property
    def output(self) -> Stream | Writer | None:
        """What is written to, where it may be a file."""
        found = self.state.descriptors.get(1)
        if found is None or found.writer is not self.out:
            return None
        return found.stream or (self.out if self.out.fd >= 0 else None)

    def _device(self, path: str) -> Stream | None:
        """The stream of `/dev/stdin` or `/dev/fd/n` as this call has it; None for other paths."""
        number = device_descriptor_number(path)
        if number is None:
            return None
        if number == 0:
            return DescriptorStream(Descriptor(reader=self.stdin))
        if number in (1, 2):
            return DescriptorStream(Descriptor(writer=self.out if number == 1 else self.err))
        found = self.state.descriptors.get(number)
        if found is None:
            raise failure(errno.ENOENT, path)
        return DescriptorStream(found)

    def inputs(
        self,
        files: Iterable[str],
        says: str = "{name}: {why}",
        *,
        reading: str = "",
        default: str = "-",
    ) -> Iterator[CommandInput]:
        """Each file in turn, `-` and no file at all being standard input.

        One that cannot be opened is warned of in the command's own words, and left out. `reading`
        has the words for one that can be opened but not read, a directory for example, where they
        are others.
        """
        reading = reading or says
        for name in files or (default,):
            if name == "-":
                yield CommandInput(self, name, self.stdin, reading)
                continue
            try:
                stream = self.open(name)
                reader = reader_of(stream)
            except IsADirectoryError as error:
                stream, reader = None, Reader(failing_chunks(error))
            except OSError as error:
                self.warn(input_error_message(says, name, name, error))
                continue
            try:
                yield CommandInput(self, name, reader, reading, stream)
            finally:
                reader.close()


class CommandInput:
    """One of a command's inputs: its name as given, and its text."""

    __slots__ = ("_call", "_reader", "_says", "_stream", "name")

    def __init__(
        self, call: Call, name: str, reader: Reader, says: str, stream: Stream | None = None
    ) -> None:
        self._call, self._reader, self._says, self._stream = call, reader, says, stream
        self.name = name

    @property
    def is_output(self) -> bool:
        """Whether it is a file that the command writes to, and there is something to read in it."""
        output = self._call.output
        if output is None:
            return False
        from keysh.interp.streams.self_output import are_same_file, input_stream  # noqa: PLC0415 - as in `open`

        source = self._stream or input_stream(self._call)
        return are_same_file(output, source) and self._reader.has_more()

    @property
    def title(self) -> str:
        """The name as messages and headers show it."""
        return "standard input" if self.name == "-" else self.name

    def chunks(self) -> Iterator[str]:
        """The text in chunks; where reading fails it ends, with a warning."""
        return self._guarded(self._reader.chunks())

    def data(self) -> Iterator[bytes]:
        """The input in pieces of bytes; where reading fails it ends, with a warning."""
        return self._guarded(self._reader.data())

    def octets(self) -> Iterator[str]:
        """The input in chunks with a character for each byte."""
        return self._guarded(self._reader.octets())

    def bare_lines(self, end: str = "\n") -> Iterator[list[str]]:
        """The input as lists of lines in octets, without their ends."""
        reader = self._reader
        return bare_lines(
            self._guarded(reader.line_blocks() if end == "\n" else reader.octets()), end
        )

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        """The input in chunks for who counts newlines and may drop a chunk unseen."""
        return self._guarded(self._reader.countable_chunks())

    def newlines(self) -> int:
        """How many newlines are in the input."""
        return sum(self._guarded(self._reader.newlines()))

    def lines(self, end: str = "\n") -> Iterator[str]:
        """The text in lines, each with its newline, or with the one character that ends them."""
        return self._guarded(self._reader.lines(end))

    def read(self) -> str:
        """The whole text."""
        return "".join(self.chunks())

    def push_back(self, text: str) -> None:
        """Give back the end of the last chunk, which the next command may want."""
        self._reader.push_back(text)

    def _guarded(self, pieces: Iterator[T]) -> Iterator[T]:
        tick = self._call.tick
        try:
            for piece in pieces:
                tick()
                yield piece
        except OSError as error:
            self._call.warn(input_error_message(self._says, self.name, self.title, error))


def input_error_message(says: str, name: str, title: str, error: OSError) -> str:
    """What a command says of a file that cannot be read, in its own words."""
    from keysh.text.gnu_quoting import message_name, quoted_name  # noqa: PLC0415 - only for an error

    return says.format(
        name=message_name(name),
        path=name,
        title=message_name(title),
        quoted=quoted_name(title),
        why=os_error_text(error),
    )


def failing_chunks(error: OSError) -> Iterator[str]:
    """A text whose reading fails: that of a directory, which a kernel opens."""
    yield from ()
    raise error


def os_error_text(error: OSError) -> str:
    """What the kernel calls an error."""
    return os.strerror(error.errno) if error.errno else str(error)


def exception_text(error: BaseException) -> str:
    """What Python calls an error, in one line."""
    message = str(error).split("\n", 1)[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
