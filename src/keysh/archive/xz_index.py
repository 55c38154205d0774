"""The index of a file of xz, which tells its sizes without unpacking it. It is read from the end.

    header, blocks, index, footer [, zeros] [, header, blocks …]

The footer has the size of the index, the index the sizes of the blocks, and so the stream's begin
is known, before which another stream may end.
"""

from __future__ import annotations

import zlib

from keysh.archive.byte_source import PIECE, Damaged
from keysh.archive.bzip2_xz import XZ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Seekable(Protocol):
        """An open file."""

        def read(self, size: int = -1, /) -> bytes: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...


FRAME = 12  # bytes of a header, and of a footer
FOOTER_MAGIC = b"YZ"
MOST_OF_AN_INDEX = 64 << 20  # bytes
LONGEST = 9  # bytes of a number
SMALLEST = 2 * FRAME


class Summary:
    """What a file holds: streams, blocks, bytes packed and plain, and the kinds of its sums."""

    __slots__ = ("blocks", "checks", "packed", "plain", "streams")

    def __init__(self) -> None:
        self.streams = self.blocks = self.packed = self.plain = 0
        self.checks: set[int] = set()  # by number

    def add(self, other: Summary) -> None:
        """Count another file's too."""
        self.streams += other.streams
        self.blocks += other.blocks
        self.packed += other.packed
        self.plain += other.plain
        self.checks.update(other.checks)


def summary(file: Seekable, tick: Callable[[], object]) -> Summary:
    """The sums over all streams of a file; raises Damaged, "empty" and "short" for small ones.

    `tick` is called now and then, for there may be millions.
    """
    made = Summary()
    end = made.packed = file.seek(0, 2)
    if end < SMALLEST:
        raise Damaged("short" if end else "empty")
    if bytes_at(file, 0, len(XZ)) != XZ:
        raise Damaged("magic")
    while end:
        end = stream_before(file, zeros_before(file, end, tick), made, tick)
    return made


def zeros_before(file: Seekable, end: int, tick: Callable[[], object]) -> int:
    """Where the zeros begin that end there; they stand four at a time."""
    while end:
        tick()
        size = min(end, PIECE)
        kept = len(bytes_at(file, end - size, size).rstrip(b"\0"))
        if kept:
            return end - (size - kept) // 4 * 4
        end -= size
    return end


def stream_before(file: Seekable, end: int, made: Summary, tick: Callable[[], object]) -> int:
    """Count the stream that ends there; where it begins."""
    footer = bytes_at(file, end - FRAME, FRAME)
    size = 4 * (int.from_bytes(footer[4:8], "little") + 1)
    if footer[10:] != FOOTER_MAGIC or zlib.crc32(footer[4:10]).to_bytes(4, "little") != footer[:4]:
        raise Damaged("data")
    start = end - FRAME - size
    if size > MOST_OF_AN_INDEX:
        raise Damaged("memory")
    index = bytes_at(file, start, size)
    if index[0] or zlib.crc32(index[:-4]).to_bytes(4, "little") != index[-4:]:
        raise Damaged("data")
    count, at = number(index, 1)
    for _ in range(count):
        tick()
        packed, at = number(index, at)
        plain, at = number(index, at)
        start -= packed + -packed % 4
        made.plain += plain
    start -= FRAME
    if bytes_at(file, start, len(XZ)) != XZ:
        raise Damaged("data")
    made.streams += 1
    made.blocks += count
    made.checks.add(footer[9])
    return start


def bytes_at(file: Seekable, at: int, size: int) -> bytes:
    """So many bytes from a place on."""
    if at < 0:
        raise Damaged("data")
    file.seek(at)
    pieces = b""
    while len(pieces) < size and (piece := file.read(size - len(pieces))):
        pieces += piece
    if len(pieces) < size:
        raise Damaged("end")
    return pieces


def number(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first; and where it ends."""
    value = 0
    for step in range(LONGEST):
        if at + step >= len(data):
            break
        value |= (data[at + step] & 0x7F) << 7 * step
        if not data[at + step] & 0x80:
            return value, at + step + 1
    raise Damaged("data")
