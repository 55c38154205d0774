"""SqliteStream: an open file of a SqliteFS, which survives renaming and removal."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure
from keysh.vfs.memory.stream import MAX_FILE_BYTES, MAX_OFFSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.vfs.sqlite.open_inodes import OpenInodes


class SqliteStream:
    """A file's number and a position. Threads may share it; each call is atomic."""

    __slots__ = (
        "__weakref__", "_appends", "_clock", "_file", "_files", "_is_open", "_path", "_position",
        "_readable", "_writable",
    )  # fmt: skip

    def __init__(
        self, files: OpenInodes, inode: int, path: str, access: str, clock: Callable[[], int]
    ) -> None:
        """Called with the lock held."""
        self._files, self._path, self._clock = files, path, clock
        self._readable = access in ("r", "rw")
        self._writable = access != "r"
        self._appends = access == "a"
        self._position = 0
        self._file = files.add_stream(inode)
        self._is_open = True

    def read(self, size: int = -1, /) -> bytes:
        files = self._require_open(self._readable)
        with files.database.reading(self._path):
            contents, length = files.contents(self._file, self._path)
            start = self._position
            end = length if size < 0 else min(start + size, length)
            if start >= end:
                return b""
            data = contents.read(self._file.inode, start, end)
            self._position = end
            return data

    def write(self, data: bytes, /) -> int:
        """Write everything, or nothing and raise ENOSPC or EFBIG."""
        if type(data) is not bytes:
            data = bytes(memoryview(data))
        files = self._require_open(self._writable)
        if not data:
            return 0
        now = self._clock()
        files.close_abandoned()
        with files.database.lock:  # longer than the change: it may fail as it is committed
            with files.database.change(self._path):
                contents, length = files.contents(self._file, self._path)
                start = length if self._appends else self._position
                end = start + len(data)
                if end > length:
                    self._require_bytes(end, length)
                contents.write(self._file.inode, start, data, length)
                contents.set_size(self._file.inode, max(end, length), now)
                files.quota.add_bytes(max(0, end - length))
            self._position = end
        return len(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        files = self._require_open(True)
        with files.database.reading(self._path):
            if whence == 1:
                offset += self._position
            elif whence == 2:
                offset += files.contents(self._file, self._path)[1]
            if not 0 <= offset <= MAX_OFFSET or whence not in (0, 1, 2):
                raise failure(errno.EINVAL, self._path)
            self._position = offset
        return offset

    def tell(self) -> int:
        return self.seek(0, 1)

    def truncate(self, size: int | None = None, /) -> int:
        files = self._require_open(True)
        if not self._writable:
            raise failure(errno.EINVAL, self._path)  # as ftruncate(2), not EBADF
        now = self._clock()
        files.close_abandoned()
        with files.database.change(self._path):
            if size is None:
                size = self._position
            if size < 0:
                raise failure(errno.EINVAL, self._path)
            contents, length = files.contents(self._file, self._path)
            self._require_bytes(size, length)
            contents.resize(self._file.inode, length, size)
            contents.set_size(self._file.inode, size, now)
            files.quota.add_bytes(size - length)
        return size

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def identity(self) -> tuple[int, int]:
        """Return the file's identity, which no file of the machine has."""
        return -id(self._files), self._file.inode

    def close(self) -> None:
        with self._files.database.lock:
            if self._is_open:
                self._is_open = False
                self._files.close(self._file, self._path)

    def __enter__(self) -> SqliteStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._is_open:
            self._files.abandoned.append(self._file)

    def _require_open(self, is_allowed: bool) -> OpenInodes:
        if not self._is_open:
            raise ValueError(f"the file is closed: {self._path}")
        if not is_allowed:
            raise failure(errno.EBADF, self._path)
        return self._files

    def _require_bytes(self, size: int, length: int) -> None:
        if size > MAX_FILE_BYTES:
            raise failure(errno.EFBIG, self._path)
        self._files.quota.require_bytes(size - length, self._path)
