"""Contents: the bytes of a file, as far as they are looked at to tell what it is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.vfs.api import Stream

    # What a file is in words, and as a media type.
    Kind: TypeAlias = "tuple[str, str]"

MAX_READ_BYTES = 1 << 20  # bytes that are read
OCTET_STREAM = "application/octet-stream"


class FileContents:
    """The first bytes, how many there are at all, and a stream that has the others.

    Without a stream nobody knows more than the first, and `size` is -1 where there are more.
    """

    __slots__ = ("_stream", "head", "size")

    def __init__(self, head: bytes, size: int, stream: Stream | None = None) -> None:
        self.head, self.size, self._stream = head, size, stream

    @property
    def is_file(self) -> bool:
        """Whether they are a file's, so that its end is known too."""
        return self._stream is not None

    @property
    def is_whole(self) -> bool:
        """Whether the first bytes are all."""
        return len(self.head) == self.size

    def read_part(self, at: int, size: int) -> bytes:
        """So many bytes from a place on, fewer where there are no more."""
        if at + size <= len(self.head) or self.is_whole or self._stream is None:
            return self.head[at : at + size]
        self._stream.seek(at)
        return self._stream.read(size)


def little_endian(data: bytes, at: int, size: int) -> int:
    """A number whose first byte counts least."""
    return int.from_bytes(data[at : at + size], "little")


def big_endian(data: bytes, at: int, size: int) -> int:
    """A number whose first byte counts most."""
    return int.from_bytes(data[at : at + size], "big")


def text_to_nul(data: bytes, at: int, most: int = 256) -> str:
    """A text that a NUL ends, with octal escapes for what is not printed."""
    return printable_text(data[at : at + most].partition(b"\0")[0])


def printable_text(data: bytes) -> str:
    """Bytes as text, those beyond printed ASCII as `\\ooo`."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}" for byte in data)
