"""Reader and Writer: the standard streams of a command."""

from __future__ import annotations

from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.text.chunks import bytes_of_text, decode_chunks, lines, no_limit, read_chunks
from keysh.values import plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from keysh.text.chunks import LineBlock
    from keysh.vfs.stream import Stream

    class ByteTarget(Protocol):
        """Something that takes bytes."""

        def write(self, data: bytes, /) -> int: ...


GENERATOR_TYPE = type(_ for _ in ())


class Reader:
    """Text that arrives in chunks. Reading consumes it; the next reader continues there."""

    __slots__ = ("_at", "_chunks", "_close", "_rest")

    fd = -1  # file descriptor of the host, if this is just an open file

    def __init__(self, chunks: Iterable[str], close: Callable[[], None] | None = None) -> None:
        self._chunks = iter(chunks)
        self._close = close
        self._rest = ""  # text already taken from the chunks; unread from `_at` on
        self._at = 0

    def __iter__(self) -> Iterator[str]:
        return self.chunks()

    def chunks(self) -> Iterator[str]:
        """Yield the rest in chunks."""
        if not self._rest and self._chunks.__class__ is not GENERATOR_TYPE:
            return self._chunks
        return self._with_rest()

    def _with_rest(self) -> Iterator[str]:
        if rest := self._take_rest():
            yield rest
        # Not `yield from`: that would close the source when a partial reader is dropped.
        for chunk in self._chunks:  # noqa: UP028
            yield chunk

    def lines(self, terminator: str = "\n") -> Iterator[str]:
        """Yield the rest in lines."""
        return lines(self.chunks(), no_limit, terminator)

    def data(self) -> Iterator[bytes]:
        """Yield the rest as blocks of bytes, for commands that need no text."""
        return map(bytes_of_text, self.chunks())

    def octets(self) -> Iterator[str]:
        """Yield the rest in octets: one character for each byte."""
        from keysh.text.chunks import octets_of_text  # noqa: PLC0415 - for a few commands

        return map(octets_of_text, self.chunks())

    def line_blocks(self) -> Iterator[str | LineBlock]:
        """Yield the rest as line blocks if the source has them, else in octets."""
        return self.octets()

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        """Yield the rest in chunks whose newlines can be counted without decoding."""
        return self.chunks()

    def newlines(self) -> Iterator[int]:
        """Yield the number of newlines in each block of the rest."""
        return (data.count(b"\n") for data in self.data())

    def read(self) -> str:
        """Return the rest."""
        return "".join(self.chunks())

    def read_line(self, terminator: str = "\n") -> str:
        """Return one line with its terminator; at the end of the text without one, or empty."""
        at, rest = self._at, self._rest
        stop = rest.find(terminator, at)
        if stop >= 0:
            self._at = stop + len(terminator)
            return rest[at : self._at]
        pieces: list[str] = []
        for chunk in self.chunks():
            at = chunk.find(terminator)
            if at >= 0:
                pieces.append(chunk[: at + len(terminator)])
                self._rest, self._at = chunk, at + len(terminator)
                break
            pieces.append(chunk)
        return "".join(pieces)

    def read_part(self, max_chars: int, terminator: str = "") -> str:
        """Return at most `max_chars` characters, stopping after `terminator` if one is passed."""
        pieces: list[str] = []
        while True:
            at, rest = self._at, self._rest
            stop_at = rest.find(terminator, at, at + max_chars) if terminator else -1
            stop = min(at + max_chars, len(rest)) if stop_at < 0 else stop_at + len(terminator)
            pieces.append(rest[at:stop])
            self._at = stop
            max_chars -= stop - at
            if stop_at >= 0 or max_chars <= 0:
                break
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            self._rest, self._at = chunk, 0
        return "".join(pieces)

    def unread_text(self) -> str:
        """Return the text that was received but not read, without consuming it."""
        return self._rest[self._at :] if self._at else self._rest

    def has_more(self) -> bool:
        """Whether anything is left; this may wait for input but does not consume it."""
        text = self.read_part(1)
        self.push_back(text)
        return bool(text)

    def push_back(self, text: str) -> None:
        """Return the end of the last chunk to the reader."""
        self._rest, self._at = text + self._rest[self._at :], 0

    def lend(self) -> int:
        """Return the host's file descriptor for a real program to read; -1 if there is none."""
        return -1

    def close(self) -> None:
        """Close the source; an error of what was only read means nothing any more."""
        if self._close is not None:
            close, self._close = self._close, None
            try:
                close()
            except OSError:  # a file system of the host may have one
                return

    def _take_rest(self) -> str:
        """Return and consume the text that was received but not read."""
        rest = self._rest[self._at :] if self._at else self._rest
        self._rest, self._at = "", 0
        return rest


class StreamReader(Reader):
    """Reads a binary stream and closes it."""

    __slots__ = ("_stream", "_text")

    def __init__(self, stream: Stream) -> None:
        self._stream, self._text = stream, decode_chunks(stream.read)
        super().__init__(self._text, stream.close)

    def data(self) -> Iterator[bytes]:
        """Yield the rest as raw bytes, unless some of it was already decoded."""
        return super().data() if self._has_begun else read_chunks(self._stream.read)

    def octets(self) -> Iterator[str]:
        from keysh.text.chunks import octets_of_bytes  # noqa: PLC0415 - few commands read bytes

        return map(octets_of_bytes, self.data())

    @property
    def _has_begun(self) -> bool:
        """Whether text was already decoded."""
        return bool(self._rest) or self._text.gi_suspended  # type: ignore[attr-defined]


class TextReader(Reader):
    """A text that is completely in memory."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        super().__init__(())
        self._rest = text

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._at >= len(self._rest)

    def drop(self) -> None:
        """Consume the rest."""
        self._rest, self._at = "", 0


def flush_nothing() -> None:
    """Do nothing: the `flush` of an unbuffered writer."""


def output_text(text: object) -> str:
    """Return the text that a host's command writes; raise TypeError for anything else.

    Bytes are not decoded: a block may end within a character.
    """
    if issubclass(type(text), str):
        return plain_text(text)  # type: ignore[arg-type]
    fix = "write str(…) of it, or return it as a value"
    if isinstance(text, bytes | bytearray | memoryview):
        fix = "write bytes.decode('utf-8', 'surrogateescape'), which keeps any bytes"
    raise TypeError(f"output must be text, but is {type(text).__name__}; {fix}")


class Writer:
    """The target of text: `put` takes a chunk, `flush` passes buffered text on."""

    __slots__ = ("flush", "put")

    fd = -1  # file descriptor of the host, if this is just an open file
    feeds_file = False  # whether this is a pipe whose later stage writes a file
    is_read = True  # False for a pipe whose reader has ended

    def __init__(
        self, put: Callable[[str], object], flush: Callable[[], object] = flush_nothing
    ) -> None:
        self.put, self.flush = put, flush

    @property
    def width(self) -> int:
        """The width of the terminal; 0 if this is none."""
        return 0

    def write(self, text: str) -> None:
        """Write text."""
        if text.__class__ is not str:
            text = output_text(text)
        if text:
            self.put(text)

    def write_line_block(self, block: LineBlock) -> None:
        """Write a block of lines in octets."""
        self.put(block.text())

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)

    def write_value(self, value: object, text: str) -> None:
        """Write a value as text; a capturing writer keeps the value."""
        self.write(text)

    def write_row(self, row: object, text: str) -> None:
        """Write one of several values as text; a capturing writer keeps the value."""
        self.write(text)

    def end_rows(self) -> None:
        """End the rows: a capturing writer now has a list, perhaps empty."""


def reader_of(stream: Stream) -> Reader:
    """Return a reader that closes the stream at the end."""
    return StreamReader(stream)


def writer_of(stream: Stream) -> Writer:
    """Return a writer to a stream."""
    return Writer(lambda text: stream.write(bytes_of_text(text)))


def file_output(stream: ByteTarget) -> Callable[[str], None]:
    """Return a function that writes output to a file and raises UnwritableOutput on an error."""
    write = stream.write

    def put(text: str) -> None:
        try:
            write(bytes_of_text(text))
        except OSError as error:
            raise UnwritableOutput(error) from None

    return put


class ErrorWriter(Writer):
    """A writer for messages that ignores write errors."""

    __slots__ = ("target",)

    def __init__(self, to: Writer) -> None:
        self.target = to

    @property
    def fd(self) -> int:  # type: ignore[override]
        return self.target.fd

    @property
    def width(self) -> int:
        return self.target.width

    def put(self, text: str) -> None:
        try:  # noqa: SIM105 - contextlib is slow to load
            self.target.put(text)
        except UnwritableOutput:
            pass

    def flush(self) -> None:
        self.target.flush()
