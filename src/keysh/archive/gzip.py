"""The gzip format (RFC 1952): a header, DEFLATE data and a checksum for each member."""

from __future__ import annotations

import zlib

from keysh.archive.byte_source import READ_CHUNK_BYTES, DamagedData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from keysh.archive.byte_source import ByteSource


# Raw DEFLATE (RFC 1951) without a zlib header, as gzip and zip contain it.


def deflate_compressor(level: int) -> Any:
    """Return a zlib compressor for raw DEFLATE."""
    return zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)


def inflate(source: ByteSource) -> Iterator[bytes]:
    """Decompress one DEFLATE stream and leave the source right after it. Raises DamagedData."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    while not inflater.eof:
        packed = inflater.unconsumed_tail or source.read_chunk()
        try:
            piece = inflater.decompress(packed, READ_CHUNK_BYTES)
        except zlib.error:
            raise DamagedData("data") from None
        if piece:
            yield piece
        elif not (packed or inflater.eof):
            raise DamagedData("end")
    source.push_back(inflater.unused_data)


GZIP_MAGIC = b"\x1f\x8b"
METHOD_DEFLATE = 8
FLAG_HEADER_CRC, FLAG_EXTRA, FLAG_NAME, FLAG_COMMENT, FLAGS_RESERVED = 2, 4, 8, 16, 0xE0
OS_UNIX = 3
MAX_HEADER_TEXT_BYTES = 1 << 16
TRAILER_BYTES = 8  # checksum and size


class GzipStream:
    """Facts about a stream: the first member's name and time, the total size and overhead.

    `overhead` counts the bytes of headers and trailers; `crc` is the last member's.
    """

    __slots__ = ("crc", "modified", "name", "overhead", "size")

    def __init__(self, name: bytes = b"", modified: int = 0) -> None:
        self.name, self.modified = name, modified
        self.overhead = self.size = self.crc = 0

    def compress(self, data: Iterable[bytes], level: int) -> Iterator[bytes]:
        """Compress the data as one member."""
        packer = deflate_compressor(level)
        speed = {1: 4, 9: 2}.get(level, 0)
        flags, name = (FLAG_NAME, self.name + b"\0") if self.name else (0, b"")
        time = self.modified if 0 <= self.modified < 1 << 32 else 0
        yield b"".join(
            (
                GZIP_MAGIC,
                bytes((METHOD_DEFLATE, flags)),
                time.to_bytes(4, "little"),
                bytes((speed, OS_UNIX)),
                name,
            )
        )
        for chunk in data:
            self.crc = zlib.crc32(chunk, self.crc)
            self.size += len(chunk)
            if piece := packer.compress(chunk):
                yield piece
        yield packer.flush()
        self.overhead = 10 + len(name) + TRAILER_BYTES
        yield self.crc.to_bytes(4, "little") + (self.size & 0xFFFFFFFF).to_bytes(4, "little")

    def decompress(self, source: ByteSource) -> Iterator[bytes]:
        """Decompress all members. Raises DamagedData, also for bytes after the last one."""
        self.read_header(source, is_first=True)
        yield from self.members(source)

    def members(self, source: ByteSource, *, passes: bool = False) -> Iterator[bytes]:
        """Decompress all members, starting after the first header.

        With `passes`, bytes after the last member are passed through.
        """
        yield from self._decompress_member(source)
        while source.peek(2) == GZIP_MAGIC if passes else self._has_more(source):
            self.read_header(source, is_first=False)
            yield from self._decompress_member(source)
        yield from source.rest()

    def _has_more(self, source: ByteSource) -> bool:
        """Whether another member follows. Padding and garbage raise DamagedData."""
        head = source.peek(2)
        if head[:1] == b"\0":
            source.skip_zeros()
            raise DamagedData("garbage" if source.peek(1) else "zeros")
        if len(head) == 1:
            raise DamagedData("end")
        if head and head != GZIP_MAGIC:
            raise DamagedData("garbage")
        return bool(head)

    def read_header(self, source: ByteSource, *, is_first: bool) -> None:
        """Read a member's header. The first one gives the stream its name and time."""
        start = source.count
        head = source.peek(2)
        if len(head) < 2:
            raise DamagedData("magic" if head == b"\0" else "end")
        if head != GZIP_MAGIC:
            raise DamagedData("magic")
        fixed = source.read_exactly(10)
        method, flags = fixed[2], fixed[3]
        if method != METHOD_DEFLATE:
            raise DamagedData("method", str(method))
        if flags & FLAGS_RESERVED:
            raise DamagedData("flags", f"{flags:x}")
        if flags & FLAG_EXTRA:
            source.read_exactly(int.from_bytes(source.read_exactly(2), "little"))
        name = read_header_text(source) if flags & FLAG_NAME else b""
        if flags & FLAG_COMMENT:
            read_header_text(source)
        if flags & FLAG_HEADER_CRC:
            source.read_exactly(2)
        if is_first:
            self.name, self.modified = name, int.from_bytes(fixed[4:8], "little")
        self.overhead += source.count - start

    def _decompress_member(self, source: ByteSource) -> Iterator[bytes]:
        crc = size = 0
        for piece in inflate(source):
            crc = zlib.crc32(piece, crc)
            size += len(piece)
            yield piece
        trailer = source.read_exactly(TRAILER_BYTES)
        self.overhead += TRAILER_BYTES
        self.crc, self.size = int.from_bytes(trailer[:4], "little"), self.size + size
        is_long = int.from_bytes(trailer[4:], "little") != size & 0xFFFFFFFF
        if self.crc != crc:
            raise DamagedData("crc", "length" if is_long else "")
        if is_long:
            raise DamagedData("length")


def read_header_text(source: ByteSource) -> bytes:
    """Read a string that ends with NUL."""
    text = bytearray()
    while (byte := source.read_exactly(1)) != b"\0":
        text += byte
        if len(text) > MAX_HEADER_TEXT_BYTES:
            raise DamagedData("data")
    return bytes(text)
