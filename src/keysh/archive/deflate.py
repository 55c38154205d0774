"""DEFLATE (RFC 1951), as it stands in gzip and in zip: without a header of its own."""

from __future__ import annotations

import zlib

from keysh.archive.source import PIECE, Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.archive.source import Source


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
