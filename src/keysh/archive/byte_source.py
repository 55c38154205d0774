"""Source: bytes that come in chunks, read by number; and what is wrong with some."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

READ_CHUNK_BYTES = 1 << 16  # bytes that are read or made at once


class DamagedData(Exception):
    """Bytes that are not what their format says.

    `fault` is "magic" for another format, "end" where bytes are missing, "data" for a stream that
    cannot be read, "crc" and "length" for one that does not fit its sum or size, "memory" where it
    asks for too much, "method" and "flags" for what the format knows and this package does not,
    "garbage" and "zeros" for bytes behind the end, which are no loss. `detail` says more.
    """

    def __init__(self, fault: str, detail: str = "") -> None:
        super().__init__(fault, detail)
        self.fault, self.detail = fault, detail

    @property
    def is_harmless(self) -> bool:
        """Whether all that the format holds has been read."""
        return self.fault in ("garbage", "zeros")


def no_tick() -> None:
    """The `tick` of who reads little."""


class ByteSource:
    """Chunks as one run of bytes. `count` is how many have been taken.

    `tick` is called before each chunk is read: much may be read of which nothing comes out.
    """

    __slots__ = ("_position", "_chunks", "_buffer", "_tick", "count")

    def __init__(self, chunks: Iterable[bytes], tick: Callable[[], object] = no_tick) -> None:
        self._chunks, self._tick = iter(chunks), tick
        self._buffer = b""
        self._position = 0
        self.count = 0

    def read_chunk(self, most: int = READ_CHUNK_BYTES) -> bytes:
        """The next bytes, no more than there are at once; empty at the end."""
        while self._position >= len(self._buffer):
            self._tick()
            found = next(self._chunks, None)
            if found is None:
                return b""
            self._buffer, self._position = found, 0
        piece = self._buffer[self._position : self._position + most]
        self._position += len(piece)
        self.count += len(piece)
        return piece

    def read(self, size: int) -> bytes:
        """So many bytes; fewer at the end."""
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
        """So many bytes; Damaged where they are not there."""
        found = self.read(size)
        if len(found) < size:
            raise DamagedData("end")
        return found

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay; fewer at the end."""
        found = self.read(size)
        self.push_back(found)
        return found

    def push_back(self, data: bytes) -> None:
        """Put bytes back that were the last to be taken."""
        self._buffer, self._position = data + self._buffer[self._position :], 0
        self.count -= len(data)

    def skip_zeros(self) -> int:
        """Pass over bytes that are 0; how many there were."""
        before = self.count
        while piece := self.read_chunk():
            if kept := piece.lstrip(b"\0"):
                self.push_back(kept)
                break
        return self.count - before

    def rest(self) -> Iterator[bytes]:
        """All that is left."""
        while piece := self.read_chunk():
            yield piece


def chunks_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The bytes that a function reads."""
    while data := read(READ_CHUNK_BYTES):
        yield data
