"""MemoryStream: an open file of a MemoryFS, which survives renaming and removal."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.memory.inodes import FileInode
    from keysh.vfs.memory.quota import Quota

MAX_OFFSET = 2**63 - 1
MAX_FILE_BYTES = 2**30  # so that a seek and one byte cannot use up a host's memory


class MemoryStream:
    """An inode's bytes and a position. Threads may share it; each call is atomic."""

    __slots__ = (
        "__weakref__", "_appends", "_file", "_is_open", "_path", "_position", "_quota", "_readable",
        "_writable",
    )  # fmt: skip

    def __init__(self, space: Quota, file: FileInode, path: str, access: str) -> None:
        """Called with the lock held."""
        self._quota, self._file, self._path = space, file, path
        self._readable = access in ("r", "rw")
        self._writable = access != "r"
        self._appends = access == "a"
        self._position = 0
        self._is_open = True
        file.streams += 1

    def read(self, size: int = -1, /) -> bytes:
        space, file = self._require_open(self._readable)
        with space.lock:
            start = self._position
            length = len(file.content)
            end = length if size < 0 else min(start + size, length)
            if start >= end:
                return b""
            self._position = end
            return file.read(start, end)

    def write(self, data: bytes, /) -> int:
        """Write everything, or nothing and raise ENOSPC or EFBIG."""
        if type(data) is not bytes:
            data = bytes(memoryview(data))
        space, file = self._require_open(self._writable)
        if not data:
            return 0
        now = space.clock()
        with space.lock:
            length = len(file.content)
            start = length if self._appends else self._position
            end = start + len(data)
            if end > length:
                self._require_bytes(end, length)
            file.write(start, data)
            space.bytes += max(0, end - length)
            file.modified = file.changed = now
            self._position = end
        return len(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        space, file = self._require_open(True)
        with space.lock:
            if whence == 1:
                offset += self._position
            elif whence == 2:
                offset += len(file.content)
            if not 0 <= offset <= MAX_OFFSET or whence not in (0, 1, 2):
                raise failure(errno.EINVAL, self._path)
            self._position = offset
        return offset

    def tell(self) -> int:
        return self.seek(0, 1)

    def truncate(self, size: int | None = None, /) -> int:
        space, file = self._require_open(True)
        if not self._writable:
            raise failure(errno.EINVAL, self._path)  # as ftruncate(2), not EBADF
        now = space.clock()
        with space.lock:
            if size is None:
                size = self._position
            if size < 0:
                raise failure(errno.EINVAL, self._path)
            self._require_bytes(size, len(file.content))
            space.resize(file, size)
            file.modified = file.changed = now
        return size

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def identity(self) -> tuple[int, int]:
        """Return the file's identity, which no file of the machine has."""
        return -1, id(self._file)

    def close(self) -> None:
        with self._quota.lock:
            if self._is_open:
                self._is_open = False
                self._quota.release_stream(self._file)

    def __enter__(self) -> MemoryStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._is_open:
            self._quota.abandoned.append(self._file)

    def _require_open(self, is_allowed: bool) -> tuple[Quota, FileInode]:
        """Raise if the stream is closed or not open for this; load lazy contents."""
        if not self._is_open:
            raise ValueError(f"the file is closed: {self._path}")
        if not is_allowed:
            raise failure(errno.EBADF, self._path)
        if self._file.lazy is not None:
            self._quota.load(self._file, self._path)
        return self._quota, self._file

    def _require_bytes(self, size: int, length: int) -> None:
        if size > MAX_FILE_BYTES:
            raise failure(errno.EFBIG, self._path)
        self._quota.require_bytes(size - length, self._path)
