"""Open files with a place of their own as ends of a command.

Those of the machine are given to a real program as they are.
"""

from __future__ import annotations

import os

from keysh.diagnostics.errors import UnwritableOutput
from keysh.interp.streams.streams import Reader, Writer, file_output
from keysh.text.chunks import (
    FIRST_CHUNK_BYTES,
    MAX_CHUNK_BYTES,
    Decoder,
    bytes_of_text,
    read_chunks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from keysh.text.chunks import LineBlock

    class SeekableStream(Protocol):
        """A stream that may be told where to stand."""

        def read(self, size: int = -1, /) -> bytes: ...
        def write(self, data: bytes, /) -> int: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...
        def close(self) -> None: ...

    class OpenFile(SeekableStream, Protocol):
        """A stream with a number."""

        def fileno(self) -> int: ...


DEFAULT_COLUMNS = 80  # columns of a terminal that does not tell


class FileChunks:
    """The text of an open file from where it stands; after its end it may go on, should it grow."""

    __slots__ = ("_decoder", "_file", "_size")

    def __init__(self, file: SeekableStream) -> None:
        self._file = file
        self._decoder = Decoder()
        self._size = FIRST_CHUNK_BYTES

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while data := self._file.read(self._size):
            self._size = min(self._size * 2, MAX_CHUNK_BYTES)
            if text := self._decoder.decode(data):
                return text
        if text := self._decoder.finish():
            return text
        raise StopIteration

    @property
    def is_between_characters(self) -> bool:
        """Whether nothing has been read that is not given out."""
        return not self._decoder.getstate()[0]

    def seek_back(self, text: str) -> bool:
        """Let the file stand where a text began that was read last; whether that can be done."""
        held = len(bytes_of_text(text)) + len(self._decoder.getstate()[0])
        if held:
            try:
                self._file.seek(-held, 1)
            except OSError:
                return False
            self._decoder.reset()
            self._size = FIRST_CHUNK_BYTES
        return True


class SeekableReader(Reader):
    """Reads a stream, and closes it; others that use the stream can go on where this one stands."""

    __slots__ = ("_file", "_source")

    def __init__(self, file: SeekableStream) -> None:
        self._file, self._source = file, FileChunks(file)
        super().__init__(self._source, file.close)

    def data(self) -> Iterator[bytes]:
        """All that is left, as it is in the file, if no piece of it is held as text."""
        if self._rest or not self._source.is_between_characters:
            return super().data()
        return read_chunks(self._file.read)

    def octets(self) -> Iterator[str]:
        from keysh.text.chunks import octets_of_bytes  # noqa: PLC0415 - for a few commands

        return map(octets_of_bytes, self.data())

    def return_read_ahead(self) -> bool:
        """Give what has been read ahead back to the file; whether that can be done."""
        rest = self._take_rest()
        if self._source.seek_back(rest):
            return True
        self.push_back(rest)
        return False


class FileReader(SeekableReader):
    """Reads an open file of the machine."""

    __slots__ = ("fd",)

    def __init__(self, file: OpenFile) -> None:
        self.fd = file.fileno()
        super().__init__(file)

    def is_ready(self, seconds: float) -> bool:
        """Whether there is something to read, be it the end, within so many seconds."""
        if self._at < len(self._rest):
            return True
        from select import POLLIN, poll  # noqa: PLC0415 - only for `read -t`

        poller = poll()
        poller.register(self.fd, POLLIN)
        return bool(poller.poll(seconds * 1000))

    def lend(self) -> int:
        """What has been read ahead is given back to the file, as every shell does.

        A program would find a fifo to which nobody has come as yet at its end.
        """
        return (
            self.fd
            if getattr(self._file, "has_met_peer", True) and self.return_read_ahead()
            else -1
        )


class FileWriter(Writer):
    """Writes to an open file."""

    __slots__ = ("_file", "fd")

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file_output(file))
        self._file, self.fd = file, file.fileno()

    def write_line_block(self, sheaf: LineBlock) -> None:
        try:
            self._file.write(sheaf.data())
        except OSError as error:
            raise UnwritableOutput(error) from None

    @property
    def width(self) -> int:
        """The columns of a terminal, as they are now."""
        if not os.isatty(self.fd):
            return 0
        return os.get_terminal_size(self.fd).columns or DEFAULT_COLUMNS


def shared_writer(reader: SeekableReader, file: SeekableStream) -> Writer:
    """Writes where the reader of the same file stands, as `<>` wants it."""

    write = file_output(file)

    def put(text: str) -> None:
        reader.return_read_ahead()
        write(text)

    return Writer(put)
