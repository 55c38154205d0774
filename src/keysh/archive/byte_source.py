"""Byte sources: read sized pieces from an iterator of chunks; the error for damaged data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

READ_CHUNK_BYTES = 1 << 16


class DamagedData(Exception):
    """Bytes that do not follow their format.

    `fault` is "magic" for another format, "end" for missing bytes, "data" for an unreadable stream,
    "crc" and "length" for a wrong checksum or size, "memory" for a stream that needs too much,
    "method" and "flags" for valid features that this package does not support, and "garbage" and
    "zeros" for bytes after the end, which lose nothing. `detail` may add a datum.
    """

    def __init__(self, fault: str, detail: str = "") -> None:
        super().__init__(fault, detail)
        self.fault, self.detail = fault, detail

    @property
    def is_harmless(self) -> bool:
        """Whether all data was read before the fault."""
        return self.fault in ("garbage", "zeros")


def no_tick() -> None:
    """Do nothing: the default `tick`."""


class ByteSource:
    """An iterator of chunks, read as one run of bytes. `count` is the number of bytes consumed.

    `tick` is called before each chunk is read, because much input may expand to no output.
    """

    __slots__ = ("_position", "_chunks", "_buffer", "_tick", "count")

    def __init__(self, chunks: Iterable[bytes], tick: Callable[[], object] = no_tick) -> None:
        self._chunks, self._tick = iter(chunks), tick
        self._buffer = b""
        self._position = 0
        self.count = 0

    def read_chunk(self, most: int = READ_CHUNK_BYTES) -> bytes:
        """Return the next bytes of the current chunk, at most `most`; empty at the end."""
        while self._position >= len(self._buffer):
            self._tick()
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._buffer, self._position = chunk, 0
        piece = self._buffer[self._position : self._position + most]
        self._position += len(piece)
        self.count += len(piece)
        return piece

    def read(self, size: int) -> bytes:
        """Return `size` bytes, or fewer at the end."""
        piece = self.read_chunk(size)
        if len(piece) == size:
            return piece
        pieces = [piece]
        missing = size - len(piece)
        while missing and (piece := self.read_chunk(missing)):
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def read_exactly(self, size: int) -> bytes:
        """Return `size` bytes. Raises DamagedData if there are fewer."""
        data = self.read(size)
        if len(data) < size:
            raise DamagedData("end")
        return data

    def peek(self, size: int) -> bytes:
        """Return up to `size` bytes without consuming them."""
        data = self.read(size)
        self.push_back(data)
        return data

    def push_back(self, data: bytes) -> None:
        """Put back the bytes read last."""
        self._buffer, self._position = data + self._buffer[self._position :], 0
        self.count -= len(data)

    def skip_zeros(self) -> int:
        """Skip zero bytes and return their number."""
        start = self.count
        while piece := self.read_chunk():
            if remainder := piece.lstrip(b"\0"):
                self.push_back(remainder)
                break
        return self.count - start

    def rest(self) -> Iterator[bytes]:
        """Yield all remaining bytes."""
        while piece := self.read_chunk():
            yield piece


def chunks_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield what `read` returns until it is empty."""
    while data := read(READ_CHUNK_BYTES):
        yield data
