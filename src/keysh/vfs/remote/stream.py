"""Open files of a storage: one for reading, and one that collects what is written."""

from __future__ import annotations

import errno
import io
import shutil
import threading
from tempfile import SpooledTemporaryFile

from keysh.diagnostics.uncopied import Uncopied
from keysh.vfs.api import failure
from keysh.vfs.remote.storage_errors import StorageError
from keysh.vfs.transfer import stream_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from fsspec import AbstractFileSystem

    from keysh.vfs.api import Access
    from keysh.vfs.remote.change_lock import ChangeLock


class StorageStream(Uncopied):
    """The common part: a Python file, and errors with the path."""

    __slots__ = ("_file", "_lock", "path")

    def __init__(self, file: IO[bytes], path: str) -> None:
        self._file, self.path = file, path
        self._lock = threading.Lock()  # storages' files are not thread-safe

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with self._lock, StorageError(self.path, refused=errno.EINVAL):
            here = self._file.tell()
            start = self._file.seek(0, whence)
            if start + offset < 0:  # some files would seek to the beginning
                self._file.seek(here)
                raise failure(errno.EINVAL, self.path)
            return self._file.seek(start + offset)

    def tell(self) -> int:
        with self._lock:
            return self._file.tell()

    def flush(self) -> None:
        """Do nothing: the storage gets the file at `close`."""

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._file.close()


class ReadStream(StorageStream):
    """A file as it was when it was opened, if the storage keeps that."""

    __slots__ = ()

    def __init__(self, fs: AbstractFileSystem, key: str, path: str) -> None:
        file = fs.open(key, "rb")
        if isinstance(file, io.BytesIO):
            # The storage in memory gives all readers one object with one position.
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
    """A file that is collected here, since a storage takes whole files only.

    It is in memory up to `MAX_MEMORY_BYTES`, else in a temporary file, and uploaded by `close`.
    Until then others see the file as it was when it was opened.
    """

    __slots__ = (
        "__weakref__", "_access", "_change_lock", "_fs", "_is_changed", "_is_named", "_key",
        "_spool",
    )  # fmt: skip

    MAX_MEMORY_BYTES = 2**23

    def __init__(
        self, fs: AbstractFileSystem, key: str, path: str, access: Access, change_lock: ChangeLock
    ) -> None:
        """`change_lock` is held during changes of names."""
        self._spool = SpooledTemporaryFile(self.MAX_MEMORY_BYTES)  # noqa: SIM115 closed with the stream
        super().__init__(self._spool, path)
        self._fs, self._key, self._access = fs, key, access
        self._change_lock = change_lock
        self._is_changed = False
        self._is_named = True
        if access in ("a", "rw"):
            with ReadStream(fs, key, path) as content:
                for piece in stream_chunks(content):
                    self._file.write(piece)
            self._file.seek(0)

    def move(self, key: str, path: str) -> None:
        """Note that the file has been renamed."""
        self._key, self.path = key, path

    def forget(self) -> None:
        """Note that the file has been removed, so that nothing is uploaded."""
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
            position = self._file.tell()
            size = position if size is None else size
            if size < 0:
                raise failure(errno.EINVAL, self.path)
            self._prepare(size)
            if self._file.seek(0, 2) < size:
                self._file.seek(size - 1)
                self._file.write(b"\0")
            self._file.truncate(size)
            self._file.seek(position)
        return size

    def close(self) -> None:
        with self._change_lock, self._lock, StorageError(self.path, refused=errno.EROFS):
            if self._file.closed:
                return
            with self._file:
                if self._is_changed and self._is_named:
                    self._upload()

    def _prepare(self, end: int) -> None:
        """Move to a temporary file before the file grows beyond memory."""
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
