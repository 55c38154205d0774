"""DevFS: what scripts expect in /dev. It is mounted there; its own paths begin behind it."""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.vfs.api import Entry, FileSystem, Stat, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from keysh.vfs.api import Access, Stream

    Streams = Mapping[int, Stream] | Callable[[int], Stream | None]

MEMORY_DEVICE_MAJOR = 1 << 8  # the driver of all of these, in Linux
DEVICE_MINORS = {"full": 7, "null": 3, "random": 8, "urandom": 9, "zero": 5}  # with their numbers
STANDARD_STREAMS = ("stdin", "stdout", "stderr")
LISTED_DESCRIPTORS = range(64)  # the descriptors a function is asked for when /fd is listed
MAX_READ_BYTES = 1 << 20  # a read of an endless file is cut short here


class DevFS(FileSystem):
    """/null /zero /full /random /urandom, and /stdin /stdout /stderr /fd/N where those are open.

    `streams` gives the stream of a descriptor: a mapping, or a function that answers None where
    there is none. Closing what was opened here leaves the owner's stream open. `random` answers so
    many bytes. Nothing can be made, removed, renamed or changed: EROFS.

    To read without a size what has no end is ENOMEM.
    """

    def __init__(
        self, streams: Streams | None = None, *, random: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._streams: Streams = {} if streams is None else streams
        self._random = random

    def stat(self, path: str) -> Stat:
        found = self._find(path)
        if isinstance(found, int):
            return Stat(kinds.S_IFCHR | 0o620, inode=100 + found)
        if found in DEVICE_MINORS:
            number = DEVICE_MINORS[found]
            return Stat(
                kinds.S_IFCHR | 0o666, inode=10 + number, special=MEMORY_DEVICE_MAJOR + number
            )
        if found == "fd":
            return Stat(kinds.S_IFDIR | 0o555, inode=2, links=2)
        return Stat(kinds.S_IFDIR | 0o755, inode=1, links=3)

    def list(self, path: str) -> Iterator[Entry]:
        found = self._find(path)
        open_ones = self._descriptors()
        if found == "fd":
            return iter([Entry(str(number), kinds.S_IFCHR) for number in open_ones])
        if found != "":
            raise failure(errno.ENOTDIR, path)
        standard = [name for number, name in enumerate(STANDARD_STREAMS) if number in open_ones]
        devices = [Entry(name, kinds.S_IFCHR) for name in (*DEVICE_MINORS, *standard)]
        return iter([*devices, Entry("fd", kinds.S_IFDIR)])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        try:
            found = self._find(path)
        except FileNotFoundError:
            if access == "r" or path.count("/") > 1 or path[1:] in STANDARD_STREAMS:
                raise
            raise failure(errno.EROFS, path) from None
        if access == "x":
            raise failure(errno.EEXIST, path)
        if found in ("", "fd"):
            raise failure(errno.EISDIR, path)
        if isinstance(found, int):
            stream = self._stream(found)
            if stream is None:  # closed since it was found
                raise failure(errno.ENOENT, path)
            return BorrowedStream(path, access, stream)
        if found in ("random", "urandom"):
            return DeviceStream(path, access, self._random)
        return DeviceStream(path, access, None if found == "null" else bytes, found == "full")

    def read_link(self, path: str) -> str:
        self._find(path)
        raise failure(errno.EINVAL, path)

    def _find(self, path: str) -> str | int:
        """The number of a descriptor or the name of anything else; the root's is empty."""
        found: str | int
        found, _, rest = path[1:].partition("/")
        if found == "fd" and rest:
            text, _, rest = rest.partition("/")
            found = int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1
            if str(found) != text:
                raise failure(errno.ENOENT, path)
        elif found in STANDARD_STREAMS:
            found = STANDARD_STREAMS.index(found)
        elif path != "/" and found != "fd" and found not in DEVICE_MINORS:
            raise failure(errno.ENOENT, path)
        if isinstance(found, int) and self._stream(found) is None:
            raise failure(errno.ENOENT, path)
        if rest:
            raise failure(errno.ENOTDIR, path)
        return found

    def _stream(self, number: int) -> Stream | None:
        streams = self._streams
        return streams(number) if callable(streams) else streams.get(number)

    def _descriptors(self) -> tuple[int, ...]:
        streams = self._streams
        if callable(streams):
            return tuple(number for number in LISTED_DESCRIPTORS if streams(number) is not None)
        return tuple(sorted(streams))


class DeviceStream:
    """A device of bytes without places. What is written goes nowhere."""

    __slots__ = ("_is_full", "_is_open", "_path", "_readable", "_source", "_writable")

    def __init__(
        self,
        path: str,
        access: Access,
        source: Callable[[int], bytes] | None,
        is_full: bool = False,
    ) -> None:
        self._path, self._source, self._is_full = path, source, is_full
        self._readable = access in ("r", "rw")
        self._writable = access != "r"
        self._is_open = True

    def read(self, size: int = -1, /) -> bytes:
        self._require(self._readable)
        if self._source is None:
            return b""
        if size < 0:
            raise failure(errno.ENOMEM, self._path)
        return self._source(min(size, MAX_READ_BYTES))

    def write(self, data: bytes, /) -> int:
        self._require(self._writable)
        if self._is_full:
            raise failure(errno.ENOSPC, self._path)
        return len(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._require(True)
        return 0

    def tell(self) -> int:
        return self.seek(0)

    def truncate(self, size: int | None = None, /) -> int:
        self._require(True)
        raise failure(errno.EINVAL, self._path)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        self._is_open = False

    def __enter__(self) -> DeviceStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _require(self, is_allowed: bool) -> None:
        if not self._is_open:
            raise ValueError(f"the file is closed: {self._path}")
        if not is_allowed:
            raise failure(errno.EBADF, self._path)


class BorrowedStream:
    """Somebody else's stream, which stays open when this one is closed."""

    __slots__ = ("_path", "_readable", "_stream", "_writable")

    def __init__(self, path: str, access: Access, stream: Stream) -> None:
        self._path = path
        self._readable = access in ("r", "rw")
        self._writable = access != "r"
        self._stream: Stream | None = stream

    def read(self, size: int = -1, /) -> bytes:
        return self._borrowed(self._readable).read(size)

    def write(self, data: bytes, /) -> int:
        return self._borrowed(self._writable).write(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._borrowed(True).seek(offset, whence)

    def tell(self) -> int:
        return self._borrowed(True).tell()

    def truncate(self, size: int | None = None, /) -> int:
        return self._borrowed(self._writable).truncate(size)

    def flush(self) -> None:
        self._borrowed(True).flush()

    def close(self) -> None:
        self._stream = None

    def __enter__(self) -> BorrowedStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _borrowed(self, is_allowed: bool) -> Stream:
        if self._stream is None:
            raise ValueError(f"the file is closed: {self._path}")
        if not is_allowed:
            raise failure(errno.EBADF, self._path)
        return self._stream
