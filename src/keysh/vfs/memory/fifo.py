"""Fifos in memory: what flows between the ends, and the ends themselves, which never wait.

The interpreter waits, without a lock of the file system: `FifoEnd.wait` sleeps until a change.
"""

from __future__ import annotations

import errno
from _thread import RLock, allocate_lock

from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable

    from keysh.vfs.api import Access

PIPE_BYTES = 1 << 16  # the capacity of a pipe on Linux
ATOMIC_WRITE_BYTES = 4096  # PIPE_BUF: a write of this size is never split


class FifoPipe:
    """The bytes in a fifo and the number of its open ends; it is empty while nobody has it open.

    `opened_readers` and `opened_writers` count every opening, so that an end learns of a peer that
    has come and gone.
    """

    __slots__ = (
        "__weakref__", "buffer", "lock", "opened_readers", "opened_writers", "readers", "sleepers",
        "writers",
    )  # fmt: skip

    def __init__(self) -> None:
        # Re-entrant, since garbage collection may close an end with the lock held.
        self.lock = RLock()
        self.buffer = bytearray()
        self.readers = self.writers = 0
        self.opened_readers = self.opened_writers = 0
        self.sleepers: list[LockType] = []

    def wake(self) -> None:
        """Wake the threads that wait for a change; called with the lock held."""
        for sleeper in self.sleepers:
            if sleeper.locked():
                sleeper.release()


class FifoPipes:
    """What flows through the fifos of a file system, by inode; a snapshot has its own."""

    __slots__ = ("_pipes",)

    def __init__(self) -> None:
        from weakref import WeakValueDictionary  # noqa: PLC0415 - few file systems have a fifo

        self._pipes: WeakValueDictionary[int, FifoPipe] = WeakValueDictionary()

    def get(self, number: int) -> FifoPipe:
        """Return the pipe of an inode, which lives while an end is open."""
        pipe = self._pipes.get(number)
        if pipe is None:
            pipe = self._pipes[number] = FifoPipe()
        return pipe


class FifoEnd:
    """One opening of a fifo: an end that reads, that writes, or both."""

    __slots__ = ("_is_open", "_peers", "_pipe", "path", "reads", "writes")

    def __init__(self, pipe: FifoPipe, path: str, access: Access) -> None:
        self._pipe, self.path = pipe, path
        self.reads, self.writes = access in ("r", "rw"), access != "r"
        self._is_open = True
        with pipe.lock:
            # One that is open already may close before this end first asks for it.
            self._peers = self._opened_peers() - self._has_open_peer()
            pipe.readers += self.reads
            pipe.opened_readers += self.reads
            pipe.writers += self.writes
            pipe.opened_writers += self.writes
            pipe.wake()

    def _opened_peers(self) -> int:
        return self._pipe.opened_readers if self.writes else self._pipe.opened_writers

    def _has_open_peer(self) -> bool:
        return bool(self._pipe.readers if self.writes else self._pipe.writers)

    def has_met_peer(self) -> bool:
        """Whether the other end is open, or has been open since."""
        return self._has_open_peer() or self._opened_peers() != self._peers

    def can_read(self) -> bool:
        """Whether there is data, or the end of file."""
        return bool(self._pipe.buffer) or not self._pipe.writers

    def can_write(self, size: int) -> bool:
        """Whether some of `size` bytes can be written; or nobody will read them."""
        room = PIPE_BYTES - len(self._pipe.buffer)
        return room >= min(size, ATOMIC_WRITE_BYTES) or not self._pipe.readers

    def take(self, size: int, terminator: bytes = b"") -> bytes | None:
        """Return the data that is there, at most `size` bytes, and not beyond the terminator.

        It is empty at the end of file, and None if there may be some later.
        """
        self._require(self.reads)
        with self._pipe.lock:
            buffer = self._pipe.buffer
            if not buffer and self._pipe.writers:
                return None
            found = buffer.find(terminator, 0, size) if terminator else -1
            data = bytes(buffer[: size if found < 0 else found + len(terminator)])
            del buffer[: len(data)]
            self._pipe.wake()
        return data

    def put(self, data: bytes | memoryview) -> int:
        """Write what there is room for and return its size. EPIPE if there is no reader."""
        self._require(self.writes)
        with self._pipe.lock:
            if not self._pipe.readers:
                raise failure(errno.EPIPE, self.path)
            room = PIPE_BYTES - len(self._pipe.buffer)
            if room < min(len(data), ATOMIC_WRITE_BYTES):
                return 0
            self._pipe.buffer += data[:room]
            self._pipe.wake()
        return min(room, len(data))

    def wait(self, is_ready: Callable[[], bool], seconds: float) -> None:
        """Wait for a change of the pipe, unless `is_ready`; at most `seconds`."""
        pipe, sleeper = self._pipe, allocate_lock()
        sleeper.acquire()
        with pipe.lock:
            pipe.sleepers.append(sleeper)
        try:
            if not is_ready():
                sleeper.acquire(timeout=seconds)
        finally:
            with pipe.lock:
                pipe.sleepers.remove(sleeper)

    def close(self) -> None:
        """Close the end; what nobody has read is lost with the last one."""
        with self._pipe.lock:
            if not self._is_open:
                return
            self._is_open = False
            self._pipe.readers -= self.reads
            self._pipe.writers -= self.writes
            if not self._pipe.readers and not self._pipe.writers:
                self._pipe.buffer.clear()
            self._pipe.wake()

    def __del__(self) -> None:
        self.close()

    def _require(self, is_allowed: bool) -> None:
        if not self._is_open:
            raise ValueError(f"the file is closed: {self.path}")
        if not is_allowed:
            raise failure(errno.EBADF, self.path)
