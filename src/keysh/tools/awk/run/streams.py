"""Streams: the files and commands that a program reads from and prints to, by their names."""

from __future__ import annotations

from functools import partial

from keysh.interp.state.call import Call, os_error_text
from keysh.interp.streams.streams import Reader, Writer, reader_of, writer_of
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.records import RecordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    RunCommand: TypeAlias = Callable[[str], tuple[int, str]]
    from keysh.tools.awk.run.registers import Registers


# Coprocesses: `print x |& command`, and `command |& getline` for what it makes of that.

MAX_COPROCESS_CHARACTERS = 1 << 28  # characters that may be printed to one


class Coprocess:
    """A command that runs once, when it is first asked: with all that is printed to it before."""

    __slots__ = ("_has_run", "_pending", "_name", "_run", "_size", "_status")

    def __init__(self, name: str, run: RunCommand) -> None:
        self._name, self._run = name, run
        self._pending: list[str] = []
        self._size = self._status = 0
        self._has_run = False

    def write(self, piece: str) -> None:
        """Print to it."""
        if self._has_run:
            raise AwkFatal(f"print to `{self._name}', which has answered and gone")
        self._size += len(piece)
        if self._size > MAX_COPROCESS_CHARACTERS:
            raise AwkFatal(
                f"more than {MAX_COPROCESS_CHARACTERS} characters printed to `{self._name}'"
            )
        self._pending.append(piece)

    def read_output(self) -> str:
        """All that it prints."""
        self._has_run = True
        self._status, text = self._run("".join(self._pending))
        return text

    def close(self) -> float:
        """Its status; it has run then, be it for nobody."""
        if not self._has_run:
            self.read_output()
        return float(self._status)


MAX_OPEN_STREAMS = 1000
STANDARD_STREAMS = ("/dev/stdout", "/dev/stderr")  # these are always open
MAX_CAPTURED_CHARACTERS = 1 << 28  # characters that a command's output, or its input, may hold


class OutputStream:
    """What is printed to: a file, or a command, which gets all of it when it is closed."""

    __slots__ = ("close", "flush", "write")

    def __init__(
        self, put: Callable[[str], object], flush: Callable[[], None], close: Callable[[], float]
    ) -> None:
        self.write, self.flush, self.close = put, flush, close


class OpenStreams:
    """All streams that are open. A name stands for one input and one output at most."""

    __slots__ = ("_coprocesses", "_inputs", "_outputs", "_registers", "_statuses")

    def __init__(self, registers: Registers) -> None:
        self._registers = registers
        self._inputs: dict[tuple[str, str], RecordReader] = {}
        self._outputs: dict[tuple[str, str], OutputStream] = {}
        self._coprocesses: dict[str, Coprocess] = {}
        self._statuses: dict[tuple[str, str], int] = {}  # of commands that were read from

    # ------------------------------------------------------------ reading

    def next_record(self, kind: str, name: str) -> str | float:
        """The next record of a file or command; 0 at its end, -1 where it cannot be read."""
        registers = self._registers
        key = (kind, name)
        try:
            found = self._inputs.get(key)
            if found is None:
                found = self.open_input(key)
            record = found.next_record(registers.separator)
        except OSError as error:
            registers.ERRNO = os_error_text(error)
            return -1.0
        if record is None:
            return 0.0
        registers.RT = found.terminator
        return record

    def open_input(self, key: tuple[str, str]) -> RecordReader:
        kind, name = key
        sh = self._registers.sh
        self.check_stream_count()
        if not name:
            sign = {"file": "<", "command": "|", "coprocess": "|&"}[kind]
            raise AwkFatal(f"expression for `{sign}' redirection has null string value")
        if kind == "command":
            self._registers.flush()
            self.flush()
            self._statuses[key], text = capture_output(
                sh, name, sh.stdin, self._registers.environment()
            )
            made = RecordReader(Reader([text]))
        elif kind == "coprocess":
            made = RecordReader(Reader([self.coprocess(name).read_output()]))
        elif name in ("-", "/dev/stdin"):
            made = RecordReader(Reader(sh.stdin))  # which is not closed: others read on
        else:
            made = RecordReader(reader_of(sh.open(name)))
        self._inputs[key] = made
        return made

    # ------------------------------------------------------------ printing

    def put(self, kind: str, name: str) -> Callable[[str], object]:
        """The function that prints to a file (`>`, `>>`) or command (`|`)."""
        found = self._outputs.get((kind, name))
        if found is None:
            if not name:
                what = "expression for `" + kind + "' redirection has null string value"
                raise AwkFatal(what)
            if kind == "|&":
                return self.coprocess(name).write
            found = self._outputs[(kind, name)] = self.open_output(kind, name)
        return found.write

    def open_output(self, kind: str, name: str) -> OutputStream:
        registers = self._registers
        self.check_stream_count()
        if name in ("/dev/stdout", "-") and kind != "|":
            return OutputStream(registers.out.append, registers.flush, close_nothing)
        if name == "/dev/stderr" and kind != "|":
            return OutputStream(registers.sh.err.write, flush_nothing, close_nothing)
        return self.command_output(name) if kind == "|" else self.file_output(kind, name)

    def file_output(self, kind: str, name: str) -> OutputStream:
        try:
            stream = self._registers.sh.open(name, "w" if kind == ">" else "a")
        except OSError as error:
            raise AwkFatal(f"cannot redirect to `{name}': {os_error_text(error)}") from None
        held = FileBuffer(writer_of(stream), name)

        def close() -> float:
            try:
                held.flush('flush to "{}"')
            finally:
                stream.close()
            return 0.0

        return OutputStream(held.write, partial(held.flush, "file flush of `{}'"), close)

    def coprocess(self, name: str) -> Coprocess:
        """The command that is printed to and read from."""
        found = self._coprocesses.get(name)
        if found is None:
            environment = self._registers.environment()

            def run(given: str) -> tuple[int, str]:
                self._registers.flush()
                self.flush()
                return capture_output(self._registers.sh, name, Reader([given]), environment)

            self.check_stream_count()
            found = self._coprocesses[name] = Coprocess(name, run)
        return found

    def command_output(self, text: str) -> OutputStream:
        held: list[str] = []
        size = 0

        def put(piece: str) -> None:
            nonlocal size
            size += len(piece)
            if size > MAX_CAPTURED_CHARACTERS:
                raise AwkFatal(
                    f"more than {MAX_CAPTURED_CHARACTERS} characters printed to `{text}'"
                )
            held.append(piece)

        def close() -> float:
            registers.open_command_pipes -= 1
            return float(run_with_input(registers.sh, text, "".join(held), environment))

        registers = self._registers
        environment = registers.environment()
        registers.flush()
        registers.open_command_pipes += 1
        return OutputStream(put, flush_nothing, close)

    # ------------------------------------------------------------ all of them

    def check_stream_count(self) -> None:
        """Refuse one stream too many."""
        if len(self._inputs) + len(self._outputs) + len(self._coprocesses) >= MAX_OPEN_STREAMS:
            raise AwkFatal(f"more than {MAX_OPEN_STREAMS} files and commands are open")

    def flush(self, name: str = "") -> str:
        """What is printed so far, to a file or command or to all, is written; what is wrong with
        the name.
        """
        outputs = [self._outputs[key] for key in self._outputs if name in ("", key[1])]
        for output in outputs:
            output.flush()
        if outputs or name in ("", *STANDARD_STREAMS, *self._coprocesses):
            return ""
        for kind, _ in [key for key in self._inputs if key[1] == name]:
            what = "file" if kind == "file" else "pipe"
            return f"cannot flush: {what} `{name}' opened for reading, not writing"
        return f"`{name}' is not an open file, pipe or co-process"

    def close(self, name: str, end: str = "") -> float:
        """Close what has a name; -1 if nothing has. A coprocess, of which the end that is printed
        to may be closed by itself, has got all when it is first asked.
        """
        self._registers.flush()
        if name in self._coprocesses and end == "to":
            return 0.0
        status = -1.0
        for output_key in [key for key in self._outputs if key[1] == name]:
            status = self._outputs.pop(output_key).close()
        for key in [key for key in self._inputs if key[1] == name]:
            self._inputs.pop(key).close()
            status = float(self._statuses.pop(key, 0))
        if name in self._coprocesses:
            status = self._coprocesses.pop(name).close()
        return status

    def close_all(self) -> None:
        """The end of the program: what was opened last is closed first."""
        while self._outputs:
            try:
                self._outputs.popitem()[1].close()
            except AwkFatal as error:
                raise AwkFatal(error.message, has_place=False) from None
        while self._coprocesses:
            self._coprocesses.popitem()[1].close()
        while self._inputs:
            self._inputs.popitem()[1].close()


class FileBuffer:
    """A file's text, held back until there is enough to write."""

    __slots__ = ("_name", "_pieces", "_size", "_writer")

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer, self._name, self._size = writer, name, 0
        self._pieces: list[str] = []

    def write(self, text: str) -> None:
        """Print."""
        self._pieces.append(text)
        self._size += len(text)
        if self._size > 65536:
            self.flush('print to "{}"')

    def flush(self, act: str) -> None:
        """Write what was held back; where that fails, the act has failed."""
        pieces, self._pieces, self._size = self._pieces, [], 0
        try:
            self._writer.write("".join(pieces))
        except OSError as error:
            raise AwkFatal(f"{act.format(self._name)} failed: {os_error_text(error)}") from None


def flush_nothing() -> None:
    """To write what is written already."""


def close_nothing() -> float:
    """To close what stays open."""
    return 0.0


# The three ways to run a command: with the streams of the call, with its output taken, with an
# input given. A call's streams are those of the commands that it runs.


def run_shell_command(sh: Call, text: str, environment: dict[str, str] | None) -> int:
    """Run a script where awk stands."""
    return sh.run(["sh", "-c", text], env=environment)


def capture_output(
    sh: Call, text: str, stdin: Reader, environment: dict[str, str] | None
) -> tuple[int, str]:
    """Run a script with an input; its status and what it has printed."""
    pieces: list[str] = []
    size = 0

    def put(piece: str) -> None:
        nonlocal size
        size += len(piece)
        if size > MAX_CAPTURED_CHARACTERS:
            raise AwkFatal(f"`{text}' has printed more than {MAX_CAPTURED_CHARACTERS} characters")
        pieces.append(piece)

    status = run_shell_command(sh.with_streams(stdin, Writer(put), sh.err), text, environment)
    return status, "".join(pieces)


def run_with_input(sh: Call, text: str, given: str, environment: dict[str, str] | None) -> int:
    """Run a script with an input."""
    return run_shell_command(sh.with_streams(Reader([given]), sh.out, sh.err), text, environment)
