"""DirectoryContents: contents that a journal keeps in a directory of the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from io import FileIO
from weakref import finalize

from keysh.vfs.journal.content_store import ContentStore, file_chunks
from keysh.vfs.stream import complete_stream
from keysh.vfs.transfer import TRANSFER_CHUNK_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.vfs.api import FileSystem
    from keysh.vfs.journal.content_store import KeptContent

DEFAULT_MAX_DIRECTORY_BYTES = 4 << 30  # of files; where blocks are shared they take less of a disk

# The request of ioctl(2) that gives a file the blocks of another one, on Btrfs, XFS and the like.
FICLONE = 0x40049409


class DirectoryContents(ContentStore):
    """Contents as files in a new directory inside `directory`, which is removed with this object.

    A file of this machine on the same disk shares its blocks with its copy, if the disk can do
    that. Then even a large file is kept at once; otherwise it is copied. `directory`, or the one
    around it that `own_directory` names, is no part of what real programs may change.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        max_bytes: int = DEFAULT_MAX_DIRECTORY_BYTES,
        make_room: Callable[[int], object] | None = None,
        own_directory: str | os.PathLike[str] | None = None,
    ) -> None:
        from tempfile import mkdtemp  # noqa: PLC0415 - most journals are in memory

        super().__init__(max_bytes, make_room)
        self.directory = mkdtemp(prefix="keysh-journal-", dir=directory)
        status = os.stat(directory if own_directory is None else own_directory)
        self.own_directory = status.st_dev, status.st_ino
        self._number = 0
        self._finalizer = finalize(self, remove_files, self.directory)

    def keep(self, fs: FileSystem, path: str, size: int) -> KeptContent:
        return self._keep_copy(size, lambda copy: copy_file(fs, path, copy))

    def keep_bytes(self, data: bytes) -> KeptContent:
        def write(copy: str) -> int:
            with open_copy(copy) as target:
                return write_copy([data], target)

        return self._keep_copy(len(data), write)

    def _keep_copy(self, size: int, make: Callable[[str], int]) -> KeptContent:
        """Keep the copy that a function makes of about `size` bytes; it returns their number."""
        self.reserve(size)
        with self._lock:
            self._number += 1
            copy = os.path.join(self.directory, str(self._number))
        try:
            written = make(copy)
            self.reserve(written - size)
        except BaseException:
            self.release(size)
            if os.path.exists(copy):
                os.unlink(copy)
            raise
        return KeptFile(self, copy, written)


class KeptFile:
    """A content in a file of this machine."""

    __slots__ = ("_path", "_size", "_store")

    def __init__(self, store: ContentStore, path: str, size: int) -> None:
        self._store, self._path, self._size = store, path, size

    def __del__(self, unlink: Callable[[str], None] = os.unlink) -> None:
        self._store.release(self._size)
        # A default argument, since it may run at interpreter exit; its directory may be gone.
        with suppress(OSError):
            unlink(self._path)

    def charge(self, store: ContentStore) -> None:
        """Do nothing: it took its room when it was kept."""

    def key(self) -> object:
        """Return what two objects with the same bytes may have in common."""
        return self._path

    def size(self) -> int:
        return self._size

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes in pieces."""
        with open(self._path, "rb") as file:
            while piece := file.read(TRANSFER_CHUNK_BYTES):
                yield piece


def copy_file(fs: FileSystem, path: str, copy: str) -> int:
    """Copy a file to a new file of this machine, which nobody else may read; return its size."""
    with open_copy(copy) as target:
        with complete_stream(fs.open(path)) as source:
            number = getattr(source, "fileno", None)
            if number is not None and share_blocks(number(), target.fileno()):
                return os.fstat(target.fileno()).st_size
        return write_copy(file_chunks(fs, path), target)


def open_copy(path: str) -> FileIO:
    """Make a new file of this machine, which nobody else may read."""
    return FileIO(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def write_copy(pieces: Iterable[bytes], target: FileIO) -> int:
    """Write bytes to a file, and return their number."""
    size = 0
    for piece in pieces:
        written = 0
        while written < len(piece):
            written += target.write(memoryview(piece)[written:])
        size += len(piece)
    return size


def share_blocks(source: int, target: int) -> bool:
    """Give an empty file the blocks of another one; return whether the disk can do that."""
    try:
        from fcntl import ioctl  # noqa: PLC0415 - few systems are without it

        ioctl(target, FICLONE, source)
    except (ImportError, OSError):
        return False
    return True


def remove_files(directory: str) -> None:
    """Remove a directory of contents."""
    from shutil import rmtree  # noqa: PLC0415 - at the end of a journal

    rmtree(directory, ignore_errors=True)
