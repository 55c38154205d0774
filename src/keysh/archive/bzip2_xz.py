"""Streams of bzip2 and xz: one behind another, with what may stand between and behind them."""

from __future__ import annotations

from keysh.archive.byte_source import PIECE, Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from keysh.archive.byte_source import Source

    class Packer(Protocol):
        """What the standard library's compressors have in common."""

        def compress(self, data: bytes, /) -> bytes: ...
        def flush(self) -> bytes: ...

    class Expander(Protocol):
        """What its decompressors have in common."""

        @property
        def eof(self) -> bool: ...
        @property
        def needs_input(self) -> bool: ...
        @property
        def unused_data(self) -> bytes: ...
        def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


BZIP2, XZ = b"BZh", b"\xfd7zXZ\0"
LZMA = b"]\0\0"  # how a file of the older format begins, as all known tools write it
XZ_HEADER = 12  # bytes without which nothing can be said of a stream
MOST_MEMORY = 256 << 20  # bytes that expanding may take; xz -9 needs 65 MiB


def bzip2_compressed(data: Iterable[bytes], level: int) -> Iterator[bytes]:
    """A stream of bzip2."""
    from bz2 import BZ2Compressor  # noqa: PLC0415 - only where it is asked for

    return packed(BZ2Compressor(level), data)


def xz_compressed(
    data: Iterable[bytes], level: int, *, extreme: bool = False, check: str = "crc64",
    older: bool = False,
) -> Iterator[bytes]:  # fmt: skip
    """A stream of xz; with `older`, a file of the format before it."""
    import lzma  # noqa: PLC0415 - one of the two formats

    preset = level | (lzma.PRESET_EXTREME if extreme else 0)
    if older:
        return packed(lzma.LZMACompressor(lzma.FORMAT_ALONE, preset=preset), data)
    return packed(lzma.LZMACompressor(check=CHECKS[check], preset=preset), data)


CHECKS = {"none": 0, "crc32": 1, "crc64": 4, "sha256": 10}  # as the format numbers them


def packed(packer: Packer, data: Iterable[bytes]) -> Iterator[bytes]:
    """What a compressor makes of bytes."""
    for chunk in data:
        if piece := packer.compress(chunk):
            yield piece
    yield packer.flush()


def bzip2_expanded(source: Source) -> Iterator[bytes]:
    """The bytes of all streams of bzip2; raises Damaged, also for garbage behind the last."""
    from bz2 import BZ2Decompressor  # noqa: PLC0415 - one of the two formats

    is_first = True
    while head := source.peek(4):
        if not is_bzip2(head):
            raise Damaged("magic" if is_first else "garbage")
        if len(head) < 4:
            raise Damaged("end")
        is_first = False
        yield from one_stream(BZ2Decompressor(), source, OSError)
    if is_first:
        raise Damaged("end")


def is_bzip2(head: bytes) -> bool:
    """Whether the first four bytes of a stream, or those that are there, are those of bzip2."""
    return BZIP2.startswith(head[:3]) and b"1" <= (head[3:] or b"1") <= b"9"


def xz_expanded(source: Source, *, single: bool = False) -> Iterator[bytes]:
    """The bytes of all streams of xz, or of a file of the older format; raises Damaged.

    With `single` what stands behind the first stream is not looked at.
    """
    import lzma  # noqa: PLC0415 - one of the two formats

    head = source.peek(XZ_HEADER)
    if not head.startswith((XZ, LZMA)):
        raise Damaged("magic")
    is_older = head.startswith(LZMA)
    while True:
        expander = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
        yield from one_stream(expander, source, lzma.LZMAError)
        if single:
            return
        if is_older:
            if source.peek(1):
                raise Damaged("data")
            return
        if not has_more_streams(source):
            return


def one_stream(expander: Expander, source: Source, error: type[Exception]) -> Iterator[bytes]:
    """The bytes of one stream, behind which the source stands in the end."""
    while not expander.eof:
        packed = source.chunk() if expander.needs_input else b""
        if expander.needs_input and not packed:
            raise Damaged("end")
        try:
            piece = expander.decompress(packed, PIECE)
        except error as broken:
            raise Damaged("memory" if "Memory" in str(broken) else "data") from None
        if piece:
            yield piece
    source.give_back(expander.unused_data)


def has_more_streams(source: Source) -> bool:
    """Whether one more stream follows; zeros may stand behind each, four at a time."""
    if source.skip_zeros() % 4:
        raise Damaged("data")
    head = source.peek(XZ_HEADER)
    if not head:
        return False
    if len(head) < XZ_HEADER:
        raise Damaged("end")
    if not head.startswith(XZ):
        raise Damaged("data")
    return True
