"""LocalFile and LocalFifo: open files of this machine."""

from __future__ import annotations

import errno
import io
import select

from keysh.vfs.api import failure, identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FIFO_READ_BYTES = 1 << 16  # the capacity of a pipe on Linux


class LocalFile(io.FileIO):
    """An open file of this machine. A write is complete or raises, with the virtual path."""

    def __init__(self, descriptor: int, mode: str, path: str) -> None:
        super().__init__(descriptor, mode)
        self.path = path

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # as the contract has it
        try:
            written = super().write(data)
            while written < len(data):
                written += super().write(memoryview(data)[written:])
        except OSError as error:
            raise failure(error.errno or errno.EIO, self.path) from None
        return written

    def identity(self) -> tuple[int, int] | None:
        """Return the identity of a regular file."""
        return identity_of(self.fileno())

    def __exit__(self, *exception: object) -> None:
        self.close()


class LocalFifo(LocalFile):
    """An end of a fifo. Reading waits for data, even before there is a writer."""

    def __init__(self, descriptor: int, mode: str, path: str) -> None:
        super().__init__(descriptor, mode, path)
        self.has_met_peer = self.writable()  # whether the other end has ever been open
        self.wait: Callable[[LocalFifo], object] = wait_for_writer  # waits until it is readable

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(FIFO_READ_BYTES), b""))
        self.wait(self)
        self.has_met_peer = True
        return super().read(size) or b""

    def is_ready(self, seconds: float) -> bool:
        """Whether data or the end of file arrives within `seconds`."""
        waiting = select.poll()
        waiting.register(self.fileno(), select.POLLIN)
        return bool(waiting.poll(seconds * 1000))


def wait_for_writer(fifo: LocalFifo) -> None:
    """Wait for data, without a limit."""
    while not fifo.is_ready(1):
        pass
