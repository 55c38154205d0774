"""ContentStore: the contents that a journal keeps in memory, up to a limit."""

from __future__ import annotations

import errno
from _thread import RLock

from keysh.vfs.memory.difference import is_same_content
from keysh.vfs.stream import complete_stream
from keysh.vfs.transfer import stream_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from keysh.vfs.api import FileSystem, Identity
    from keysh.vfs.memory.inodes import FileInode

    class KeptContent(Protocol):
        """Bytes that stay as they are, whatever happens to the file."""

        def key(self) -> object: ...
        def size(self) -> int: ...
        def chunks(self) -> Iterator[bytes]: ...
        def charge(self, store: ContentStore) -> None: ...


DEFAULT_MAX_CONTENT_BYTES = 256 << 20  # what a careless loop may cost a host in memory


class ContentStore:
    """Contents in memory; those that no version needs any more free their room.

    `max_bytes` limits their sum. If a content does not fit, `make_room` is called with the number
    of bytes that are missing, and may forget versions; if that does not help, the content is not
    kept, and changes say so.
    """

    def __init__(
        self,
        max_bytes: int = DEFAULT_MAX_CONTENT_BYTES,
        make_room: Callable[[int], object] | None = None,
    ) -> None:
        self.max_bytes = max_bytes
        self.make_room = make_room
        # The directory of the machine that belongs to the journal: no run changes anything there.
        self.own_directory: Identity | None = None
        self._bytes = 0
        # Re-entrant, since garbage collection may free a content with the lock held.
        self._lock = RLock()

    @property
    def bytes_used(self) -> int:
        """The sum of the sizes of all contents that are kept."""
        return self._bytes

    def keep(self, fs: FileSystem, path: str, size: int) -> KeptContent:
        """Keep the content of a file, which has about `size` bytes; OSError if it does not fit."""
        self.reserve(size)
        try:
            data = fs.read_file(path, size)
            self.reserve(len(data) - size)
            size = len(data)
        except BaseException:
            self.release(size)
            raise
        return KeptBytes(self, data)

    def keep_bytes(self, data: bytes) -> KeptContent:
        """Keep a content that was read before; OSError if it does not fit."""
        self.reserve(len(data))
        return KeptBytes(self, data)

    def reserve(self, size: int) -> None:
        """Take room for a number of bytes; OSError EFBIG if there is none."""
        with self._lock:
            missing = self._bytes + size - self.max_bytes
            if missing > 0 and self.make_room is not None:
                self.make_room(missing)
            if self._bytes + size > self.max_bytes:
                reason = f"the journal has no room for {size} bytes more than its {self._bytes}"
                raise OSError(errno.EFBIG, f"{reason}; its limit is {self.max_bytes}")
            self._bytes += size

    def release(self, size: int) -> None:
        """Give room back."""
        with self._lock:
            self._bytes -= size


class KeptBytes:
    """A content in memory."""

    __slots__ = ("_data", "_store")

    def __init__(self, store: ContentStore, data: bytes) -> None:
        self._store, self._data = store, data

    def __del__(self) -> None:
        self._store.release(len(self._data))

    def charge(self, store: ContentStore) -> None:
        """Do nothing: it took its room when it was kept."""

    def key(self) -> object:
        """Return what two objects with the same bytes may have in common."""
        return id(self._data)

    def size(self) -> int:
        return len(self._data)

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes."""
        yield self._data


class KeptInode:
    """The content of a version of a file of a MemoryFS, which is never changed in place.

    It takes room in a store only once `charge` is called, when the file itself has lost it.
    """

    __slots__ = ("_charged_bytes", "_store", "node")

    def __init__(self, node: FileInode) -> None:
        self.node = node
        self._store: ContentStore | None = None
        self._charged_bytes = 0

    def __del__(self) -> None:
        if self._store is not None:
            self._store.release(self._charged_bytes)

    def charge(self, store: ContentStore) -> None:
        """Take room in a store; OSError if there is none."""
        if self._store is None:
            size = len(self.node.content)
            store.reserve(size)
            self._store, self._charged_bytes = store, size

    def key(self) -> object:
        """Return the identity of the bytes, which versions of an inode share."""
        return id(self.node.content if self.node.lazy is None else self.node.lazy)

    def has_bytes_of(self, node: FileInode) -> bool:
        """Whether another inode has the same bytes; none that are lazy are loaded."""
        return is_same_content(self.node, node)

    def size(self) -> int:
        return len(self._bytes())

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes, which are loaded if nobody has read the file yet."""
        data = self._bytes()
        yield data if isinstance(data, bytes) else bytes(data)

    def _bytes(self) -> bytes | bytearray:
        node = self.node
        return node.content if node.lazy is None else node.lazy.load("")


def file_chunks(fs: FileSystem, path: str) -> Iterator[bytes]:
    """Yield the bytes of a file."""
    with complete_stream(fs.open(path)) as stream:
        yield from stream_chunks(stream)
