"""The contents of a file, of which the first bytes are read at once."""

from __future__ import annotations

from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.vfs.stream import Stream

    # The description of a file, and its media type.
    Kind: TypeAlias = "tuple[str, str]"

MAX_READ_BYTES = 1 << 20
OCTET_STREAM = "application/octet-stream"


class FileContents:
    """The first bytes, the size, and a stream to read more.

    Without a stream, `size` is -1 if there are more bytes than the first.
    """

    __slots__ = ("_stream", "head", "size")

    def __init__(self, head: bytes, size: int, stream: Stream | None = None) -> None:
        self.head, self.size, self._stream = head, size, stream

    @property
    def is_file(self) -> bool:
        """Whether the contents are a file, with a known end."""
        return self._stream is not None

    @property
    def is_whole(self) -> bool:
        """Whether the first bytes are all."""
        return len(self.head) == self.size

    def read_part(self, position: int, size: int) -> bytes:
        """Return bytes from a position, fewer at the end of the file."""
        if position + size <= len(self.head) or self.is_whole or self._stream is None:
            return self.head[position : position + size]
        self._stream.seek(position)
        return self._stream.read(size)


def little_endian(data: bytes, position: int, size: int) -> int:
    """Return a little-endian number."""
    return int.from_bytes(data[position : position + size], "little")


def big_endian(data: bytes, position: int, size: int) -> int:
    """Return a big-endian number."""
    return int.from_bytes(data[position : position + size], "big")


def text_to_nul(data: bytes, position: int, maximum: int) -> str:
    """Return text up to a NUL, with unprintable bytes in octal."""
    return printable_text(data[position : position + maximum].partition(b"\0")[0])


def date_text(seconds: int) -> str:
    """Return a time since 1970 as file prints it, in UTC."""
    return format_moment("%a %b %e %H:%M:%S %Y", Moment(seconds * 10**9, UTC_ZONE))


def printable_text(data: bytes) -> str:
    """Return bytes as text, with all but printable ASCII in octal."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}" for byte in data)
