"""FIFOs: open them and wait for the other end, on this machine and in memory."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.interp.streams.memory_fifo import open_memory_fifo
from keysh.vfs.api import failure
from keysh.vfs.local.stream import LocalFifo
from keysh.vfs.memory.fifo import FifoEnd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.run.budget import Budget
    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.streams.streams import Writer
    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

READER_POLL_SECONDS = 0.01  # how often a writer checks for a reader
CANCEL_POLL_SECONDS = 0.05  # how often a waiting reader checks for the end of the run


def open_fifo(state: AnyState, path: str, access: Access, refusal: OSError) -> Stream:
    """Open a FIFO that was refused as a file; raise the refusal if it is none.

    In other shells `open` waits for a writer, and so it does here for a FIFO in memory. Where it is
    one of this machine, the first read waits, so that one script can open both ends.
    """
    try:
        fs, inner = state.fs.locate(path)
        there = fs.stat(inner)
    except OSError:
        raise refusal from None
    if not kinds.S_ISFIFO(there.mode):
        raise refusal
    while True:
        try:
            fifo = fs.open_fifo(inner, access)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise refusal from None
            if not state.sleep(READER_POLL_SECONDS):
                raise failure(errno.EINTR, path) from None
        else:
            if isinstance(fifo, FifoEnd):
                return open_memory_fifo(state, fifo, path)
            if not isinstance(fifo, LocalFifo):  # a host's file system has its own
                raise refusal
            fifo.wait = fifo_wait(state.budget, state.out)
            return fifo


def fifo_wait(budget: Budget, out: Writer) -> Callable[[LocalFifo], None]:
    """Return a function that waits for a writer, or until the run ends.

    It must not refer to the state, which refers to the FIFO: the cycle would keep the FIFO open.
    """

    def wait(fifo: LocalFifo) -> None:
        if fifo.is_ready(0):
            return
        out.flush()  # the other end may wait for this output
        while not fifo.is_ready(CANCEL_POLL_SECONDS):
            budget.check()
            if budget.interruption:
                raise failure(errno.EINTR, fifo.path)

    return wait
