"""Streams of bzip2 and xz: one behind another, with what may stand between and behind them."""

from __future__ import annotations

from keysh.archive.byte_source import READ_CHUNK_BYTES, DamagedData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from keysh.archive.byte_source import ByteSource

    class Compressor(Protocol):
        """What the standard library's compressors have in common."""

        def compress(self, data: bytes, /) -> bytes: ...
        def flush(self) -> bytes: ...

    class Decompressor(Protocol):
        """What its decompressors have in common."""

        @property
        def eof(self) -> bool: ...
        @property
        def needs_input(self) -> bool: ...
        @property
        def unused_data(self) -> bytes: ...
        def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


BZIP2_MAGIC, XZ_MAGIC = b"BZh", b"\xfd7zXZ\0"
LZMA_MAGIC = b"]\0\0"  # how a file of the older format begins, as all known tools write it
XZ_HEADER_BYTES = 12  # bytes without which nothing can be said of a stream
MAX_DECOMPRESS_MEMORY = 256 << 20  # bytes that expanding may take; xz -9 needs 65 MiB


def compress_bzip2(data: Iterable[bytes], level: int) -> Iterator[bytes]:
    """A stream of bzip2."""
    from bz2 import BZ2Compressor  # noqa: PLC0415 - only where it is asked for

    return compress_chunks(BZ2Compressor(level), data)


def compress_xz(
    data: Iterable[bytes], level: int, *, extreme: bool = False, check: str = "crc64",
    older: bool = False,
) -> Iterator[bytes]:  # fmt: skip
    """A stream of xz; with `older`, a file of the format before it."""
    import lzma  # noqa: PLC0415 - one of the two formats

    preset = level | (lzma.PRESET_EXTREME if extreme else 0)
    if older:
        return compress_chunks(lzma.LZMACompressor(lzma.FORMAT_ALONE, preset=preset), data)
    return compress_chunks(lzma.LZMACompressor(check=XZ_CHECK_NUMBERS[check], preset=preset), data)


XZ_CHECK_NUMBERS = {"none": 0, "crc32": 1, "crc64": 4, "sha256": 10}  # as the format numbers them


def compress_chunks(packer: Compressor, data: Iterable[bytes]) -> Iterator[bytes]:
    """What a compressor makes of bytes."""
    for chunk in data:
        if piece := packer.compress(chunk):
            yield piece
    yield packer.flush()


def decompress_bzip2(source: ByteSource) -> Iterator[bytes]:
    """The bytes of all streams of bzip2; raises Damaged, also for garbage behind the last."""
    from bz2 import BZ2Decompressor  # noqa: PLC0415 - one of the two formats

    is_first = True
    while head := source.peek(4):
        if not is_bzip2(head):
            raise DamagedData("magic" if is_first else "garbage")
        if len(head) < 4:
            raise DamagedData("end")
        is_first = False
        yield from decompress_stream(BZ2Decompressor(), source, OSError)
    if is_first:
        raise DamagedData("end")


def is_bzip2(head: bytes) -> bool:
    """Whether the first four bytes of a stream, or those that are there, are those of bzip2."""
    return BZIP2_MAGIC.startswith(head[:3]) and b"1" <= (head[3:] or b"1") <= b"9"


def decompress_xz(source: ByteSource, *, single: bool = False) -> Iterator[bytes]:
    """The bytes of all streams of xz, or of a file of the older format; raises Damaged.

    With `single` what stands behind the first stream is not looked at.
    """
    import lzma  # noqa: PLC0415 - one of the two formats

    head = source.peek(XZ_HEADER_BYTES)
    if not head.startswith((XZ_MAGIC, LZMA_MAGIC)):
        raise DamagedData("magic")
    is_older = head.startswith(LZMA_MAGIC)
    while True:
        expander = lzma.LZMADecompressor(memlimit=MAX_DECOMPRESS_MEMORY)
        yield from decompress_stream(expander, source, lzma.LZMAError)
        if single:
            return
        if is_older:
            if source.peek(1):
                raise DamagedData("data")
            return
        if not has_more_streams(source):
            return


def decompress_stream(
    expander: Decompressor, source: ByteSource, error: type[Exception]
) -> Iterator[bytes]:
    """The bytes of one stream, behind which the source stands in the end."""
    while not expander.eof:
        packed = source.read_chunk() if expander.needs_input else b""
        if expander.needs_input and not packed:
            raise DamagedData("end")
        try:
            piece = expander.decompress(packed, READ_CHUNK_BYTES)
        except error as broken:
            raise DamagedData("memory" if "Memory" in str(broken) else "data") from None
        if piece:
            yield piece
    source.push_back(expander.unused_data)


def has_more_streams(source: ByteSource) -> bool:
    """Whether one more stream follows; zeros may stand behind each, four at a time."""
    if source.skip_zeros() % 4:
        raise DamagedData("data")
    head = source.peek(XZ_HEADER_BYTES)
    if not head:
        return False
    if len(head) < XZ_HEADER_BYTES:
        raise DamagedData("end")
    if not head.startswith(XZ_MAGIC):
        raise DamagedData("data")
    return True
