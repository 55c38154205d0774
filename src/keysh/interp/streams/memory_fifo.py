"""FIFOs in memory as streams: they wait for the other end, as long as anybody may use it."""

from __future__ import annotations

import errno
import sys
from _thread import get_ident
from functools import partial

from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.run.peer_wait import PeerWait, is_deadlock_for
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.streams.streams import Reader
from keysh.text.chunks import bytes_of_text, decode_chunks, read_chunks, text_of_bytes
from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.run.budget import Budget
    from keysh.interp.run.forward_types import AnyState
    from keysh.vfs.memory.fifo import FifoEnd

PEER_POLL_SECONDS = 0.02  # how often a wait checks for the end of its run, and for a deadlock
DEADLOCK_FIX = "start the other end first, in the background: command > fifo &"
NO_READER, NO_WRITER = "nothing reads this named pipe", "nothing writes to this named pipe"


def open_memory_fifo(state: AnyState, end: FifoEnd, path: str) -> FifoStream:
    """Wait for the other end, unless this one reads and writes; return the stream."""
    end.path = path  # not the one within the file system
    stream = FifoStream(state, end)
    try:
        if not (end.reads and end.writes):
            stream.wait_until(end.has_met_peer, NO_READER if end.writes else NO_WRITER)
    except BaseException:
        end.close()
        raise
    return stream


class FifoStream:
    """An end of a FIFO in memory. Reading waits for data, writing for room.

    It must not refer to the state, which refers to it: the cycle would keep the FIFO open.
    """

    __slots__ = ("_budget", "_end", "_out", "_session")

    def __init__(self, state: AnyState, end: FifoEnd) -> None:
        self._end, self._session = end, state.session
        self._budget, self._out = state.budget, state.out

    def read(self, size: int = -1, /) -> bytes:
        """Return what is there, or with a negative size everything until the end of file."""
        if size < 0:
            return b"".join(read_chunks(self.read))
        return self._take(size)

    def read_until(self, terminator: bytes, max_bytes: int) -> bytes:
        """Return the data up to the terminator, at most `max_bytes`; less at the end of file."""
        data = bytearray()
        while len(data) < max_bytes and not (terminator and data.endswith(terminator)):
            piece = self._take(max_bytes - len(data), terminator[-1:])
            if not piece:
                break
            data += piece
        return bytes(data)

    def _take(self, size: int, terminator: bytes = b"") -> bytes:
        """Wait for data and return it; empty at the end of file."""
        while (data := self._end.take(size, terminator)) is None:  # or another reader was faster
            self.wait_until(self._end.can_read, NO_WRITER)
        return data

    def write(self, data: bytes, /) -> int:
        """Write all bytes; raise ReaderGone if nobody is left to read them."""
        rest = memoryview(data)
        while rest:
            try:
                written = self._end.put(rest)
            except BrokenPipeError:
                raise ReaderGone from None
            rest = rest[written:]
            if not written:
                self.wait_until(partial(self._end.can_write, len(rest)), NO_READER)
        return len(data)

    def is_ready(self, seconds: float) -> bool:
        """Whether data or the end of file arrives within `seconds`."""
        self._end.wait(self._end.can_read, seconds)
        return self._end.can_read()

    def wait_until(self, is_over: Callable[[], bool], fault: str) -> None:
        """Wait for the other end; raise E214 if no thread of the shell is left to use it."""
        if is_over():
            return
        self._out.flush()  # the other end may wait for this output
        budget = self._budget_here()
        with PeerWait(budget, is_over, can_fail=True):
            while not is_over():
                budget.check()
                if budget.interruption:
                    raise failure(errno.EINTR, self._end.path)
                if is_deadlock_for(budget, self._budgets):
                    raise RuntimeDiagnostic("E214", fault, self._end.path, DEADLOCK_FIX)
                rest = budget.remaining_seconds()
                self._end.wait(
                    is_over, PEER_POLL_SECONDS if rest is None else min(rest, PEER_POLL_SECONDS)
                )

    def _budget_here(self) -> Budget:
        """Return the budget of the run or job on this thread: it may have inherited the end."""
        state = self._session.threads.get(get_ident())
        budget: Budget = self._budget if state is None else state.budget
        return budget

    def _budgets(self) -> list[Budget]:
        """Return the budgets of the host's run and then of all jobs.

        Without a run there are none: the host may begin one, and nobody waits in vain.
        """
        # First the threads: a job may run before it is listed, but then the one that lists it runs.
        states = [*self._session.threads.copy().values()]
        jobs = self._session.jobs.running() if self._session.has_jobs else []
        budgets = {id(job.budget): job.budget for job in jobs}
        runs = {id(one.budget): one.budget for one in states if id(one.budget) not in budgets}
        return [*runs.values(), *budgets.values()] if runs else []

    def seek(self, offset: int, whence: int = 0, /) -> int:
        raise failure(errno.ESPIPE, self._end.path)

    def tell(self) -> int:
        raise failure(errno.ESPIPE, self._end.path)

    def truncate(self, size: int | None = None, /) -> int:
        raise failure(errno.EINVAL, self._end.path)

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def close(self) -> None:
        """Close the end."""
        self._end.close()

    def __enter__(self) -> FifoStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def text_reader(self) -> FifoReader:
        """Return a reader of the text."""
        return FifoReader(self)


class FifoReader(Reader):
    """Reads a FIFO, and leaves in it what was not asked for: another job may read that."""

    __slots__ = ("_stream",)

    def __init__(self, stream: FifoStream) -> None:
        self._stream = stream
        super().__init__(decode_chunks(stream.read), stream.close)

    def is_ready(self, seconds: float) -> bool:
        """Wait for input or end of file; False if nothing comes within `seconds`."""
        return self._at < len(self._rest) or self._stream.is_ready(seconds)

    def read_line(self, terminator: str = "\n") -> str:
        return self.read_part(sys.maxsize, terminator)

    def read_part(self, max_chars: int, terminator: str = "") -> str:
        if self._at < len(self._rest):  # was pushed back
            return super().read_part(max_chars, terminator)
        pieces: list[str] = []
        ending = bytes_of_text(terminator)
        is_over = False
        while max_chars > 0 and not is_over:
            data = self._stream.read_until(ending, max_chars)
            is_over = len(data) < max_chars or (bool(ending) and data.endswith(ending))
            while is_cut_short(data) and (more := self._stream.read_until(b"", 1)):
                data += more
            pieces.append(text_of_bytes(data))
            max_chars -= len(pieces[-1])
        return "".join(pieces)


def is_cut_short(data: bytes) -> bool:
    """Whether data ends within a character."""
    for size in range(1, min(4, len(data)) + 1):
        byte = data[-size]
        if byte >= 0xC0:
            return size < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4)
        if byte < 0x80:
            return False
    return False
