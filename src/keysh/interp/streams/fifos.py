"""Fifos: named pipes of the machine, which wait for who is at their other end."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.vfs.api import failure
from keysh.vfs.local.filesystem import LocalFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.run.limits import Budget
    from keysh.interp.streams.streams import Writer
    from keysh.vfs.api import Access
    from keysh.vfs.local.filesystem import LocalFifo

READER_POLL_SECONDS = 0.01  # seconds between two looks whether somebody reads
CANCEL_POLL_SECONDS = 0.05  # seconds between two looks whether the run is to end


def open_fifo(state: AnyState, path: str, access: Access, refusal: OSError) -> LocalFifo:
    """What cannot be opened as a file is opened as a fifo, or the refusal stands.

    Other shells wait in `open` for a writer, too. Here the first read does, so that a script may
    open both ends of a conversation.
    """
    try:
        fs, inner = state.fs.locate(path)
        there = fs.stat(inner)
    except OSError:
        raise refusal from None
    if not isinstance(fs, LocalFS) or not kinds.S_ISFIFO(there.mode):
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
            fifo.wait = fifo_wait(state.budget, state.out)
            return fifo


def fifo_wait(budget: Budget, out: Writer) -> Callable[[LocalFifo], None]:
    """How a read waits for a writer, unless the run ends before.

    It does not lead to the state, which leads to the fifo: that is closed with the last who has it.
    """

    def wait(fifo: LocalFifo) -> None:
        if fifo.is_ready(0):
            return
        out.flush()  # what waits to be read goes on its way first
        while not fifo.is_ready(CANCEL_POLL_SECONDS):
            budget.check()
            if budget.interruption:
                raise failure(errno.EINTR, fifo.path)

    return wait
