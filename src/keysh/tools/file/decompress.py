"""Decompress the start of a compressed file, for -z."""

from __future__ import annotations

import zlib
from bz2 import BZ2Decompressor
from lzma import LZMADecompressor, LZMAError

from keysh.tools.file.contents import MAX_READ_BYTES

GZIP_OR_ZLIB = 47  # a value of zlib's wbits
MAX_LZMA_MEMORY_BYTES = 1 << 28  # files that need more are not decompressed
# A text can start with the same bytes.
ZLIB_HEADERS = (
    b"\x78\x01",
    b"\x78\x5e",
    b"\x78\x9c",
    b"\x78\xda",
)


def beginning_inside(data: bytes) -> bytes | None:
    """Return the first decompressed bytes, or None if nothing can be decompressed."""
    try:
        if data.startswith((b"\x1f\x8b", *ZLIB_HEADERS)):
            return zlib.decompressobj(GZIP_OR_ZLIB).decompress(data, MAX_READ_BYTES)
        if data.startswith(b"BZh"):
            return BZ2Decompressor().decompress(data, MAX_READ_BYTES)
        if data.startswith((b"\xfd7zXZ\0", b"]\0\0")):
            return LZMADecompressor(memlimit=MAX_LZMA_MEMORY_BYTES).decompress(data, MAX_READ_BYTES)
    except (zlib.error, LZMAError, OSError, EOFError, ValueError):
        pass
    return None
