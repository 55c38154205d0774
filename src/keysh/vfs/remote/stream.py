"""Open files of a storage: one reads what is there, the other keeps what is to be written."""

from __future__ import annotations

import errno
import io
import shutil
import threading
from tempfile import SpooledTemporaryFile

from keysh.vfs.api import failure
from keysh.vfs.remote.errors import StorageError
from keysh.vfs.transfer import stream_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from fsspec import AbstractFileSystem

    from keysh.vfs.api import Access
    from keysh.vfs.overlay.turns import ChangeLock


class StorageStream:
    """What both have in common: a file of Python, and errors with the path."""

    __slots__ = ("_file", "_lock", "path")

    def __init__(self, file: IO[bytes], path: str) -> None:
        self._file, self.path = file, path
        self._lock = threading.Lock()  # files of storages are not made for two threads

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with self._lock, StorageError(self.path, refused=errno.EINVAL):
            here = self._file.tell()
            start = self._file.seek(0, whence)
            if start + offset < 0:  # some files go to the beginning then
                self._file.seek(here)
                raise failure(errno.EINVAL, self.path)
            return self._file.seek(start + offset)

    def tell(self) -> int:
        with self._lock:
            return self._file.tell()

    def flush(self) -> None:
        """Nothing reaches the storage before `close`."""

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._file.close()


class ReadStream(StorageStream):
    """A file as it was when it was opened, if the storage keeps it."""

    __slots__ = ()

    def __init__(self, fs: AbstractFileSystem, key: str, path: str) -> None:
        file = fs.open(key, "rb")
        if isinstance(file, io.BytesIO):
            # The storage in memory gives all readers one object, and so one place in it.
            file = io.BytesIO(file.getvalue())
        super().__init__(file, path)

    def __enter__(self) -> ReadStream:
        return self

    def read(self, size: int = -1, /) -> bytes:
        with self._lock, StorageError(self.path):
            return self._file.read(size)

    def write(self, data: bytes, /) -> int:
        raise failure(errno.EBADF, self.path)

    def truncate(self, size: int | None = None, /) -> int:
        raise failure(errno.EINVAL, self.path)


class WriteStream(StorageStream):
    """A file that is put together here, since a storage takes whole files only.

    It is kept in memory up to `KEPT` bytes, else in a temporary file of the machine, and given to
    the storage by `close`. Until then others see the file as it was when it was opened.
    """

    __slots__ = (
        "__weakref__", "_access", "_fs", "_is_changed", "_is_named", "_key", "_spool", "_change_lock",
    )  # fmt: skip

    MAX_MEMORY_BYTES = 2**23

    def __init__(
        self, fs: AbstractFileSystem, key: str, path: str, access: Access, turns: ChangeLock
    ) -> None:
        """`turns` is held by who changes names."""
        self._spool = SpooledTemporaryFile(self.MAX_MEMORY_BYTES)  # noqa: SIM115 closed with the stream
        super().__init__(self._spool, path)
        self._fs, self._key, self._access = fs, key, access
        self._change_lock = turns
        self._is_changed = False
        self._is_named = True
        if access in ("a", "rw"):
            with ReadStream(fs, key, path) as content:
                for piece in stream_chunks(content):
                    self._file.write(piece)
            self._file.seek(0)

    def move(self, key: str, path: str) -> None:
        """The file has another name now."""
        self._key, self.path = key, path

    def forget(self) -> None:
        """The file has no name any more, so nobody will see what was written."""
        self._is_named = False

    def __enter__(self) -> WriteStream:
        return self

    def read(self, size: int = -1, /) -> bytes:
        with self._lock, StorageError(self.path):
            if self._access != "rw":
                raise failure(errno.EBADF, self.path)
            return self._file.read(size)

    def write(self, data: bytes, /) -> int:
        with self._lock, StorageError(self.path):
            at = self._file.seek(0, 2) if self._access == "a" else self._file.tell()
            self._prepare(at + len(data))
            return self._file.write(data)

    def truncate(self, size: int | None = None, /) -> int:
        with self._lock, StorageError(self.path):
            at = self._file.tell()
            size = at if size is None else size
            if size < 0:
                raise failure(errno.EINVAL, self.path)
            self._prepare(size)
            if self._file.seek(0, 2) < size:
                self._file.seek(size - 1)
                self._file.write(b"\0")
            self._file.truncate(size)
            self._file.seek(at)
        return size

    def close(self) -> None:
        with self._change_lock, self._lock, StorageError(self.path, refused=errno.EROFS):
            if self._file.closed:
                return
            with self._file:
                if self._is_changed and self._is_named:
                    self._upload()

    def _prepare(self, end: int) -> None:
        """Leave the memory before the file grows, which could be by any length at once."""
        self._is_changed = True
        if end > self.MAX_MEMORY_BYTES:
            self._spool.rollover()

    def _upload(self) -> None:
        size = self._file.seek(0, 2)
        self._file.seek(0)
        if size <= self.MAX_MEMORY_BYTES:
            self._fs.pipe_file(self._key, self._file.read())
            return
        with self._fs.open(self._key, "wb") as target:
            shutil.copyfileobj(self._file, target)
