"""LowerStream: an open file of an overlay that nobody has changed yet, but somebody may."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import RLock

    from keysh.vfs.api import Access, FileSystem, Stream


class LowerStream:
    """Bytes of the lower file, and from the first change on those of its copy in the upper.

    Every call holds the overlay's lock, so that the switch never comes into the middle of one.
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
        """`copy_up` copies a file to the upper and calls `rise` of all its streams."""
        self._stream: Stream = lower.open(path)
        self.path, self._access = path, access
        self._lock = lock
        self._copy_up: Callable[[str], None] | None = copy_up

    @property
    def can_write(self) -> bool:
        return self._access != "r"

    def move_to_upper(self, upper: FileSystem) -> None:
        """Go on in the upper, at the same place."""
        place = self._stream.tell()
        self._stream.close()
        self._stream = upper.open(self.path, self._access)
        self._stream.seek(place)
        self._copy_up = None

    def stay_in_lower(self) -> None:
        """Go on below for good: the name is somebody else's from now on."""
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
        """What tells the file from others, of which each stream of it has risen, or none has."""
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
        self._stream.tell()  # which a closed stream refuses
        if not self.can_write:
            raise failure(refusal, self.path)
        if self._copy_up:
            self._copy_up(self.path)
