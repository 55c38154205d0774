"""Readers and writers of seekable files; files of the host are passed on to real programs."""

from __future__ import annotations

import os

from keysh.diagnostics.exceptions import UnwritableOutput
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
        """A stream with an offset."""

        def read(self, size: int = -1, /) -> bytes: ...
        def write(self, data: bytes, /) -> int: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...
        def close(self) -> None: ...

    class OpenFile(SeekableStream, Protocol):
        """A stream with a file descriptor."""

        def fileno(self) -> int: ...


DEFAULT_COLUMNS = 80  # if the terminal does not report its size


class FileChunks:
    """The text of an open file from its offset on; reading can resume after the end if it grows."""

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
        """Whether the decoder holds no part of a character."""
        return not self._decoder.getstate()[0]

    def seek_back(self, text: str) -> bool:
        """Move the offset back to the start of `text`, which was read last; False if impossible."""
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
    """Reads and closes a stream; other users of the stream can continue at its offset."""

    __slots__ = ("_file", "_source")

    def __init__(self, file: SeekableStream) -> None:
        self._file, self._source = file, FileChunks(file)
        super().__init__(self._source, file.close)

    def data(self) -> Iterator[bytes]:
        """Yield the rest as raw bytes, unless part of it was already decoded."""
        if self._rest or not self._source.is_between_characters:
            return super().data()
        return read_chunks(self._file.read)

    def octets(self) -> Iterator[str]:
        from keysh.text.chunks import octets_of_bytes  # noqa: PLC0415 - for a few commands

        return map(octets_of_bytes, self.data())

    def return_read_ahead(self) -> bool:
        """Move the file offset back over text that was read ahead; False if impossible."""
        rest = self._take_rest()
        if self._source.seek_back(rest):
            return True
        self.push_back(rest)
        return False


class FileReader(SeekableReader):
    """Reads an open file of the host."""

    __slots__ = ("fd",)

    def __init__(self, file: OpenFile) -> None:
        self.fd = file.fileno()
        super().__init__(file)

    def is_ready(self, seconds: float) -> bool:
        """Wait for input or end of file; False if nothing comes within `seconds`."""
        if self._at < len(self._rest):
            return True
        from select import POLLIN, poll  # noqa: PLC0415 - only for `read -t`

        poller = poll()
        poller.register(self.fd, POLLIN)
        return bool(poller.poll(seconds * 1000))

    def lend(self) -> int:
        """Return the descriptor for a program, after giving back what was read ahead.

        A FIFO without a writer is not lent: the program would see end of file.
        """
        return (
            self.fd
            if getattr(self._file, "has_met_peer", True) and self.return_read_ahead()
            else -1
        )


class FileWriter(Writer):
    """Writes to an open file of the host."""

    __slots__ = ("_file", "fd")

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file_output(file))
        self._file, self.fd = file, file.fileno()

    def write_line_block(self, block: LineBlock) -> None:
        try:
            self._file.write(block.data())
        except OSError as error:
            raise UnwritableOutput(error) from None

    @property
    def width(self) -> int:
        """The current width of the terminal; 0 if the file is none."""
        if not os.isatty(self.fd):
            return 0
        return os.get_terminal_size(self.fd).columns or DEFAULT_COLUMNS


def shared_writer(reader: SeekableReader, file: SeekableStream) -> Writer:
    """Return a writer at the offset of the reader of the same file, for `<>`."""

    write = file_output(file)

    def put(text: str) -> None:
        reader.return_read_ahead()
        write(text)

    return Writer(put)
