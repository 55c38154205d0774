"""Read the sizes of an xz file from its indexes, without decompressing it.

    header, blocks, index, footer [, zeros] [, header, blocks …]

The file is read backward: the footer tells the size of the index, the index the sizes of the
blocks, and so where the stream begins and another one may end.
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


FRAME_BYTES = 12  # a header, or a footer
FOOTER_MAGIC = b"YZ"
MAX_INDEX_BYTES = 64 << 20
MAX_NUMBER_BYTES = 9
MIN_FILE_BYTES = 2 * FRAME_BYTES


class XzSummary:
    """What a file contains: streams, blocks, sizes, and the kinds of its integrity checks."""

    __slots__ = ("blocks", "checks", "compressed_size", "uncompressed_size", "streams")

    def __init__(self) -> None:
        self.streams = self.blocks = self.compressed_size = self.uncompressed_size = 0
        self.checks: set[int] = set()  # the format's numbers

    def add(self, other: XzSummary) -> None:
        """Add the counts of another file."""
        self.streams += other.streams
        self.blocks += other.blocks
        self.compressed_size += other.compressed_size
        self.uncompressed_size += other.uncompressed_size
        self.checks.update(other.checks)


def summarize(file: Seekable, tick: Callable[[], object]) -> XzSummary:
    """Return the summary of all streams of a file.

    Raises DamagedData, "empty" or "short" for small files. `tick` is called regularly, because
    there may be millions of blocks.
    """
    summary = XzSummary()
    end = summary.compressed_size = file.seek(0, 2)
    if end < MIN_FILE_BYTES:
        raise DamagedData("short" if end else "empty")
    if read_at(file, 0, len(XZ_MAGIC)) != XZ_MAGIC:
        raise DamagedData("magic")
    while end:
        end = add_stream_before(file, padding_start(file, end, tick), summary, tick)
    return summary


def padding_start(file: Seekable, end: int, tick: Callable[[], object]) -> int:
    """Return the offset where the padding before `end` begins. It comes in multiples of four."""
    while end:
        tick()
        size = min(end, READ_CHUNK_BYTES)
        kept = len(read_at(file, end - size, size).rstrip(b"\0"))
        if kept:
            return end - (size - kept) // 4 * 4
        end -= size
    return end


def add_stream_before(
    file: Seekable, end: int, summary: XzSummary, tick: Callable[[], object]
) -> int:
    """Add the stream that ends at `end` and return where it begins."""
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
    count, position = decode_number(index, 1)
    for _ in range(count):
        tick()
        compressed, position = decode_number(index, position)
        uncompressed, position = decode_number(index, position)
        start -= compressed + -compressed % 4
        summary.uncompressed_size += uncompressed
    start -= FRAME_BYTES
    if read_at(file, start, len(XZ_MAGIC)) != XZ_MAGIC:
        raise DamagedData("data")
    summary.streams += 1
    summary.blocks += count
    summary.checks.add(footer[9])
    return start


def read_at(file: Seekable, position: int, size: int) -> bytes:
    """Return `size` bytes from an offset."""
    if position < 0:
        raise DamagedData("data")
    file.seek(position)
    pieces = b""
    while len(pieces) < size and (piece := file.read(size - len(pieces))):
        pieces += piece
    if len(pieces) < size:
        raise DamagedData("end")
    return pieces


def decode_number(data: bytes, position: int) -> tuple[int, int]:
    """Decode a number of seven bits a byte, lowest first; return it and where it ends."""
    value = 0
    for step in range(MAX_NUMBER_BYTES):
        if position + step >= len(data):
            break
        value |= (data[position + step] & 0x7F) << 7 * step
        if not data[position + step] & 0x80:
            return value, position + step + 1
    raise DamagedData("data")
