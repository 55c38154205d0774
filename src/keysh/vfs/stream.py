"""Stream: an open file. One of a host needs `read` and `write` only; the rest is made up for."""

from __future__ import annotations

import errno
import io
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Protocol
else:
    Protocol = object  # `typing` is slow to import

OWN_MODULE_PREFIX = "keysh."
# What a stream of a host may lack.
COMPLETED_METHODS = ("seek", "tell", "truncate", "flush", "close", "__enter__", "__exit__")


class RawStream(Protocol):
    """What `FileSystem.open` must return: bytes that are read, or written, from where it stands.

    A stream that was opened to be written only needs no `read`, and the other way round. `write`
    returns how many bytes it has taken; None means all.
    """

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes, or all; none at the end."""

    def write(self, data: bytes, /) -> int | None:
        """Write bytes."""


class Stream(Protocol):
    """An open file: bytes and a position. Closing it twice does no harm.

    An optional method `identity` identifies its regular file, so that a command can detect that its
    input is its output.
    """

    if not TYPE_CHECKING:  # a protocol has methods only
        __module__ = "keysh"

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes, or all; none at the end."""

    def write(self, data: bytes, /) -> int:
        """Write bytes; return how many were taken."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move the position; return it."""

    def tell(self) -> int:
        """Return the position."""

    def truncate(self, size: int | None = None, /) -> int:
        """Make the file as long as `size`, or as the position; return its size."""

    def flush(self) -> None:
        """Pass on what was written."""

    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Stream: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> object: ...


def complete_stream(stream: RawStream) -> Stream:
    """Return a stream with all methods; one of a host may lack some."""
    kind: Any = type(stream)
    if kind.__module__.startswith(OWN_MODULE_PREFIX) or all(
        hasattr(kind, name) for name in COMPLETED_METHODS
    ):
        return stream  # type: ignore[return-value]
    return CompletedStream(stream)


class CompletedStream:
    """A stream of a host, with the methods that it lacks."""

    __slots__ = ("_is_closed", "_position", "_stream")

    def __init__(self, stream: RawStream) -> None:
        self._stream: Any = stream
        self._position, self._is_closed = 0, False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._stream, name)  # `identity`, `fileno`

    def read(self, size: int = -1, /) -> bytes:
        read = getattr(self._stream, "read", None)
        if read is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        data: bytes = read(size)
        self._position += len(data)
        return data

    def write(self, data: bytes, /) -> int:
        write = getattr(self._stream, "write", None)
        if write is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        count = write(data)
        count = len(data) if count is None else int(count)
        self._position += count
        return count

    def tell(self) -> int:
        tell = getattr(self._stream, "tell", None)
        return self._position if tell is None else int(tell())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        seek = getattr(self._stream, "seek", None)
        if seek is not None:
            return int(seek(offset, whence))
        position = self.tell()
        if (offset, whence) not in ((position, io.SEEK_SET), (0, io.SEEK_CUR)):
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE))
        return position

    def truncate(self, size: int | None = None, /) -> int:
        truncate = getattr(self._stream, "truncate", None)
        if truncate is None:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return int(truncate(size))

    def flush(self) -> None:
        flush = getattr(self._stream, "flush", None)
        if flush is not None:
            flush()

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            close = getattr(self._stream, "close", None)
            if close is not None:
                close()

    def __enter__(self) -> CompletedStream:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()
