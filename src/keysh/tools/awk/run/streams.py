"""The files and commands that a program reads from and prints to, by name."""

from __future__ import annotations

from functools import partial

from keysh.interp.state.call import Call, os_error_text
from keysh.interp.streams.streams import Reader, Writer, writer_of
from keysh.text.chunks import text_bytes
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.records import RecordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    RunCommand: TypeAlias = Callable[[str], tuple[int, str]]
    from keysh.tools.awk.run.registers import Registers


class CapturedText:
    """The output or the input of a command, collected piece by piece; no larger than a value."""

    __slots__ = ("_call", "_pieces", "_size")

    def __init__(self, call: Call) -> None:
        self._call = call
        self._pieces: list[str] = []
        self._size = 0

    def add(self, piece: str) -> None:
        """Append a piece."""
        self._size += text_bytes(piece)
        self._call.check_size(self._size)
        self._pieces.append(piece)

    def text(self) -> str:
        """Return the whole text."""
        return "".join(self._pieces)


# Coprocesses: `print x |& command` and `command |& getline`.


class Coprocess:
    """A command that runs once, when first read from, with all that was printed to it as input."""

    __slots__ = ("_has_run", "_input", "_name", "_run", "_status")

    def __init__(self, name: str, run: RunCommand, call: Call) -> None:
        self._name, self._run = name, run
        self._input = CapturedText(call)
        self._status = 0
        self._has_run = False

    def write(self, piece: str) -> None:
        """Add to the input of the command."""
        if self._has_run:
            raise AwkFatal(f"print to `{self._name}', which has already run")
        self._input.add(piece)

    def read_output(self) -> str:
        """Run the command and return its output."""
        self._has_run = True
        self._status, text = self._run(self._input.text())
        return text

    def close(self) -> float:
        """Return the status of the command. Run it if nothing has read from it."""
        if not self._has_run:
            self.read_output()
        return float(self._status)


MAX_OPEN_STREAMS = 1000
STANDARD_STREAMS = ("/dev/stdout", "/dev/stderr")  # always open


class OutputStream:
    """A file, or a command that gets all its input when it is closed."""

    __slots__ = ("close", "flush", "write")

    def __init__(
        self, put: Callable[[str], object], flush: Callable[[], None], close: Callable[[], float]
    ) -> None:
        self.write, self.flush, self.close = put, flush, close


class OpenStreams:
    """All open streams. A name is at most one input and one output."""

    __slots__ = ("_coprocesses", "_inputs", "_outputs", "_registers", "_statuses")

    def __init__(self, registers: Registers) -> None:
        self._registers = registers
        self._inputs: dict[tuple[str, str], RecordReader] = {}
        self._outputs: dict[tuple[str, str], OutputStream] = {}
        self._coprocesses: dict[str, Coprocess] = {}
        self._statuses: dict[tuple[str, str], int] = {}  # of commands read from

    # ------------------------------------------------------------ reading

    def next_record(self, kind: str, name: str) -> str | float:
        """Return the next record of a file or command; 0 at its end, -1 on failure."""
        registers = self._registers
        key = (kind, name)
        try:
            reader = self._inputs.get(key)
            if reader is None:
                reader = self.open_input(key)
            record = reader.next_record(registers.separator)
        except OSError as error:
            registers.ERRNO = os_error_text(error)
            return -1.0
        if record is None:
            return 0.0
        registers.RT = reader.terminator
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
            reader = RecordReader(Reader([text]), sh)
        elif kind == "coprocess":
            reader = RecordReader(Reader([self.coprocess(name).read_output()]), sh)
        elif name in ("-", "/dev/stdin"):
            reader = RecordReader(Reader(sh.stdin), sh)  # never closed
        else:
            reader = RecordReader(sh.open_reader(name), sh)
        self._inputs[key] = reader
        return reader

    # ------------------------------------------------------------ printing

    def put(self, kind: str, name: str) -> Callable[[str], object]:
        """Return the function that writes to a file (`>`, `>>`) or a command (`|`, `|&`).

        A file that is open already is open for both; the first of `>` and `>>` decides how.
        """
        key = (">" if kind == ">>" else kind, name)
        output = self._outputs.get(key)
        if output is None:
            if not name:
                what = "expression for `" + kind + "' redirection has null string value"
                raise AwkFatal(what)
            if kind == "|&":
                return self.coprocess(name).write
            output = self._outputs[key] = self.open_output(kind, name)
        return output.write

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
        buffer = FileBuffer(writer_of(stream), name)

        def close() -> float:
            try:
                buffer.flush('flush to "{}"')
            finally:
                stream.close()
            return 0.0

        return OutputStream(buffer.write, partial(buffer.flush, "file flush of `{}'"), close)

    def coprocess(self, name: str) -> Coprocess:
        """Return the coprocess for a command; create it if needed."""
        coprocess = self._coprocesses.get(name)
        if coprocess is None:
            environment = self._registers.environment()

            def run(input_text: str) -> tuple[int, str]:
                self._registers.flush()
                self.flush()
                return capture_output(self._registers.sh, name, Reader([input_text]), environment)

            self.check_stream_count()
            coprocess = self._coprocesses[name] = Coprocess(name, run, self._registers.sh)
        return coprocess

    def command_output(self, text: str) -> OutputStream:
        input_text = CapturedText(self._registers.sh)

        def close() -> float:
            registers.open_command_pipes -= 1
            return float(run_with_input(registers.sh, text, input_text.text(), environment))

        registers = self._registers
        environment = registers.environment()
        registers.flush()
        registers.open_command_pipes += 1
        return OutputStream(input_text.add, flush_nothing, close)

    # ------------------------------------------------------------ flush and close

    def check_stream_count(self) -> None:
        """Raise an error if too many streams are open."""
        if len(self._inputs) + len(self._outputs) + len(self._coprocesses) >= MAX_OPEN_STREAMS:
            raise AwkFatal(f"more than {MAX_OPEN_STREAMS} files and commands are open")

    def flush(self, name: str = "") -> str:
        """Flush a file or command, or all. Return what is wrong with the name, if anything."""
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
        """Close the streams of a name and return the status; -1 if there are none.

        Closing only the "to" end of a coprocess needs no action: it runs when first read from.
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
        """Close all streams at the end of the program, the last opened output first."""
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
    """A buffer in front of a file."""

    __slots__ = ("_name", "_pieces", "_size", "_writer")

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer, self._name, self._size = writer, name, 0
        self._pieces: list[str] = []

    def write(self, text: str) -> None:
        """Add text to the buffer."""
        self._pieces.append(text)
        self._size += len(text)
        if self._size > 65536:
            self.flush('print to "{}"')

    def flush(self, action: str) -> None:
        """Write the buffer. `action` names the operation in an error message."""
        pieces, self._pieces, self._size = self._pieces, [], 0
        try:
            self._writer.write("".join(pieces))
        except OSError as error:
            raise AwkFatal(f"{action.format(self._name)} failed: {os_error_text(error)}") from None


def flush_nothing() -> None:
    """Flush a stream that has no buffer."""


def close_nothing() -> float:
    """Close a stream that stays open."""
    return 0.0


# Three ways to run a command: with the streams of the call, capturing its output, or with given
# input. A command runs with the streams of the Call object.


def run_shell_command(sh: Call, text: str, environment: dict[str, str] | None) -> int:
    """Run a shell command with awk's own streams."""
    return sh.run(["sh", "-c", text], env=environment)


def capture_output(
    sh: Call, text: str, stdin: Reader, environment: dict[str, str] | None
) -> tuple[int, str]:
    """Run a shell command with an input, and return its status and output."""
    output = CapturedText(sh)
    stage = sh.with_streams(stdin, Writer(output.add), sh.err)
    return run_shell_command(stage, text, environment), output.text()


def run_with_input(sh: Call, text: str, input_text: str, environment: dict[str, str] | None) -> int:
    """Run a shell command with a text as its input."""
    stage = sh.with_streams(Reader([input_text]), sh.out, sh.err)
    return run_shell_command(stage, text, environment)
