"""The container of an image: a line that names the format, a digest, a head in JSON and blobs.

    keysh image 1\\n | sha256 of the rest | deflate( size of the head | head | blobs )

Contents of files above `MIN_BLOB_BYTES` are blobs, each stored once and named by its digest;
smaller ones are in the head. All sizes and digests are checked before anything is made of them.
"""

from __future__ import annotations

import json
import zlib
from hashlib import sha256

from keysh.diagnostics.exceptions import ImageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAGIC = b"keysh image "
VERSION = 1
DIGEST_BYTES = 32
SIZE_BYTES = 8
COMPRESSION_LEVEL = 1  # 3 times as fast as the best, for some 10 % more bytes
MIN_BLOB_BYTES = 512
# What an image may unpack to, if the host does not say: as much as a shell's files may hold.
MAX_UNPACKED_BYTES = (1 << 30) + (64 << 20)


class BlobStore:
    """The blobs of an image that is being made: each content once."""

    __slots__ = ("_indexes", "contents", "digests")

    def __init__(self) -> None:
        self._indexes: dict[bytes, int] = {}
        self.contents: list[bytes] = []
        self.digests: list[bytes] = []

    def add(self, content: bytes) -> int:
        """Return the index of a content."""
        digest = sha256(content).digest()
        index = self._indexes.get(digest)
        if index is None:
            index = self._indexes[digest] = len(self.contents)
            self.contents.append(content)
            self.digests.append(digest)
        return index


def packed_image(head: dict[str, Any], blobs: BlobStore) -> bytes:
    """Return the bytes of an image."""
    head["blobs"] = [
        [digest.hex(), len(content)]
        for digest, content in zip(blobs.digests, blobs.contents, strict=True)
    ]
    try:
        text = json.dumps(head, separators=(",", ":"), check_circular=False).encode()
    except RecursionError:
        raise ImageError("a value is nested too deeply for an image") from None
    packer = zlib.compressobj(COMPRESSION_LEVEL)
    pieces = [packer.compress(len(text).to_bytes(SIZE_BYTES, "big")), packer.compress(text)]
    pieces += [packer.compress(content) for content in blobs.contents]
    pieces.append(packer.flush())
    payload = b"".join(pieces)
    return b"%s%d\n%s%s" % (MAGIC, VERSION, sha256(payload).digest(), payload)


def unpacked_image(
    image: bytes, max_bytes: int = MAX_UNPACKED_BYTES
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the head and the blobs of an image; raise ImageError for anything else."""
    if not isinstance(image, bytes | bytearray | memoryview):
        raise TypeError(f"an image is bytes, but this is {type(image).__name__}")
    payload = verified_payload(bytes(image))
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(payload, max_bytes)
    except zlib.error as error:
        raise ImageError(f"the image is damaged: {error}") from None
    if unpacker.unconsumed_tail:
        raise ImageError(f"the image unpacks to more than {max_bytes} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise ImageError("the image is damaged: its end is missing or not its own")
    size = int.from_bytes(data[:SIZE_BYTES], "big")
    head = head_of_json(data[SIZE_BYTES : SIZE_BYTES + size])
    return head, checked_blobs(head.get("blobs"), data, SIZE_BYTES + size)


def verified_payload(image: bytes) -> bytes:
    """Return what follows the digest, which must be its digest."""
    line, _, _ = image[: len(MAGIC) + 20].partition(b"\n")
    if not line.startswith(MAGIC) or not line[len(MAGIC) :].isdigit():
        raise ImageError("this is no image of keysh")
    version = int(line[len(MAGIC) :])
    if version != VERSION:
        raise ImageError(f"the image has version {version}; this keysh reads version {VERSION}")
    start = len(line) + 1
    digest, payload = image[start : start + DIGEST_BYTES], image[start + DIGEST_BYTES :]
    if sha256(payload).digest() != digest:
        raise ImageError("the image is damaged: its digest is not that of its content")
    return payload


def head_of_json(text: bytes) -> dict[str, Any]:
    """Return the head of an image."""
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        raise ImageError("the image is damaged: its head is no JSON") from None
    if not isinstance(head, dict):
        raise ImageError("the image is damaged: its head is no record")
    return head


def checked_blobs(entries: object, data: bytes, start: int) -> list[bytes]:
    """Return the blobs, whose digests and sizes are in the head."""
    if not isinstance(entries, list):
        raise ImageError("the image is damaged: its head names no blobs")
    blobs: list[bytes] = []
    for entry in entries:
        digest, size = checked_entry(entry)
        content = data[start : start + size]
        if len(content) != size or sha256(content).hexdigest() != digest:
            raise ImageError("the image is damaged: a content does not have its digest")
        blobs.append(content)
        start += size
    if start != len(data):
        raise ImageError("the image is damaged: there is more in it than its head names")
    return blobs


def checked_entry(entry: Sequence[object]) -> tuple[str, int]:
    """Return the digest and size of a blob."""
    match entry:
        case [str(digest), int(size)] if size >= 0:
            return digest, size
    raise ImageError("the image is damaged: its head names a blob without digest and size")
