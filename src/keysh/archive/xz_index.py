"""The index of a file of xz, which tells its sizes without unpacking it. It is read from the end.

    header, blocks, index, footer [, zeros] [, header, blocks …]

The footer has the size of the index, the index the sizes of the blocks, and so the stream's begin
is known, before which another stream may end.
"""

from __future__ import annotations

import zlib

from keysh.archive.byte_source import READ_CHUNK_BYTES, DamagedData
from keysh.archive.bzip2_xz import XZ_MAGIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Seekable(Protocol):
        """An open file."""

        def read(self, size: int = -1, /) -> bytes: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...


FRAME_BYTES = 12  # bytes of a header, and of a footer
FOOTER_MAGIC = b"YZ"
MAX_INDEX_BYTES = 64 << 20  # bytes
MAX_NUMBER_BYTES = 9  # bytes of a number
MIN_FILE_BYTES = 2 * FRAME_BYTES


class XzSummary:
    """What a file holds: streams, blocks, bytes packed and plain, and the kinds of its sums."""

    __slots__ = ("blocks", "checks", "compressed_size", "uncompressed_size", "streams")

    def __init__(self) -> None:
        self.streams = self.blocks = self.compressed_size = self.uncompressed_size = 0
        self.checks: set[int] = set()  # by number

    def add(self, other: XzSummary) -> None:
        """Count another file's too."""
        self.streams += other.streams
        self.blocks += other.blocks
        self.compressed_size += other.compressed_size
        self.uncompressed_size += other.uncompressed_size
        self.checks.update(other.checks)


def summarize(file: Seekable, tick: Callable[[], object]) -> XzSummary:
    """The sums over all streams of a file; raises Damaged, "empty" and "short" for small ones.

    `tick` is called now and then, for there may be millions.
    """
    made = XzSummary()
    end = made.compressed_size = file.seek(0, 2)
    if end < MIN_FILE_BYTES:
        raise DamagedData("short" if end else "empty")
    if read_at(file, 0, len(XZ_MAGIC)) != XZ_MAGIC:
        raise DamagedData("magic")
    while end:
        end = add_stream_before(file, padding_start(file, end, tick), made, tick)
    return made


def padding_start(file: Seekable, end: int, tick: Callable[[], object]) -> int:
    """Where the zeros begin that end there; they stand four at a time."""
    while end:
        tick()
        size = min(end, READ_CHUNK_BYTES)
        kept = len(read_at(file, end - size, size).rstrip(b"\0"))
        if kept:
            return end - (size - kept) // 4 * 4
        end -= size
    return end


def add_stream_before(file: Seekable, end: int, made: XzSummary, tick: Callable[[], object]) -> int:
    """Count the stream that ends there; where it begins."""
    footer = read_at(file, end - FRAME_BYTES, FRAME_BYTES)
    size = 4 * (int.from_bytes(footer[4:8], "little") + 1)
    if footer[10:] != FOOTER_MAGIC or zlib.crc32(footer[4:10]).to_bytes(4, "little") != footer[:4]:
        raise DamagedData("data")
    start = end - FRAME_BYTES - size
    if size > MAX_INDEX_BYTES:
        raise DamagedData("memory")
    index = read_at(file, start, size)
    if index[0] or zlib.crc32(index[:-4]).to_bytes(4, "little") != index[-4:]:
        raise DamagedData("data")
    count, at = decode_number(index, 1)
    for _ in range(count):
        tick()
        packed, at = decode_number(index, at)
        plain, at = decode_number(index, at)
        start -= packed + -packed % 4
        made.uncompressed_size += plain
    start -= FRAME_BYTES
    if read_at(file, start, len(XZ_MAGIC)) != XZ_MAGIC:
        raise DamagedData("data")
    made.streams += 1
    made.blocks += count
    made.checks.add(footer[9])
    return start


def read_at(file: Seekable, at: int, size: int) -> bytes:
    """So many bytes from a place on."""
    if at < 0:
        raise DamagedData("data")
    file.seek(at)
    pieces = b""
    while len(pieces) < size and (piece := file.read(size - len(pieces))):
        pieces += piece
    if len(pieces) < size:
        raise DamagedData("end")
    return pieces


def decode_number(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first; and where it ends."""
    value = 0
    for step in range(MAX_NUMBER_BYTES):
        if at + step >= len(data):
            break
        value |= (data[at + step] & 0x7F) << 7 * step
        if not data[at + step] & 0x80:
            return value, at + step + 1
    raise DamagedData("data")
