"""Hand-off between two threads of which exactly one runs at any time.

Used for a fresh stack in deep recursion, and for the two sides of a pipe whose writer is not a
generator. An exception on one side reaches the other.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident, start_new_thread

from keysh.interp.run.budget import SLEEP_SLICE_SECONDS
from keysh.interp.run.control_flow import ControlFlow, LimitReached, ReaderAbandoned, ReaderGone
from keysh.interp.run.turn import WAIT_POLL_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol, TypeVar

    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State

    T = TypeVar("T")

    class Cancellable(Protocol):
        """What ends the work of another thread, such as the budget of a run."""

        def cancel(self) -> None: ...


LEVELS_PER_STACK = 40  # nesting levels that fit on the stack of one thread


class Baton:
    """What one thread gives to another, which sleeps until it has it.

    The lock only wakes; `is_given` counts. An exception may come where a call returns, and a lock
    that was acquired just before would be lost.
    """

    __slots__ = ("is_given", "lock")

    def __init__(self) -> None:
        self.is_given = False
        self.lock = allocate_lock()
        self.lock.acquire()

    def give(self) -> None:
        """Give it, and wake whoever waits."""
        self.is_given = True
        try:  # noqa: SIM105 - contextlib is slow to load
            self.lock.release()
        except RuntimeError:
            pass  # given already, or a wait has ended without the lock


def run_deeper(state: State, work: Callable[[], T]) -> T:
    """Call `work` one nesting level deeper."""
    state.enter_level()
    try:
        return on_fresh_stack(state, work) if state.depth % LEVELS_PER_STACK == 0 else work()
    finally:
        state.depth -= 1


def on_fresh_stack(state: State, work: Callable[[], T]) -> T:
    """Call `work` on a new thread with an empty stack and wait for it."""
    base = base_state_of(state)
    return run_on_thread(
        lambda: run_registered(state.session, base, work), state.budget, state.depth
    )


def base_state_of(state: State) -> State:
    """Return the state that host callbacks on this thread enter."""
    base: State = state.session.threads.get(get_ident(), state)
    return base


def run_registered(session: Session, base: State, work: Callable[[], T]) -> T:
    """Call `work` with this thread registered as one of the session."""
    thread = get_ident()
    session.threads[thread] = base
    try:
        if not session.is_watched:
            session.watch(base.budget)
        return work()
    finally:
        # No call may stand between these two: the watchdog raises limits where a call begins.
        del session.threads[thread]
        if (watchdog := session.struck_by) is not None:
            try:
                watchdog.take_back(session)
            except LimitReached:  # it was raised at this very moment
                watchdog.take_back(session)


def start_thread(work: Callable[[], object], depth: int = 0) -> None:
    """Start `work` on a new thread; raise LimitReached if the system has no more threads.

    `depth` is the nesting level, which is the reason if it is high.
    """
    try:
        start_new_thread(work, ())
    except RuntimeError:
        if depth >= LEVELS_PER_STACK:
            what = f"the machine has no thread for more than {depth - 1} levels"
            raise LimitReached("depth", what, None) from None
        raise LimitReached("threads", "the machine has no more of them", None) from None


def run_on_thread(
    work: Callable[[], T], cancellable: Cancellable | None = None, depth: int = 0
) -> T:
    """Call `work` on a new thread, wait for it and return its result."""
    outcome: list[T] = []
    errors: list[BaseException] = []
    finished = Baton()

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            errors.append(error)
        finally:
            finished.give()

    start_thread(run, depth)
    wait_for(finished, cancellable)
    if errors:
        raise without_script_frames(errors.pop())
    return outcome[0]


def without_script_frames(error: BaseException) -> BaseException:
    """Return the exception; control flow leaves the frames it has passed.

    They hold the states of all levels, which would be freed together at the end, by a recursion
    in C: Python 3.13 lets it go as deep as a thousand levels do, and overflows a small stack.
    """
    return error.with_traceback(None) if isinstance(error, ControlFlow) else error


def wait_for(baton: Baton, cancellable: Cancellable | None) -> None:
    """Wait for the other side; if a Python signal handler raises, cancel the other side first."""
    interrupted: BaseException | None = None
    while True:
        try:
            while not baton.is_given:
                baton.lock.acquire(timeout=SLEEP_SLICE_SECONDS)  # signal handlers run in between
            baton.is_given = False
            break
        except BaseException as error:  # noqa: BLE001 - raised again when the other side is still
            interrupted = error
            if cancellable is not None:
                cancellable.cancel()
    if interrupted is not None:
        raise interrupted


def read_on_thread(state: State, chunks: Iterator[str]) -> Iterator[str]:
    """Read the host's chunks on another thread, so that a run can end while a read blocks."""
    base, budget = base_state_of(state), state.budget
    asked, answered = Baton(), Baton()
    answers: list[str | BaseException | None] = []
    is_over: list[bool] = []

    def read() -> None:
        while True:
            wait_for(asked, None)
            if is_over:
                return
            try:
                answers.append(next(chunks, None))
            except BaseException as error:  # noqa: BLE001 - raised again where it is read
                answers.append(error)
            answered.give()

    def work() -> None:
        try:  # noqa: SIM105 - contextlib is slow to load
            run_registered(state.session, base, read)
        except LimitReached:
            pass  # raised by the watchdog between two reads; whoever reads meets the limit as well

    start_thread(work)
    try:
        while True:
            asked.give()
            while not answered.is_given:
                answered.lock.acquire(timeout=WAIT_POLL_SECONDS)
                budget.check()
            answered.is_given = False
            answer = answers.pop()
            if isinstance(answer, BaseException):
                raise answer
            if answer is None:
                return
            yield answer
    finally:
        is_over.append(True)
        asked.give()


class PullPipe:
    """A pipe whose reader runs here and whose writer runs on another thread.

    They alternate: the reader sleeps until the writer has sent a chunk or has ended.
    """

    __slots__ = (
        "_chunk",
        "_errors",
        "_is_over",
        "_reader_turn",
        "_state",
        "_writer_turn",
        "_write",
    )

    def __init__(self, state: State, write: Callable[[Callable[[str], None]], object]) -> None:
        self._state = state
        self._write: Callable[[Callable[[str], None]], object] | None = write
        self._reader_turn, self._writer_turn = Baton(), Baton()
        self._chunk: str | None = None
        self._errors: list[BaseException] = []
        self._is_over = False  # the reader has ended

    def chunks(self) -> Iterator[str]:
        """Yield the writer's chunks; the writer starts when the first one is needed."""
        while (chunk := self._next()) is not None:
            yield chunk

    def end(self) -> None:
        """End the reader; the writer gets ReaderAbandoned at its next chunk."""
        self._is_over = True
        if self._chunk is not None:
            self._next()
        self._write = None

    def _next(self) -> str | None:
        had, self._chunk = self._chunk, None
        if had is not None:
            self._writer_turn.give()
        elif self._write is not None:
            write, base = self._write, base_state_of(self._state)
            start_thread(lambda: self._run(write, base), self._state.depth)
            self._write = None
        else:
            return None
        wait_for(self._reader_turn, self._state.budget)
        if self._errors:
            raise without_script_frames(self._errors.pop())
        return self._chunk

    def _run(self, write: Callable[[Callable[[str], None]], object], base: State) -> None:
        try:
            run_registered(self._state.session, base, lambda: write(self._send))
        except ReaderGone:
            pass  # the reader has ended
        except BaseException as error:  # noqa: BLE001 - raised again in the reader's thread
            self._errors.append(error)
        finally:
            self._reader_turn.give()

    def _send(self, chunk: str) -> None:
        if self._is_over:
            raise ReaderAbandoned
        self._chunk = chunk
        self._reader_turn.give()
        wait_for(self._writer_turn, None)
        if self._is_over:
            raise ReaderAbandoned


class PushPipe:
    """A pipe whose writer runs here and whose reader runs on another thread.

    They alternate: `send` hands over a chunk and sleeps until the reader wants more or has ended;
    after that `is_read` is False and nothing may be sent.
    """

    __slots__ = (
        "_broken", "_errors", "_is_over", "_reader_turn", "_state", "_writer_turn", "chunk",
        "is_read",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        self._state = state
        self._writer_turn, self._reader_turn = Baton(), Baton()
        self.chunk = ""  # sent and not yet read
        self._errors: list[BaseException] = []
        self._broken: BaseException | None = None  # the exception that aborts the reader
        self._is_over = False
        self.is_read = True  # until the reader has ended

    def start(self, first: str, read: Callable[[Iterator[str]], object]) -> None:
        """Run the reader until it has read the first chunk and wants another."""

        session, base = self._state.session, base_state_of(self._state)

        def run() -> None:
            wait_for(self._reader_turn, None)
            try:
                run_registered(session, base, lambda: read(self._chunks()))
            except BaseException as error:  # noqa: BLE001 - raised again in the writer's thread
                self._errors.append(error)
            finally:
                self.is_read = False
                self._writer_turn.give()

        self.chunk = first
        start_thread(run, self._state.depth)
        self._switch()

    def send(self, chunk: str) -> None:
        """Hand over a chunk; only while `is_read`."""
        self.chunk = chunk
        self._switch()

    def end(self) -> None:
        """Signal end of file and wait until the reader has ended."""
        if self.is_read:
            self._is_over = True
            self._switch()
        if self._errors:
            raise without_script_frames(self._errors.pop())

    def abandon(self, error: BaseException) -> None:
        """Abort the reader with an exception and wait for it."""
        self._broken = error
        if self.is_read:
            self._switch()
        self._errors.clear()

    def _switch(self) -> None:
        self._reader_turn.give()
        wait_for(self._writer_turn, self._state.budget)

    def _chunks(self) -> Iterator[str]:
        """Yield the chunks to the reader."""
        while not self._is_over:
            chunk, self.chunk = self.chunk, ""
            yield chunk
            self._writer_turn.give()
            wait_for(self._reader_turn, None)
            if self._broken is not None:
                raise self._broken
