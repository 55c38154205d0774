"""Call: one invocation of a command, and all that the command may use of the shell.

    for source in sh.inputs(files):
        for line in source.lines():
            sh.out.write(line)

A command returns nothing or a status (an int); or text, which is printed; or a value, which is
printed as text but captured unchanged by `$(…)`; or it is a generator, whose text chunks the next
stage of a pipeline pulls one by one and whose values become lines of JSON. `sh.warn` makes the
status 1.
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
        """The part of the shell's state that calls use."""

        cwd: str
        flags: int  # the options of the shell
        umask: int

        @property
        def parent(self) -> CallState | None:
            """The state this one was forked from."""

        @property
        def descriptors(self) -> Mapping[int, Descriptor]:
            """The open descriptors by number."""

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
            """Run a command with the streams of `call`; return its status."""

        def tick(self) -> None:
            """Stop the run if it is cancelled or out of time."""

        def count_unpacked(self, size: int) -> None:
            """Count unpacked bytes; stop the run if they exceed the limit."""

        def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
            """Run a coroutine of the host and return its result."""

        def on_fresh_stack(self, work: Callable[[], T]) -> T:
            """Call `work` on a fresh stack and return its result."""

        def report_exception(self, call: Call, error: BaseException) -> int:
            """Report an exception that a command raised; return the status."""

        def now(self) -> int:
            """Return the time in nanoseconds since 1970."""

        def has_real_clock(self) -> bool:
            """Whether the clock is the machine's, not one supplied by the host."""

        def random(self) -> Random:
            """Return the random number generator."""

        def sleep(self, seconds: float) -> bool:
            """Sleep; return False if a trapped signal cut the sleep short."""


class CommandFailure(Exception):
    """A command cannot continue: its message is printed and its status set."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class UsageFailure(InvalidArguments):
    """Invalid usage of a command: the message is followed by a pointer to the help.

    The status is the command's usage status, unless another one is passed.
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
        self.given: list[tuple[str, Any]] = []  # the options in command-line order
        self.status = 0
        self.repeated_call: tuple[Command, ConstantArguments] | None = (
            None  # the call site, if its words are constant
        )

    @property
    def fs(self) -> Router:
        """The file system; it takes absolute paths."""
        return self.state.fs

    @property
    def cwd(self) -> str:
        """The working directory."""
        return self.state.cwd

    @property
    def env(self) -> Mapping[str, str]:
        """The environment: the exported variables as text."""
        return self.state.environment()

    @property
    def random(self) -> Random:
        """The random number generator, which a host may have seeded."""
        return self.state.random()

    def now(self) -> int:
        """Return the time in nanoseconds since 1970; a host may have fixed it."""
        return self.state.now()

    def tick(self) -> None:
        """Stop the run if it was cancelled; long computations call this now and then."""
        self.state.tick()

    def ticking(self, chunks: Iterable[T]) -> Iterator[T]:
        """Yield the chunks unchanged, calling `tick` between them."""
        for chunk in chunks:
            self.state.tick()
            yield chunk

    def unpacked(self, size: int) -> None:
        """Count bytes that a command has unpacked, wherever they go."""
        self.state.count_unpacked(size)

    def run(
        self,
        words: Sequence[object],
        /,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> int:
        """Run another command with this call's streams; return its status.

        `env` is the complete environment, `cwd` an absolute path.
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
        """Print progress or other secondary output; a write error is a warning, not the end."""
        try:
            self.out.write(text)
        except UnwritableOutput as fault:
            self.warn(f"write error: {os_error_text(fault.error)}")
            self.out = DISCARD_WRITER

    def note(self, message: str) -> None:
        """Print `NAME: message` on standard error; the status is unaffected."""
        self.err.write(f"{self.name}: {message}\n")

    def warn(self, message: str, status: int = 1) -> None:
        """Print `NAME: message` on standard error; the final status will be at least `status`."""
        self.note(message)
        self.status = max(self.status, status)

    def fail(self, message: str, status: int = 1) -> CommandFailure:
        """Return the exception that ends the command with a message: `raise sh.fail("…")`."""
        return CommandFailure(message, status)

    def path(self, path: str) -> str:
        """Return the absolute path; the empty path raises FileNotFoundError."""
        if not path:
            raise failure(errno.ENOENT, path)
        from keysh.vfs.paths import join  # noqa: PLC0415 - some scripts need no file

        return join(self.cwd, path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        """Open a file by the path the user gave; a new file's mode respects the umask."""
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
        """Whether descriptor 1 of the script is an open file."""
        found = self.state.descriptors.get(1)
        return found is not None and found.stream is not None

    @property
    def output(self) -> Stream | Writer | None:
        """The file or writer behind standard output, if it may be a file."""
        found = self.state.descriptors.get(1)
        if found is None or found.writer is not self.out:
            return None
        return found.stream or (self.out if self.out.fd >= 0 else None)

    def _device(self, path: str) -> Stream | None:
        """Return this call's stream for `/dev/stdin` or `/dev/fd/N`; None for any other path."""
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
        """Yield each file as an input; `-`, or no file at all, means standard input.

        A file that cannot be opened is reported with the message template `says` and skipped.
        `reading` is the template for a file that opens but cannot be read, such as a directory,
        if that differs.
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
    """One input of a command: its name as the user wrote it, and its content."""

    __slots__ = ("_call", "_reader", "_says", "_stream", "name")

    def __init__(
        self, call: Call, name: str, reader: Reader, says: str, stream: Stream | None = None
    ) -> None:
        self._call, self._reader, self._says, self._stream = call, reader, says, stream
        self.name = name

    @property
    def is_output(self) -> bool:
        """Whether the command's output goes to this very file, and the file is not empty."""
        output = self._call.output
        if output is None:
            return False
        from keysh.interp.streams.self_output import are_same_file, input_stream  # noqa: PLC0415 - as in `open`

        source = self._stream or input_stream(self._call)
        return are_same_file(output, source) and self._reader.has_more()

    @property
    def title(self) -> str:
        """The name shown in messages and headers."""
        return "standard input" if self.name == "-" else self.name

    def chunks(self) -> Iterator[str]:
        """Yield the text in chunks; a read error ends it with a warning."""
        return self._guarded(self._reader.chunks())

    def data(self) -> Iterator[bytes]:
        """Yield the content in blocks of bytes; a read error ends it with a warning."""
        return self._guarded(self._reader.data())

    def octets(self) -> Iterator[str]:
        """Yield the content in chunks of octets: one character for each byte."""
        return self._guarded(self._reader.octets())

    def bare_lines(self, end: str = "\n") -> Iterator[list[str]]:
        """Yield lists of lines in octets, without their terminators."""
        reader = self._reader
        return bare_lines(
            self._guarded(reader.line_blocks() if end == "\n" else reader.octets()), end
        )

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        """Yield chunks whose newlines can be counted without decoding the text."""
        return self._guarded(self._reader.countable_chunks())

    def newlines(self) -> int:
        """Return the number of newlines."""
        return sum(self._guarded(self._reader.newlines()))

    def lines(self, end: str = "\n") -> Iterator[str]:
        """Yield the lines, each with its terminator."""
        return self._guarded(self._reader.lines(end))

    def read(self) -> str:
        """Return the whole text."""
        return "".join(self.chunks())

    def push_back(self, text: str) -> None:
        """Return the unused end of the last chunk to the reader."""
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
    """Fill in a command's message template for a file that cannot be read."""
    from keysh.text.gnu_quoting import message_name, quoted_name  # noqa: PLC0415 - only for an error

    return says.format(
        name=message_name(name),
        path=name,
        title=message_name(title),
        quoted=quoted_name(title),
        why=os_error_text(error),
    )


def failing_chunks(error: OSError) -> Iterator[str]:
    """Return chunks that fail when read: a kernel opens a directory, too."""
    yield from ()
    raise error


def os_error_text(error: OSError) -> str:
    """Return the message of `strerror` for an error."""
    return os.strerror(error.errno) if error.errno else str(error)


def exception_text(error: BaseException) -> str:
    """Return the type and the first line of an exception's message."""
    message = str(error).split("\n", 1)[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
