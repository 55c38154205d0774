"""The watchdog: ends runs that look at none of their limits.

Commands look at their limits by themselves, many times a second. Where one does not, such as a
command of the host that computes for ever, this thread raises the limit inside it:

    run            session.threads[its thread] = its state; `watch` once, then nothing
    watchdog       while runs are active, 30 times a second: which budgets are overdue?
                   raise the limit in each thread that works for them
    end of a run   del session.threads[…]; what was raised too late is taken back

A thread that no run is registered for is never hit, for the order is: the watchdog notes on the
session that it strikes, then looks whether the thread is registered, then raises. A thread that
leaves takes itself from the table, and then looks whether its session was struck. If so it waits
for the watchdog, and takes back what is pending. No native call can be interrupted but those that
have left a function for it in `native_calls`: the limit is raised when the call returns.
"""

from __future__ import annotations

import sys
from _thread import RLock, allocate_lock, get_ident, start_new_thread
from _weakref import ref
from os import register_at_fork
from time import monotonic, sleep

from keysh.interp.run.control_flow import LimitReached, limit_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, Protocol

    from keysh.interp.run.budget import Budget

    class WatchedState(Protocol):
        """The part of a state that is used here."""

        budget: Budget

    class WatchedSession(Protocol):
        """The part of a session that is used here."""

        is_watched: bool
        struck_by: Watchdog | None
        threads: dict[int, Any]


LOOK_SECONDS = 0.03
SOON_SECONDS = 0.01  # after a look at which a run was too large; at the second one it is ended
TURNS_TO_RAISE = 100  # of a loop; an exception is raised in the first one
IDLE_LOOKS = 30  # looks without a run, before the thread sleeps until the next run
GRACE_SECONDS = 0.2  # for commands to see by themselves that the run has to end
# An exception may be lost, as in a `__del__`, and then is raised again; but a run that is ending
# must not be disturbed while it kills its programs.
UNWIND_SECONDS = 5.0
IMPORT_FRAMES = "<frozen importlib"
WAITING_FUNCTION = "wait_for"  # in thread_handoff.py
WHOLE_FUNCTIONS = frozenset({"__del__", "__enter__", "__exit__", "resident_bytes"})
FIRST_FUNCTIONS = ("_run_alone", "run_registered")  # what is outside of these is the host's


class Watchdog:
    """One thread of this process, which looks at the runs of all shells."""

    __slots__ = (
        "_is_parked", "_is_running", "_lock", "_raise_in", "_sees_large", "_sessions", "_wake",
        "native_calls",
    )  # fmt: skip

    def __init__(self) -> None:
        # By address: a set would search all dead sessions that were at the same one.
        self._sessions: dict[int, ref[WatchedSession]] = {}
        # By thread: what ends a call in C from outside, such as a statement of SQLite.
        self.native_calls: dict[int, Callable[[], None]] = {}
        self.begin_process()

    def begin_process(self) -> None:
        """Begin without a thread: a fork of a process has only the one that called it."""
        self._is_running = self._is_parked = self._sees_large = False
        self._lock = RLock()  # held to strike, and to change what is watched
        self._wake = allocate_lock()
        self._wake.acquire()
        self._raise_in: Any = None  # of Python's own library, loaded when a run lasts
        for each in self._sessions.copy().values():
            session = each()
            if session is not None:
                session.is_watched, session.struck_by = False, None
        self._sessions.clear()

    def watch(self, session: WatchedSession) -> None:
        """Watch the runs of a session from now on, as long as there are any."""
        session.is_watched = True
        self._sessions[id(session)] = ref(session)
        if self._is_running and not self._is_parked:
            return
        with self._lock:
            if not self._is_running:
                try:
                    start_new_thread(self._run, ())
                except RuntimeError:  # the machine has no thread for it; the next run tries again
                    session.is_watched = False
                    return
                self._is_running = True
            elif self._is_parked:
                self._is_parked = False
                self._wake.release()

    def take_back(self, session: WatchedSession) -> None:
        """Drop a limit that was raised in this thread, which no run uses any more.

        Another exception takes its place and is caught here. Without one Python's mark of a pending
        exception stays set for good: all code gets slower, and in 3.11 a traced call never ends.
        """
        is_taken_back = self._raise_in is None
        while True:
            try:
                with self._lock:
                    if not is_taken_back:
                        is_taken_back = True
                        self._raise_in(get_ident(), TakenBack)
                        for _ in range(TURNS_TO_RAISE):
                            pass
                    if not session.threads:
                        session.struck_by = None
                return
            except LimitReached:
                pass  # it was raised here

    def _run(self) -> None:
        """Look at all runs again and again; sleep while there are none."""
        idle_looks = 0
        while True:
            sleep(SOON_SECONDS if self._sees_large else LOOK_SECONDS)
            try:
                is_needed = self._look()
            except (MemoryError, ImportError):  # a script has it; the next look may find room
                is_needed = True
            if is_needed:
                idle_looks = 0
                continue
            idle_looks += 1
            if idle_looks < IDLE_LOOKS:
                continue
            idle_looks = 0
            self._is_parked = True  # first, for `watch` looks at this last
            with self._lock:
                is_woken = not self._is_parked
                if self._sessions and not is_woken:
                    self._is_parked = False
                    continue
            self._wake.acquire()

    def _look(self) -> bool:
        """Look at all runs once; return whether there are any."""
        active = []
        for address, each in self._sessions.copy().items():
            session = each()
            if session is None:
                newest = self._sessions.pop(address, each)
                if newest is not each:  # of a new session, which began at this moment
                    self._sessions.setdefault(address, newest)
            elif session.threads:
                active.append(session)
            else:
                self._forget(session)
        self._sees_large = False
        if not active:
            return False
        if self._raise_in is None:
            self._raise_in = exception_setter()
        from keysh.process.memory_use import resident_bytes  # noqa: PLC0415 - for runs that last

        resident = resident_bytes()
        # Copies, since a table may change while a list of its items is made.
        workers = [
            (session, thread, state, state.budget)  # of this moment: a new run has another one
            for session in active
            for thread, state in session.threads.copy().items()
        ]
        budgets = {budget for *_, budget in workers}
        overdue = {budget: self._overdue_limit(budget, resident) for budget in budgets}
        self._sees_large = any(budget.is_large for budget in budgets)
        for session, thread, state, budget in workers:
            limit = overdue[budget]
            if limit is not None and state.budget is budget:
                self._strike(session, thread, state, limit)
        return True

    def _forget(self, session: WatchedSession) -> None:
        """Watch a session no longer, unless a run of it begins at this moment."""
        session.is_watched = False
        each = self._sessions.pop(id(session), None)
        if session.threads and each is not None:  # it may have seen that it was watched
            session.is_watched = True
            self._sessions[id(session)] = each

    def _overdue_limit(self, budget: Budget, resident: int) -> LimitReached | None:
        """Return the limit that should have ended a run by now; None if there is none."""
        now = monotonic()
        if budget.ended_at and now < budget.ended_at + UNWIND_SECONDS:
            return None
        if budget.is_overdue(now - GRACE_SECONDS):
            return budget.time_limit(now)
        return budget.missed_memory_limit(resident)

    def _strike(
        self, session: WatchedSession, thread: int, state: WatchedState, limit: LimitReached
    ) -> None:
        """Raise a limit in a thread that works for a run."""
        if must_not_end(sys._current_frames().get(thread)):
            return
        with self._lock:
            session.struck_by = self
            if session.threads.get(thread) is state:
                state.budget.ended_at = monotonic()
                self._raise_in(thread, raised_class(limit, state.budget))
                interrupt_native = self.native_calls.get(thread)
                if interrupt_native is not None:
                    interrupt_native()


class TakenBack(LimitReached):
    """Takes the place of a limit that was raised too late."""

    def __init__(self) -> None:
        super().__init__("cancelled", None, None)


def raised_class(limit: LimitReached, budget: Budget) -> type[LimitReached]:
    """Return a class whose objects are this limit: Python makes the object, without arguments."""

    class Overdue(LimitReached):
        """A limit that the watchdog has raised."""

        struck = budget

        def __init__(self) -> None:
            super().__init__(limit.kind, limit.used, limit.allowed, limit.status)

    return Overdue


def exception_setter() -> Any:
    """Return the function that raises an exception in a thread."""
    try:
        from ctypes import c_ulong, py_object, pythonapi  # noqa: PLC0415 - 10 ms, only if a run lasts
    except ImportError as error:  # a Python without ctypes has no such function
        if limit_of(error) is not None:  # but one without memory has
            raise
        return lambda thread, exception: None
    set_exception = pythonapi.PyThreadState_SetAsyncExc

    def raise_in(thread: int, exception: type[BaseException]) -> None:
        set_exception(c_ulong(thread), py_object(exception))

    return raise_in


def must_not_end(frame: FrameType | None) -> bool:
    """Whether an exception would do harm in a thread, or nothing, at this moment.

    It may load a module, which would stay half loaded. It may destroy an object: an exception in
    `__del__` ends nothing, and Python prints it. It may open or close what nobody else knows yet,
    or no longer: a descriptor would stay open. Or it waits for another thread of the run, which
    gets the exception and passes it on; the lock that it waits for would be lost.
    """
    if frame is not None and frame.f_code.co_name == WAITING_FUNCTION:
        return True
    while frame is not None and (code := frame.f_code).co_name not in FIRST_FUNCTIONS:
        if code.co_name in WHOLE_FUNCTIONS or code.co_filename.startswith(IMPORT_FRAMES):
            return True
        frame = frame.f_back
    return False


WATCHDOG = Watchdog()
register_at_fork(after_in_child=WATCHDOG.begin_process)
