"""MemoryStream: an open file of a MemoryFS, which survives renaming and removal."""

from __future__ import annotations

import errno

from keysh.diagnostics.uncopied import Uncopied
from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.memory.inodes import FileInode, LazyContent
    from keysh.vfs.memory.quota import Quota

MAX_OFFSET = 2**63 - 1
MAX_FILE_BYTES = 2**30  # so that a seek and one byte cannot use up a host's memory


class MemoryStream(Uncopied):
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
        streams, number = space.tree.streams, file.number
        if streams:
            streams[number] = streams[number] + 1 if number in streams else 1
        else:
            space.tree.streams = {number: 1}

    def read(self, size: int = -1, /) -> bytes:
        space, file = self._quota, self._file
        if not (self._is_open and self._readable) or file.lazy is not None:
            self._require_open(self._readable)
        with space.lock:
            file = self._file
            if file.owner is not space.tree.mark:
                file = self._present_file()
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
        space, file = self._quota, self._file
        if not (self._is_open and self._writable) or file.lazy is not None:
            self._require_open(self._writable)
        if not data:
            return 0
        now = space.clock()
        with space.lock:
            file = self._file
            if file.owner is not space.tree.mark:
                file = self._own_file()
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
        self._require_open(True)
        with self._quota.lock:
            if whence == 1:
                offset += self._position
            elif whence == 2:
                offset += len(self._present_file().content)
            if not 0 <= offset <= MAX_OFFSET or whence not in (0, 1, 2):
                raise failure(errno.EINVAL, self._path)
            self._position = offset
        return offset

    def tell(self) -> int:
        return self.seek(0, 1)

    def truncate(self, size: int | None = None, /) -> int:
        self._require_open(True)
        if not self._writable:
            raise failure(errno.EINVAL, self._path)  # as ftruncate(2), not EBADF
        space = self._quota
        now = space.clock()
        with space.lock:
            if size is None:
                size = self._position
            if size < 0:
                raise failure(errno.EINVAL, self._path)
            file = self._own_file()
            self._require_bytes(size, len(file.content))
            space.resize(file, size)
            file.modified = file.changed = now
        return size

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def identity(self) -> tuple[int, int]:
        """Return the file's identity, which no file of the machine has."""
        return -id(self._quota), self._file.number

    def close(self) -> None:
        with self._quota.lock:
            if self._is_open:
                self._is_open = False
                self._quota.release_stream(self._file.number)

    def __enter__(self) -> MemoryStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._is_open:
            self._quota.abandoned.append(self._file.number)

    def _require_open(self, is_allowed: bool) -> None:
        """Raise if the stream is closed or not open for this; load lazy contents."""
        if not self._is_open:
            raise ValueError(f"the file is closed: {self._path}")
        if not is_allowed:
            raise failure(errno.EBADF, self._path)
        if self._file.lazy is not None:
            self._load(self._file.lazy)

    def _load(self, lazy: LazyContent) -> None:
        """Load the contents of a lazy file, unless another thread has loaded or replaced them."""
        content = lazy.load(self._path)
        with self._quota.lock:
            file = self._present_file()
            if file.lazy is lazy:
                file = self._own_file()
                self._quota.fill(file, content, self._path)
            self._file = file

    def _present_file(self) -> FileInode:
        """Return the file as it is now; called with the lock held, as is `_own_file`."""
        file, tree = self._file, self._quota.tree
        return file if file.owner is tree.mark else tree.open_version(file)

    def _own_file(self) -> FileInode:
        """Return the file in a version that may be changed: a snapshot may have the same."""
        file, tree = self._file, self._quota.tree
        if file.owner is not tree.mark:
            if not self._is_open:  # another thread has closed it meanwhile
                raise ValueError(f"the file is closed: {self._path}")
            file = self._file = tree.own_inode(tree.open_version(file))
        return file

    def _require_bytes(self, size: int, length: int) -> None:
        if size > MAX_FILE_BYTES:
            raise failure(errno.EFBIG, self._path)
        self._quota.require_bytes(size - length, self._path)
