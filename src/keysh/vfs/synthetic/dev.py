"""DevFS: what scripts expect in /dev, where it is mounted."""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.diagnostics.uncopied import Uncopied
from keysh.vfs.api import Entry, FileSystem, Stat, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

    Streams = Mapping[int, Stream] | Callable[[int], Stream | None]

MEMORY_DEVICE_MAJOR = 1 << 8  # of Linux's driver for these devices
DEVICE_MINORS = {"full": 7, "null": 3, "random": 8, "urandom": 9, "zero": 5}
STANDARD_STREAMS = ("stdin", "stdout", "stderr")
LISTED_DESCRIPTORS = range(64)  # looked up by a function when /fd is listed
MAX_READ_BYTES = 1 << 20  # of one read from an endless file


class DevFS(FileSystem):
    """/null /zero /full /random /urandom, and /stdin /stdout /stderr /fd/N if those are open.

    `streams` maps descriptors to streams, or is a function that returns a stream or None. Closing a
    file opened here leaves the owner's stream open. `random` returns a given number of bytes.
    Nothing can be created, removed, renamed or changed: EROFS. Reading an endless file without a
    size is ENOMEM.
    """

    __module__ = "keysh"
    __slots__ = ("_random", "_streams")
    is_recorded = False

    def __init__(
        self, streams: Streams | None = None, *, random: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._streams: Streams = {} if streams is None else streams
        self._random = random

    def stat(self, path: str) -> Stat:
        file = self._find(path)
        if isinstance(file, int):
            return Stat(kinds.S_IFCHR | 0o620, inode=100 + file)
        if file in DEVICE_MINORS:
            number = DEVICE_MINORS[file]
            return Stat(
                kinds.S_IFCHR | 0o666, inode=10 + number, special=MEMORY_DEVICE_MAJOR + number
            )
        if file == "fd":
            return Stat(kinds.S_IFDIR | 0o555, inode=2, links=2)
        return Stat(kinds.S_IFDIR | 0o755, inode=1, links=3)

    def list(self, path: str) -> Iterator[Entry]:
        file = self._find(path)
        open_ones = self._descriptors()
        if file == "fd":
            return iter([Entry(str(number), kinds.S_IFCHR) for number in open_ones])
        if file != "":
            raise failure(errno.ENOTDIR, path)
        standard = [name for number, name in enumerate(STANDARD_STREAMS) if number in open_ones]
        devices = [Entry(name, kinds.S_IFCHR) for name in (*DEVICE_MINORS, *standard)]
        return iter([*devices, Entry("fd", kinds.S_IFDIR)])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        try:
            file = self._find(path)
        except FileNotFoundError:
            if access == "r" or path.count("/") > 1 or path[1:] in STANDARD_STREAMS:
                raise
            raise failure(errno.EROFS, path) from None
        if access == "x":
            raise failure(errno.EEXIST, path)
        if file in ("", "fd"):
            raise failure(errno.EISDIR, path)
        if isinstance(file, int):
            stream = self._stream(file)
            if stream is None:  # closed meanwhile
                raise failure(errno.ENOENT, path)
            return BorrowedStream(path, access, stream)
        if file in ("random", "urandom"):
            return DeviceStream(path, access, self._random)
        return DeviceStream(path, access, None if file == "null" else bytes, file == "full")

    def read_link(self, path: str) -> str:
        self._find(path)
        raise failure(errno.EINVAL, path)

    def _find(self, path: str) -> str | int:
        """Return a descriptor's number, or any other file's name; the root's is empty."""
        file: str | int
        file, _, rest = path[1:].partition("/")
        if file == "fd" and rest:
            text, _, rest = rest.partition("/")
            file = int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1
            if str(file) != text:
                raise failure(errno.ENOENT, path)
        elif file in STANDARD_STREAMS:
            file = STANDARD_STREAMS.index(file)
        elif path != "/" and file != "fd" and file not in DEVICE_MINORS:
            raise failure(errno.ENOENT, path)
        if isinstance(file, int) and self._stream(file) is None:
            raise failure(errno.ENOENT, path)
        if rest:
            raise failure(errno.ENOTDIR, path)
        return file

    def _stream(self, number: int) -> Stream | None:
        streams = self._streams
        return streams(number) if callable(streams) else streams.get(number)

    def _descriptors(self) -> tuple[int, ...]:
        streams = self._streams
        if callable(streams):
            return tuple(number for number in LISTED_DESCRIPTORS if streams(number) is not None)
        return tuple(sorted(streams))


class DeviceStream:
    """A device without positions; what is written is discarded."""

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
        """Do nothing: writes are not buffered."""

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


class BorrowedStream(Uncopied):
    """A stream of the owner's, which stays open when this one is closed."""

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
