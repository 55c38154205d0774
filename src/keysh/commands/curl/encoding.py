"""Encoding: a body that a server has packed, as it was before."""

from __future__ import annotations

import zlib
from itertools import chain

from keysh.commands.curl.failure import BAD_ENCODING, TransferError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ANY_HEADER, NO_HEADER = 47, -15  # for zlib: gzip's or zlib's, and neither
HEADER = 2  # bytes of zlib's
PIECE = 1 << 16
PACKED = ("gzip", "x-gzip", "deflate")


def unpacked(parts: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The pieces of a body; none is larger than a few pieces, however much it unpacks to."""
    if encoding in ("", "identity"):
        yield from parts
        return
    if encoding not in PACKED:
        says = "Unrecognized content encoding type. libcurl understands deflate, gzip content"
        raise TransferError(BAD_ENCODING, f"{says} encodings.")
    rests, head = iter(parts), b""
    while len(head) < HEADER and (part := next(rests, None)) is not None:
        head += part
    is_bare = encoding == "deflate" and not has_header(head)
    engine = zlib.decompressobj(NO_HEADER if is_bare else ANY_HEADER)
    try:
        for rest in chain((head,), rests):
            while rest and not engine.eof:
                yield engine.decompress(rest, PIECE)
                rest = engine.unconsumed_tail
        while piece := engine.decompress(b"", PIECE):  # what had no room in the last one
            yield piece
    except zlib.error as error:
        says = str(error).rpartition(": ")[2]
        raise TransferError(
            BAD_ENCODING, f"Error while processing content unencoding: {says}"
        ) from None


def has_header(data: bytes) -> bool:
    """Whether data begins as zlib writes it; some servers leave that away."""
    return len(data) < HEADER or (data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0)
