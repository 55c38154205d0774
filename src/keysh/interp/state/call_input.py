"""What a command reads: CallReader keeps to the limits of the run, CommandInput reports errors.

A command never sees the bare readers of pipes and files. It reads through a CallReader, which looks
at the deadline and the memory of the run at each chunk and refuses a line that is longer than a
value may be. So no command has to remember that its input may be endless.
"""

from __future__ import annotations

from keysh.interp.streams.streams import Reader
from keysh.text.chunks import (
    MAX_CHUNK_BYTES,
    bare_lines,
    join_chunks,
    lines,
    text_bytes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol, TypeVar

    from keysh.interp.streams.streams import Writer
    from keysh.text.chunks import LineBlock
    from keysh.vfs.stream import Stream

    T = TypeVar("T")

    class RunLimits(Protocol):
        """The part of a state that keeps its readers within the limits of the run."""

        def tick(self) -> None: ...
        def check_size(self, size: int) -> None: ...
        def reserve(self, size: int) -> None: ...

    class InputCall(Protocol):
        """The part of a call that its inputs use."""

        @property
        def output(self) -> Stream | Writer | None: ...
        @property
        def input_stream(self) -> Stream | Reader: ...
        @property
        def stdin(self) -> CallReader: ...
        def open(self, path: str) -> Stream: ...
        def reader_of(self, stream: Stream) -> CallReader: ...
        def bounded_reader(self, source: Reader) -> CallReader: ...
        def warn_of_input(self, says: str, name: str, title: str, error: OSError) -> None: ...


class CallReader(Reader):
    """Reads a source for one call, within the limits of its run.

    The source may be shared with other calls, on other threads too, which read it within their own
    limits. What is not read stays in the source.
    """

    __slots__ = ("_tick", "check_size", "reserve", "source")

    def __init__(self, source: Reader, limits: RunLimits) -> None:
        self.source = source
        self._tick, self.check_size = limits.tick, limits.check_size
        self.reserve = limits.reserve

    @property
    def fd(self) -> int:  # type: ignore[override]
        return self.source.fd

    def chunks(self) -> Iterator[str]:
        return self._ticking(self.source.chunks())

    def data(self) -> Iterator[bytes]:
        return self._ticking(self.source.data())

    def octets(self) -> Iterator[str]:
        return self._ticking(self.source.octets())

    def line_blocks(self) -> Iterator[str | LineBlock]:
        return self._ticking(self.source.line_blocks())

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        return self._ticking(self.source.countable_chunks())

    def newlines(self) -> Iterator[int]:
        return self._ticking(self.source.newlines())

    def lines(self, terminator: str = "\n") -> Iterator[str]:
        return lines(self.chunks(), self.check_size, terminator)

    def read(self) -> str:
        """Return the rest, which may be as long as a value."""
        return join_chunks(self.chunks(), self.check_size)

    def read_data(self) -> bytes:
        """Return the rest as bytes, which may be as many as a value has."""
        pieces: list[bytes] = []
        size = 0
        for data in self.data():
            size += len(data)
            self.check_size(size)
            pieces.append(data)
        return b"".join(pieces)

    def whole_data(self) -> bytes:
        """Return the rest as bytes, which may be as many as the memory of the run allows."""
        return joined_data(self.data(), self.reserve)

    def read_line(self, terminator: str = "\n") -> str:
        return self._read_until(terminator, None)

    def read_part(self, max_chars: int, terminator: str = "") -> str:
        return self._read_until(terminator, max_chars)

    def _read_until(self, terminator: str, max_chars: int | None) -> str:
        pieces: list[str] = []
        size = 0
        while max_chars is None or max_chars > 0:
            asked = MAX_CHUNK_BYTES if max_chars is None else min(max_chars, MAX_CHUNK_BYTES)
            piece = self.source.read_part(asked, terminator)
            pieces.append(piece)
            if len(piece) < asked or (terminator and piece.endswith(terminator)):
                break  # at the end of the input, or of the line
            if max_chars is not None:
                max_chars -= asked
            size += text_bytes(piece)
            self.check_size(size)
            self._tick()
        return "".join(pieces)

    def unread_text(self) -> str:
        return self.source.unread_text()

    def push_back(self, text: str) -> None:
        self.source.push_back(text)

    def lend(self) -> int:
        return self.source.lend()

    def close(self) -> None:
        self.source.close()

    def __enter__(self) -> CallReader:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _ticking(self, pieces: Iterator[T]) -> Iterator[T]:
        tick = self._tick
        for piece in pieces:
            tick()
            yield piece


class CommandInput:
    """One input of a command: its name as the user wrote it, and its content."""

    __slots__ = ("_call", "_check_size", "_read_error", "_reader", "_stream", "name")

    def __init__(
        self,
        call: InputCall,
        name: str,
        reader: CallReader,
        read_error: str,
        stream: Stream | None = None,
    ) -> None:
        self._call, self._reader, self._stream = call, reader, stream
        self._check_size = reader.check_size
        self._read_error = read_error  # the message template for an error
        self.name = name

    @property
    def is_output(self) -> bool:
        """Whether the command's output goes to this file, and the file is not empty."""
        output = self._call.output
        if output is None:
            return False
        from keysh.interp.streams.self_output import are_same_file  # noqa: PLC0415 - rarely a file

        source = self._stream or self._call.input_stream
        return are_same_file(output, source) and self._reader.has_more()

    @property
    def title(self) -> str:
        """The name shown in messages and headers."""
        return "standard input" if self.name == "-" else self.name

    def chunks(self) -> Iterator[str]:
        """Yield the text in chunks; a read error ends it with a warning."""
        return self._reporting(self._reader.chunks())

    def data(self) -> Iterator[bytes]:
        """Yield the content in blocks of bytes; a read error ends it with a warning."""
        return self._reporting(self._reader.data())

    def octets(self) -> Iterator[str]:
        """Yield the content in chunks of octets: one character for each byte."""
        return self._reporting(self._reader.octets())

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        """Yield chunks whose newlines can be counted without decoding the text."""
        return self._reporting(self._reader.countable_chunks())

    def newlines(self) -> int:
        """Return the number of newlines."""
        return sum(self._reporting(self._reader.newlines()))

    def lines(self, end: str = "\n") -> Iterator[str]:
        """Yield the lines, each with its terminator."""
        return lines(self.chunks(), self._check_size, end)

    def bare_lines(self, end: str = "\n") -> Iterator[list[str]]:
        """Yield lists of lines in octets, without their terminators."""
        reader = self._reader
        chunks = reader.line_blocks() if end == "\n" else reader.octets()
        return bare_lines(self._reporting(chunks), self._check_size, end)

    def read(self) -> str:
        """Return the whole text, which may be as long as a value."""
        return join_chunks(self.chunks(), self._check_size)

    def whole_text(self) -> str:
        """Return the whole text, which may be as long as the memory of the run allows."""
        pieces = list(self.chunks())
        self._reader.reserve(sum(map(text_bytes, pieces)))
        return "".join(pieces)

    def whole_data(self) -> bytes:
        """Return the whole content, which may be as long as the memory of the run allows."""
        return joined_data(self.data(), self._reader.reserve)

    def push_back(self, text: str) -> None:
        """Return the unused end of the last chunk to the reader."""
        self._reader.push_back(text)

    def _reporting(self, pieces: Iterator[T]) -> Iterator[T]:
        try:
            # Not `yield from`: that would close the source when a partial reader is dropped.
            for piece in pieces:  # noqa: UP028
                yield piece
        except OSError as error:
            self._call.warn_of_input(self._read_error, self.name, self.title, error)


def joined_data(blocks: Iterator[bytes], reserve: Callable[[int], None]) -> bytes:
    """Join blocks that come within the limits of a run, if there is memory for them twice."""
    pieces = list(blocks)
    reserve(sum(map(len, pieces)))
    return b"".join(pieces)


def command_inputs(
    call: InputCall, names: Iterable[str], says: str, reading: str
) -> Iterator[CommandInput]:
    """Yield the inputs of these names and close each; report what cannot be opened."""
    for name in names:
        if name == "-":
            yield CommandInput(call, name, call.stdin, reading)
            continue
        stream: Stream | None = None
        try:
            stream = call.open(name)
            reader = call.reader_of(stream)
        except IsADirectoryError as error:
            reader = call.bounded_reader(Reader(failing_chunks(error)))
        except OSError as error:
            call.warn_of_input(says, name, name, error)
            continue
        try:
            yield CommandInput(call, name, reader, reading, stream)
        finally:
            try:
                reader.close()
            except OSError as error:  # of a host's stream
                call.warn_of_input(reading, name, name, error)


def input_error_message(template: str, name: str, title: str, why: str) -> str:
    """Fill in a command's message template for a file that cannot be read."""
    from keysh.text.gnu_quoting import message_name, quoted_name  # noqa: PLC0415 - only for an error

    return template.format(
        name=message_name(name),
        path=name,
        title=message_name(title),
        quoted=quoted_name(title),
        why=why,
    )


def failing_chunks(error: OSError) -> Iterator[str]:
    """Return chunks that fail when read: a kernel opens a directory, too."""
    yield from ()
    raise error
