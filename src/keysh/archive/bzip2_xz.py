"""Compress and decompress bzip2, xz and legacy lzma, with concatenated streams and padding."""

from __future__ import annotations

from keysh.archive.byte_source import READ_CHUNK_BYTES, DamagedData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from keysh.archive.byte_source import ByteSource

    class Compressor(Protocol):
        """The common interface of the standard library's compressors."""

        def compress(self, data: bytes, /) -> bytes: ...
        def flush(self) -> bytes: ...

    class Decompressor(Protocol):
        """The common interface of its decompressors."""

        @property
        def eof(self) -> bool: ...
        @property
        def needs_input(self) -> bool: ...
        @property
        def unused_data(self) -> bytes: ...
        def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


BZIP2_MAGIC, XZ_MAGIC = b"BZh", b"\xfd7zXZ\0"
LZMA_MAGIC = b"]\0\0"  # of the legacy .lzma format: default properties
XZ_HEADER_BYTES = 12
MAX_DECOMPRESS_MEMORY = 256 << 20  # bytes; xz -9 needs 65 MiB


def compress_bzip2(data: Iterable[bytes], level: int) -> Iterator[bytes]:
    """Compress the data as one bzip2 stream."""
    from bz2 import BZ2Compressor  # noqa: PLC0415 - one of the two formats

    return compress_chunks(BZ2Compressor(level), data)


def compress_xz(
    data: Iterable[bytes], level: int, *, extreme: bool = False, check: str = "crc64",
    older: bool = False,
) -> Iterator[bytes]:  # fmt: skip
    """Compress the data as one xz stream, or with `older` as a legacy .lzma file."""
    import lzma  # noqa: PLC0415 - one of the two formats

    preset = level | (lzma.PRESET_EXTREME if extreme else 0)
    if older:
        return compress_chunks(lzma.LZMACompressor(lzma.FORMAT_ALONE, preset=preset), data)
    return compress_chunks(lzma.LZMACompressor(check=XZ_CHECK_NUMBERS[check], preset=preset), data)


XZ_CHECK_NUMBERS = {"none": 0, "crc32": 1, "crc64": 4, "sha256": 10}  # the format's numbers


def compress_chunks(compressor: Compressor, data: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the compressor's output for the data."""
    for chunk in data:
        if piece := compressor.compress(chunk):
            yield piece
    yield compressor.flush()


def decompress_bzip2(source: ByteSource) -> Iterator[bytes]:
    """Decompress all bzip2 streams. Raises DamagedData, also for garbage after the last."""
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
    """Whether a stream's first bytes, four at most, may begin a bzip2 stream."""
    return BZIP2_MAGIC.startswith(head[:3]) and b"1" <= (head[3:] or b"1") <= b"9"


def decompress_xz(source: ByteSource, *, single: bool = False) -> Iterator[bytes]:
    """Decompress all xz streams, or a legacy .lzma file. Raises DamagedData.

    With `single`, ignore everything after the first stream.
    """
    import lzma  # noqa: PLC0415 - one of the two formats

    head = source.peek(XZ_HEADER_BYTES)
    if not head.startswith((XZ_MAGIC, LZMA_MAGIC)):
        raise DamagedData("magic")
    is_older = head.startswith(LZMA_MAGIC)
    while True:
        decompressor = lzma.LZMADecompressor(memlimit=MAX_DECOMPRESS_MEMORY)
        yield from decompress_stream(decompressor, source, lzma.LZMAError)
        if single:
            return
        if is_older:
            if source.peek(1):
                raise DamagedData("data")
            return
        if not has_more_streams(source):
            return


def decompress_stream(
    decompressor: Decompressor, source: ByteSource, error: type[Exception]
) -> Iterator[bytes]:
    """Decompress one stream and leave the source right after it."""
    while not decompressor.eof:
        packed = source.read_chunk() if decompressor.needs_input else b""
        if decompressor.needs_input and not packed:
            raise DamagedData("end")
        try:
            piece = decompressor.decompress(packed, READ_CHUNK_BYTES)
        except error as failure:
            raise DamagedData("memory" if "Memory" in str(failure) else "data") from None
        if piece:
            yield piece
    source.push_back(decompressor.unused_data)


def has_more_streams(source: ByteSource) -> bool:
    """Whether another xz stream follows. Padding must come in multiples of four zero bytes."""
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
