"""Call: one invocation of a command, and all that the command may use of the shell.

    for source in sh.inputs(files):
        for line in source.lines():
            sh.out.write(line)

A command returns a status (an int) or nothing; or text, which is printed; or a value, printed as
text but captured unchanged by `$(…)`; or it is a generator, whose text chunks the next stage pulls
one by one and whose values become lines of JSON. `sh.warn` makes the status 1.
"""

from __future__ import annotations

import errno
import os

from keysh.diagnostics.exceptions import UnwritableOutput, failure
from keysh.interp.run.pipe_status import valid_status
from keysh.interp.state.call_input import CallReader, command_inputs, input_error_message
from keysh.interp.streams.descriptors import DISCARD_WRITER, Descriptor, device_stream
from keysh.interp.streams.streams import output_text, reader_of
from keysh.schema.binder import InvalidArguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
    from random import Random
    from typing import Any, TypeVar

    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.run.network import Network as Network
    from keysh.interp.run.site import Site
    from keysh.interp.state.call_input import CommandInput
    from keysh.interp.state.call_state import CallState
    from keysh.interp.state.clocks import Clocks
    from keysh.interp.state.progress_report import ProgressReport
    from keysh.interp.streams.streams import Reader, Writer
    from keysh.interp.variables.machine import Machine
    from keysh.vfs.api import Access, Stat
    from keysh.vfs.router import Router
    from keysh.vfs.stream import Stream

    T = TypeVar("T")


class CommandFailure(Exception):
    """A command cannot continue: its message is printed and its status set."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message, self.status = output_text(message), valid_status(status)


class UsageFailure(InvalidArguments):
    """Invalid usage of a command: the message is followed by a pointer to the help.

    The status is the command's usage status, unless another one is passed.
    """

    def __init__(self, message: str, *, status: int = 0) -> None:
        super().__init__("E303", -1, message, status=status)


class Call:
    """One run of one command: its `name`, and its options as they were `given`.

    `out` and `err` are its output streams, `status` is the status if it returns none.
    """

    __module__ = "keysh"
    __slots__ = ("_state", "_stdin", "err", "given", "name", "out", "source", "status")
    site: Site | None = None  # of a stage, whose state may run another command meanwhile

    def __init__(
        self, name: str, state: CallState, stdin: Reader, out: Writer, err: Writer
    ) -> None:
        self.name, self._state = name, state
        self.source, self.out, self.err = stdin, out, err
        self._stdin: CallReader | None = None
        self.given: list[tuple[str, Any]] = []
        self.status = 0

    @property
    def stdin(self) -> CallReader:
        """Standard input, read within the limits of the run."""
        if self._stdin is None:
            self._stdin = CallReader(self.source, self._state)
        return self._stdin

    @property
    def fs(self) -> Router:
        """The file system; it takes absolute paths."""
        return self._state.fs

    @property
    def cwd(self) -> str:
        """The working directory."""
        return self._state.cwd

    @property
    def env(self) -> Mapping[str, str]:
        """The environment: the exported variables as text."""
        return self._state.environment()

    @property
    def umask(self) -> int:
        """The permission bits that new files do not get."""
        return self._state.umask

    @property
    def width(self) -> int:
        """The columns of the terminal that standard output is; 0 if it is none."""
        return self.out.width

    @property
    def machine(self) -> Machine:
        """The machine that scripts see, which is never the host's."""
        from keysh.interp.variables.machine import Machine  # noqa: PLC0415 - for a few commands

        return Machine(self.env)

    @property
    def network(self) -> Network | None:
        """What may be reached over the network; None if nothing."""
        state = self._shell()
        return state.session.network_for(state)  # type: ignore[no-any-return]

    @property
    def progress(self) -> ProgressReport | None:
        """What tells the host how far a long command has come, if it wants to know."""
        return getattr(getattr(self._state, "session", None), "progress", None)

    @property
    def random(self) -> Random:
        """The random number generator, which a host may have seeded."""
        return self._state.random()

    def now(self) -> int:
        """Return the time in nanoseconds since 1970; a host may have fixed it."""
        return self._state.now()

    @property
    def has_real_clock(self) -> bool:
        """Whether the time is the machine's, not one that the host supplies."""
        return self._state.has_real_clock()

    @property
    def clocks(self) -> Clocks:
        """The clocks that tell how long a command takes."""
        return self._shell().session.clocks()  # type: ignore[no-any-return]

    def sleep(self, seconds: float) -> bool:
        """Sleep; return False if a trapped signal cut the sleep short."""
        return self._state.sleep(seconds)

    @property
    def deadline(self) -> float | None:
        """The latest end of the run, on the clock `time.monotonic`; may be set."""
        return self._shell().budget.deadline  # type: ignore[no-any-return]

    @deadline.setter
    def deadline(self, deadline: float | None) -> None:
        self._shell().budget.set_deadline(deadline)

    @property
    def cancel_fd(self) -> int:
        """A file descriptor that becomes readable when the run is cancelled."""
        return self._shell().budget.flag().fd  # type: ignore[no-any-return]

    def tick(self) -> None:
        """Stop the run if it was cancelled; long computations call this now and then."""
        self._state.tick()

    def ticking(self, chunks: Iterable[T]) -> Iterator[T]:
        """Yield the chunks unchanged, calling `tick` between them."""
        for chunk in chunks:
            self._state.tick()
            yield chunk

    @property
    def max_value_bytes(self) -> int:
        """The limit for one value, which is also the limit for one line of input."""
        return self._state.max_value_bytes

    def check_size(self, size: int) -> None:
        """Stop the run if a text of `size` bytes would be more than one value may have."""
        self._state.check_size(size)

    def reserve(self, size: int) -> None:
        """Stop the run if `size` more bytes of memory would be more than it may use."""
        self._state.reserve(size)

    def unpacked(self, size: int) -> None:
        """Count bytes that a command has unpacked, wherever they go."""
        self._state.count_unpacked(size)

    def on_fresh_stack(self, work: Callable[[], T]) -> T:
        """Call `work` with an empty Python stack, for deep recursion; return its result."""
        return self._state.on_fresh_stack(work)

    def start_thread(self, work: Callable[[], object]) -> None:
        """Start `work` on a new thread; it must not use the shell."""
        self._shell().session.services.start_thread(work)

    def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
        """Run a coroutine of the host and return its result."""
        return self._state.run_coroutine(coroutine)

    def report_exception(self, error: BaseException) -> int:
        """Report an exception that a command raised; return the status."""
        return self._state.report_exception(self, error)

    def with_streams(self, stdin: Reader, out: Writer, err: Writer) -> Call:
        """Return a call of the same name with other streams, to run commands with."""
        source = stdin.source if isinstance(stdin, CallReader) else stdin
        return Call(self.name, self._state, source, out, err)

    def is_program(self, name: str) -> bool:
        """Whether a command name means a real program."""
        session: Any = getattr(self._state, "session", None)
        return session is not None and session.services.is_program(self._state, name)

    def run_hidden_program(self, words: Sequence[object]) -> int | None:
        """Run the machine's program of this command's name; None if there is none to run."""
        session: Any = getattr(self._state, "session", None)
        return session and session.services.run_hidden_program(self._state, self, words)  # type: ignore[no-any-return]

    def has_job_ended(self, pid: int) -> bool | None:
        """Whether a job of the shell has ended; None if there is no such job."""
        job = self._shell().session.jobs.job_with_pid(pid)
        return None if job is None else job.status is not None

    def _shell(self) -> AnyState:
        """Return the state, if there is a shell behind it."""
        if not hasattr(self._state, "session"):
            raise self.fail("works only inside a shell")
        return self._state

    def run(
        self,
        words: Sequence[object],
        /,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        launch_error: str = "",
    ) -> int:
        """Run another command with this call's streams; return its status.

        `env` is the complete environment, `cwd` an absolute path. `launch_error` is what the bash
        dialect says in front of the reason if there is no such command: a template of `{name}`, or
        of `{quoted}`, the name in quotes. Otherwise the shell says so.
        """
        return self._state.run_words(self, words, env, cwd, launch_error)

    def warn_of_input(self, says: str, name: str, title: str, error: OSError) -> None:
        """Report an input that cannot be opened or read, with the message template `says`."""
        self.warn(input_error_message(says, name, title, os_error_text(error)))

    def tell(self, text: str) -> None:
        """Print progress or other secondary output; a write error is a warning, not the end."""
        try:
            self.out.write(text)
        except UnwritableOutput as fault:
            self.warn(f"write error: {os_error_text(fault.error)}")
            self.out = DISCARD_WRITER

    def complain(self, text: str, *, as_shell: bool = False) -> None:
        """Print a message, or one of the shell about the command, behind its place."""
        name = "" if as_shell else self.name
        self.err.write(f"{self._state.message_place(name, self.site)}{text}\n")

    def message_place(self, message: str = "") -> str:
        """Return what stands in front of a message of the command."""
        return self._state.message_place(self.name, self.site, message)

    def note(self, message: str) -> None:
        """Print `NAME: message` on standard error; the status is unaffected."""
        self.err.write(f"{self.message_place(message)}{self.name}: {message}\n")

    def warn(self, message: str, status: int = 1) -> None:
        """Print `NAME: message` on standard error; the final status will be at least `status`."""
        self.note(message)
        self.status = max(self.status, status)

    def fail(self, message: str, status: int = 1) -> CommandFailure:
        """Return the exception that ends the command with a message: `raise sh.fail("…")`."""
        return CommandFailure(message, status)

    def require_utf8(self, text: str, fact: str, fix: str) -> None:
        """Raise E202 if the text contains bytes that are not UTF-8."""
        from keysh.interp.run.runtime_diagnostic import require_utf8  # noqa: PLC0415 - for a few commands

        require_utf8(text, fact, fix)

    def path(self, path: str) -> str:
        """Return the absolute path; the empty path raises FileNotFoundError."""
        if not path:
            raise failure(errno.ENOENT, path)
        from keysh.vfs.paths import join  # noqa: PLC0415 - some scripts need no file

        return join(self.cwd, path)

    def stat(self, path: str, *, follow: bool = True) -> Stat | None:
        """Return the stat of a path; None if it does not exist or is not accessible."""
        return self.fs.stat_or_none(self.path(path), follow=follow) if path else None

    def exists(self, path: str, *, follow: bool = True) -> bool:
        """Whether a path exists; without `follow` a dangling link does."""
        return self.stat(path, follow=follow) is not None

    def is_directory(self, path: str, *, follow: bool = True) -> bool:
        """Whether a path is a directory; without `follow` a link to one is not."""
        stat = self.stat(path, follow=follow)
        return stat is not None and stat.is_directory

    def is_link(self, path: str) -> bool:
        """Whether a path is a symbolic link, dangling or not."""
        return (stat := self.stat(path, follow=False)) is not None and stat.is_link

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        """Open a file by the path the user gave; a new file's mode respects the umask."""
        absolute = self.path(path)
        if absolute.startswith("/dev/"):
            device = device_stream(absolute, self, self._state.descriptors)
            if device is not None:
                return device
        try:
            stream = self.fs.open(absolute, access, permissions & ~self._state.umask)
        except PermissionError as refusal:
            from keysh.interp.streams.fifos import open_fifo  # noqa: PLC0415 - fifos are rare

            return open_fifo(self._state, absolute, access, refusal)
        output = self.descriptor(1)
        is_file = output is not None and output.stream is not None
        if access == "r" and (self.out.feeds_file or self.out.fd >= 0 or is_file):
            from keysh.interp.streams.self_output import bounded_input  # noqa: PLC0415 - rare

            return bounded_input(stream, self, self._state)
        return stream

    def open_reader(self, path: str) -> CallReader:
        """Open a file to read its text within the limits of the run."""
        return self.reader_of(self.open(path))

    def reader_of(self, stream: Stream) -> CallReader:
        """Return a reader within the limits of the run that closes the stream at its end."""
        return self.bounded_reader(reader_of(stream))

    def bounded_reader(self, source: Reader) -> CallReader:
        """Return a reader of a source that keeps to the limits of the run."""
        return CallReader(source, self._state)

    def descriptor(self, number: int) -> Descriptor | None:
        """Return an open descriptor of the script; None if the number is not open."""
        return self._state.descriptors.get(number)

    @property
    def input_stream(self) -> Stream | Reader:
        """The stream behind standard input, or else its reader."""
        descriptor = self._state.descriptors.get(0)
        if descriptor is None or descriptor.reader is not self.source or descriptor.stream is None:
            return self.source
        return descriptor.stream

    def is_output(self, stream: Stream | Reader) -> bool:
        """Whether standard output goes to the very file that a stream reads."""
        output = self.output
        if output is None:
            return False
        from keysh.interp.streams.self_output import are_same_file  # noqa: PLC0415 - rare

        return are_same_file(output, stream)

    @property
    def output(self) -> Stream | Writer | None:
        """The file or writer behind standard output, if it may be a file."""
        descriptor = self._state.descriptors.get(1)
        if descriptor is None or descriptor.writer is not self.out:
            return None
        return descriptor.stream or (self.out if self.out.fd >= 0 else None)

    def inputs(
        self,
        files: Iterable[str],
        says: str = "{name}: {why}",
        *,
        reading: str = "",
        default: str = "-",
    ) -> Iterator[CommandInput]:
        """Yield each file as an input; `-`, or no file at all, means standard input.

        One that cannot be opened is reported by `says`, one that cannot be read by `reading`.
        """
        return command_inputs(self, files or (default,), says, reading or says)


def os_error_text(error: OSError) -> str:
    """Return the message of `strerror` for an error; without a number, what the error says."""
    return os.strerror(error.errno) if error.errno else error.strerror or str(error)
