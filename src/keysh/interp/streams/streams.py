"""Reader and Writer: the two ends that a command has of whatever it is connected to."""

from __future__ import annotations

from keysh.diagnostics.errors import UnwritableOutput
from keysh.text.chunks import bytes_of_text, decode_chunks, lines, read_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from keysh.text.chunks import LineBlock
    from keysh.vfs.api import Stream

    class ByteTarget(Protocol):
        """What can be written to."""

        def write(self, data: bytes, /) -> int: ...


GENERATOR_TYPE = type(_ for _ in ())


class Reader:
    """Text that comes in chunks. What is read is gone, whoever reads next goes on from there."""

    __slots__ = ("_at", "_chunks", "_close", "_rest")

    fd = -1  # of the open file of the machine that is read, where it is nothing else

    def __init__(self, chunks: Iterable[str], close: Callable[[], None] | None = None) -> None:
        self._chunks = iter(chunks)
        self._close = close
        self._rest = ""  # read from the chunks and, from `_at` on, not yet given out
        self._at = 0

    def __iter__(self) -> Iterator[str]:
        return self.chunks()

    def chunks(self) -> Iterator[str]:
        """All that is left, in chunks."""
        if not self._rest and self._chunks.__class__ is not GENERATOR_TYPE:
            return self._chunks
        return self._with_rest()

    def _with_rest(self) -> Iterator[str]:
        if rest := self._take_rest():
            yield rest
        # Not `yield from`: that would close the source when a reader of a part is dropped.
        for chunk in self._chunks:  # noqa: UP028
            yield chunk

    def lines(self, end: str = "\n") -> Iterator[str]:
        """All that is left, in lines."""
        return lines(self.chunks(), end)

    def data(self) -> Iterator[bytes]:
        """All that is left, in pieces of bytes, for who does not ask what they say."""
        return map(bytes_of_text, self.chunks())

    def octets(self) -> Iterator[str]:
        """All that is left, in chunks with a character for each byte."""
        from keysh.text.chunks import octets_of_text  # noqa: PLC0415 - for a few commands

        return map(octets_of_text, self.chunks())

    def line_blocks(self) -> Iterator[str | LineBlock]:
        """All that is left, in sheaves, and in octets where there is none."""
        return self.octets()

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        """All that is left, in chunks for who counts newlines and may drop a chunk unseen."""
        return self.chunks()

    def newlines(self) -> Iterator[int]:
        """How many newlines are in each piece of all that is left."""
        return (data.count(b"\n") for data in self.data())

    def read(self) -> str:
        """All that is left."""
        return "".join(self.chunks())

    def read_line(self, end: str = "\n") -> str:
        """One line with its end; without it, or empty, where the text is over."""
        at, rest = self._at, self._rest
        stop = rest.find(end, at)
        if stop >= 0:
            self._at = stop + len(end)
            return rest[at : self._at]
        pieces: list[str] = []
        for chunk in self.chunks():
            at = chunk.find(end)
            if at >= 0:
                pieces.append(chunk[: at + len(end)])
                self._rest, self._at = chunk, at + len(end)
                break
            pieces.append(chunk)
        return "".join(pieces)

    def read_part(self, most: int, end: str = "") -> str:
        """So many characters at most; none behind the end of a line, where one is given."""
        pieces: list[str] = []
        while True:
            at, rest = self._at, self._rest
            found = rest.find(end, at, at + most) if end else -1
            stop = min(at + most, len(rest)) if found < 0 else found + len(end)
            pieces.append(rest[at:stop])
            self._at = stop
            most -= stop - at
            if found >= 0 or most <= 0:
                break
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            self._rest, self._at = chunk, 0
        return "".join(pieces)

    def unread_text(self) -> str:
        """What has come and not been read yet, which stays there."""
        return self._rest[self._at :] if self._at else self._rest

    def has_more(self) -> bool:
        """Whether something is left, which stays there; it may have to be waited for."""
        text = self.read_part(1)
        self.push_back(text)
        return bool(text)

    def push_back(self, text: str) -> None:
        """Give back the end of the last chunk, for whoever reads next."""
        self._rest, self._at = text + self._rest[self._at :], 0

    def lend(self) -> int:
        """The open file of the machine that is read, for a real program to read on; -1 for none."""
        return -1

    def close(self) -> None:
        """Nothing more will be read."""
        if self._close is not None:
            close, self._close = self._close, None
            close()

    def _take_rest(self) -> str:
        """What has been read and not given out."""
        rest = self._rest[self._at :] if self._at else self._rest
        self._rest, self._at = "", 0
        return rest


class StreamReader(Reader):
    """Reads a stream, and closes it."""

    __slots__ = ("_stream", "_text")

    def __init__(self, stream: Stream) -> None:
        self._stream, self._text = stream, decode_chunks(stream.read)
        super().__init__(self._text, stream.close)

    def data(self) -> Iterator[bytes]:
        """All that is left, as it is in the file, if none of it has been looked at as text."""
        return super().data() if self._has_begun else read_chunks(self._stream.read)

    def octets(self) -> Iterator[str]:
        from keysh.text.chunks import octets_of_bytes  # noqa: PLC0415 - as above

        return map(octets_of_bytes, self.data())

    @property
    def _has_begun(self) -> bool:
        """Whether some of it has been read as text."""
        return bool(self._rest) or self._text.gi_suspended  # type: ignore[attr-defined]


class TextReader(Reader):
    """A text that is there as a whole."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        super().__init__(())
        self._rest = text

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._at >= len(self._rest)

    def drop(self) -> None:
        """Leave nothing."""
        self._rest, self._at = "", 0


def flush_nothing() -> None:
    """The `flush` of a writer that holds nothing back."""


def output_text(text: object) -> str:
    """The text that a command of the host writes; a TypeError, told where it is written, if none.

    Bytes are not decoded: a piece of them may end within a character, which only the host can know.
    """
    if isinstance(text, str):
        return text
    fix = "write str(…) of it, or return it as a value"
    if isinstance(text, bytes | bytearray | memoryview):
        fix = "write bytes.decode('utf-8', 'surrogateescape'), which keeps any bytes"
    raise TypeError(f"output must be text, but is {type(text).__name__}; {fix}")


class Writer:
    """Where text goes: `put` takes a chunk; `flush` hands on what is held back."""

    __slots__ = ("flush", "put")

    fd = -1  # of the open file of the machine that is written to, where it is nothing else
    feeds_file = False  # whether it is a pipe behind which a file is written to
    is_read = True  # whether it is no pipe whose reader has gone, as far as is known

    def __init__(
        self, put: Callable[[str], object], flush: Callable[[], object] = flush_nothing
    ) -> None:
        self.put, self.flush = put, flush

    @property
    def width(self) -> int:
        """The columns of the terminal that is written to; 0 where it is none."""
        return 0

    def write(self, text: str) -> None:
        """Write text."""
        if text.__class__ is not str:
            text = output_text(text)
        if text:
            self.put(text)

    def write_line_block(self, sheaf: LineBlock) -> None:
        """Write whole lines of octets."""
        self.put(sheaf.text())

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several."""
        for text in texts:
            self.write(text)

    def write_value(self, value: object, text: str) -> None:
        """Write a value by its text; who captures values takes it as it is."""
        self.write(text)

    def write_row(self, row: object, text: str) -> None:
        """Write one of several values by its text."""
        self.write(text)

    def end_rows(self) -> None:
        """The rows are over, be it that there was none; who captures values has a list then."""


def reader_of(stream: Stream) -> Reader:
    """A reader of an open file, which it closes."""
    return StreamReader(stream)


def writer_of(stream: Stream) -> Writer:
    """A writer to an open file."""
    return Writer(lambda text: stream.write(bytes_of_text(text)))


def file_output(stream: ByteTarget) -> Callable[[str], None]:
    """What puts a command's output into a file, and raises Unwritten where that fails."""
    write = stream.write

    def put(text: str) -> None:
        try:
            write(bytes_of_text(text))
        except OSError as error:
            raise UnwritableOutput(error) from None

    return put


class ErrorWriter(Writer):
    """Where messages go: one that cannot be written is no failure of its own."""

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
