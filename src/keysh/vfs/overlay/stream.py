"""LowerStream: an open file of an overlay that has not been changed yet."""

from __future__ import annotations

import errno

from keysh.diagnostics.uncopied import Uncopied
from keysh.vfs.api import failure
from keysh.vfs.stream import complete_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import RLock

    from keysh.vfs.api import Access, FileSystem


class LowerStream(Uncopied):
    """Reads the lower file and, from its first change on, its copy in the upper file system.

    Every call holds the overlay's lock, so the switch never happens during a call.
    """

    __slots__ = ("__weakref__", "_access", "_copy_up", "_lock", "_stream", "path")

    def __init__(
        self,
        lower: FileSystem,
        path: str,
        access: Access,
        lock: RLock,
        copy_up: Callable[[str], None],
    ) -> None:
        """`copy_up` copies a file to the upper and calls `move_to_upper` of all its streams."""
        self._stream = complete_stream(lower.open(path))
        self.path, self._access = path, access
        self._lock = lock
        self._copy_up: Callable[[str], None] | None = copy_up

    @property
    def can_write(self) -> bool:
        return self._access != "r"

    def move_to_upper(self, upper: FileSystem) -> None:
        """Continue in the upper file system, at the same position."""
        place = self._stream.tell()
        self._stream.close()
        self._stream = complete_stream(upper.open(self.path, self._access))
        self._stream.seek(place)
        self._copy_up = None

    def stay_in_lower(self) -> None:
        """Stay in the lower file system: the name no longer belongs to this file."""
        self._copy_up = None

    def read(self, size: int = -1, /) -> bytes:
        with self._lock:
            if self._access == "a":
                raise failure(errno.EBADF, self.path)
            return self._stream.read(size)

    def write(self, data: bytes, /) -> int:
        with self._lock:
            self._change(errno.EBADF)
            return self._stream.write(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with self._lock:
            return self._stream.seek(offset, whence)

    def tell(self) -> int:
        with self._lock:
            return self._stream.tell()

    def truncate(self, size: int | None = None, /) -> int:
        with self._lock:
            self._change(errno.EINVAL)
            return self._stream.truncate(size)

    def flush(self) -> None:
        with self._lock:
            self._stream.flush()

    def identity(self) -> tuple[int, int] | None:
        """Return the file's identity; all of its streams have moved to the upper, or none has."""
        with self._lock:
            identity = getattr(self._stream, "identity", None)
            return None if identity is None else identity()

    def close(self) -> None:
        with self._lock:
            self._copy_up = None
            self._stream.close()

    def __enter__(self) -> LowerStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _change(self, refusal: int) -> None:
        self._stream.tell()  # raises for a closed stream
        if not self.can_write:
            raise failure(refusal, self.path)
        if self._copy_up:
            self._copy_up(self.path)
