"""CommandInput: one input of a command, a file or standard input, with its read errors reported."""

from __future__ import annotations

from keysh.text.chunks import bare_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol, TypeVar

    from keysh.interp.streams.streams import Reader, Writer
    from keysh.text.chunks import LineBlock
    from keysh.vfs.api import Stream

    T = TypeVar("T")

    class InputCall(Protocol):
        """The part of a call that its inputs use."""

        @property
        def output(self) -> Stream | Writer | None: ...
        @property
        def input_stream(self) -> Stream | Reader: ...
        def tick(self) -> None: ...
        def warn_of_input(self, says: str, name: str, title: str, error: OSError) -> None: ...


class CommandInput:
    """One input of a command: its name as the user wrote it, and its content."""

    __slots__ = ("_call", "_read_error", "_reader", "_stream", "name")

    def __init__(
        self,
        call: InputCall,
        name: str,
        reader: Reader,
        read_error: str,
        stream: Stream | None = None,
    ) -> None:
        self._call, self._reader, self._stream = call, reader, stream
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
            self._call.warn_of_input(self._read_error, self.name, self.title, error)


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
