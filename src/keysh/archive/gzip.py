"""The format of gzip (RFC 1952): members one behind another, each a header, DEFLATE and its sum."""

from __future__ import annotations

import zlib

from keysh.archive.byte_source import PIECE, Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from keysh.archive.byte_source import Source


# DEFLATE (RFC 1951), as it stands in gzip and in zip: without a header of its own.


def deflater(level: int) -> Any:
    """What packs bytes: it has `compress` and `flush`."""
    return zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)


def inflated(source: Source) -> Iterator[bytes]:
    """The bytes of a stream, behind which the source stands in the end; raises Damaged."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    while not inflater.eof:
        packed = inflater.unconsumed_tail or source.chunk()
        try:
            piece = inflater.decompress(packed, PIECE)
        except zlib.error:
            raise Damaged("data") from None
        if piece:
            yield piece
        elif not (packed or inflater.eof):
            raise Damaged("end")
    source.give_back(inflater.unused_data)


MAGIC = b"\x1f\x8b"
DEFLATE = 8
HEADER_CRC, EXTRA, NAME, COMMENT, RESERVED = 2, 4, 8, 16, 0xE0
UNIX = 3
MOST_OF_A_NAME = 1 << 16
TRAILER = 8  # bytes of the sum and the size


class Gzip:
    """What is known of a stream: of the first member its name and time, the sums of all.

    `overhead` counts the bytes of headers and trailers, `crc` is the last member's.
    """

    __slots__ = ("crc", "modified", "name", "overhead", "size")

    def __init__(self, name: bytes = b"", modified: int = 0) -> None:
        self.name, self.modified = name, modified
        self.overhead = self.size = self.crc = 0

    def compressed(self, data: Iterable[bytes], level: int) -> Iterator[bytes]:
        """One member that holds these bytes."""
        packer = deflater(level)
        speed = {1: 4, 9: 2}.get(level, 0)
        flags, name = (NAME, self.name + b"\0") if self.name else (0, b"")
        time = self.modified if 0 <= self.modified < 1 << 32 else 0
        yield b"".join(
            (MAGIC, bytes((DEFLATE, flags)), time.to_bytes(4, "little"), bytes((speed, UNIX)), name)
        )
        for chunk in data:
            self.crc = zlib.crc32(chunk, self.crc)
            self.size += len(chunk)
            if piece := packer.compress(chunk):
                yield piece
        yield packer.flush()
        self.overhead = 10 + len(name) + TRAILER
        yield self.crc.to_bytes(4, "little") + (self.size & 0xFFFFFFFF).to_bytes(4, "little")

    def expanded(self, source: Source) -> Iterator[bytes]:
        """The bytes of all members; raises Damaged, also for what stands behind the last."""
        self.read_header(source, is_first=True)
        yield from self.members(source)

    def members(self, source: Source, *, passes: bool = False) -> Iterator[bytes]:
        """The bytes of all members, the first of whose headers has been read.

        With `passes` what stands behind the last comes as it is.
        """
        yield from self._member(source)
        while source.peek(2) == MAGIC if passes else self._has_more(source):
            self.read_header(source, is_first=False)
            yield from self._member(source)
        yield from source.rest()

    def _has_more(self, source: Source) -> bool:
        """Whether one more member follows; zeros may stand behind the last."""
        head = source.peek(2)
        if head[:1] == b"\0":
            source.skip_zeros()
            raise Damaged("garbage" if source.peek(1) else "zeros")
        if len(head) == 1:
            raise Damaged("end")
        if head and head != MAGIC:
            raise Damaged("garbage")
        return bool(head)

    def read_header(self, source: Source, *, is_first: bool) -> None:
        """Read what stands before a member's data; the first member names the whole."""
        before = source.count
        head = source.peek(2)
        if len(head) < 2:
            raise Damaged("magic" if head == b"\0" else "end")
        if head != MAGIC:
            raise Damaged("magic")
        fixed = source.exactly(10)
        method, flags = fixed[2], fixed[3]
        if method != DEFLATE:
            raise Damaged("method", str(method))
        if flags & RESERVED:
            raise Damaged("flags", f"{flags:x}")
        if flags & EXTRA:
            source.exactly(int.from_bytes(source.exactly(2), "little"))
        name = text_in(source) if flags & NAME else b""
        if flags & COMMENT:
            text_in(source)
        if flags & HEADER_CRC:
            source.exactly(2)
        if is_first:
            self.name, self.modified = name, int.from_bytes(fixed[4:8], "little")
        self.overhead += source.count - before

    def _member(self, source: Source) -> Iterator[bytes]:
        crc = size = 0
        for piece in inflated(source):
            crc = zlib.crc32(piece, crc)
            size += len(piece)
            yield piece
        trailer = source.exactly(TRAILER)
        self.overhead += TRAILER
        self.crc, self.size = int.from_bytes(trailer[:4], "little"), self.size + size
        is_long = int.from_bytes(trailer[4:], "little") != size & 0xFFFFFFFF
        if self.crc != crc:
            raise Damaged("crc", "length" if is_long else "")
        if is_long:
            raise Damaged("length")


def text_in(source: Source) -> bytes:
    """A text that ends with NUL."""
    text = bytearray()
    while (byte := source.exactly(1)) != b"\0":
        text += byte
        if len(text) > MOST_OF_A_NAME:
            raise Damaged("data")
    return bytes(text)
