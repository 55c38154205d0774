"""WorkerProcess: a process that runs shells, and that may die at any moment.

It is a new interpreter, not a fork: it inherits no descriptor but its end of the pipe, no
environment, no terminal. The deadline here does not rely on the worker. Whatever it does, at the
end of a run's time and a grace it is killed.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from select import POLLIN, POLLOUT, poll
from threading import RLock
from time import monotonic

from keysh.diagnostics.uncopied import Uncopied
from keysh.interp.run.budget import STATUS_CANCELLED, STATUS_TIMED_OUT
from keysh.interp.run.control_flow import STATUS_OVER_LIMIT, LimitReached
from keysh.shell.isolation.frames import (
    EXIT_OUT_OF_MEMORY,
    READY,
    FrameError,
    FrameReader,
    PipeClosed,
)
from keysh.shell.isolation.peer import Peer
from keysh.text.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import Popen
    from typing import Any

    from keysh.shell.isolation.frames import Frame
    from keysh.shell.isolation.peer import Serve

# The worker's own limits end a run within 50 ms; a worker that is later than this is killed.
GRACE_SECONDS = 1.0
# A worker that has not said that it is ready by then never will.
START_SECONDS = 30.0
SEND_SECONDS = 30.0  # for a frame to a worker that is not asked for anything
RECEIVE_BYTES = 1 << 18
# What the worker's program is told: the search path cannot come from the environment, which a
# script's host may not control. Nothing that is imported is garbage: to look for some takes 2 ms.
BOOT = (
    "import gc, sys; gc.disable(); sys.path[:] = sys.argv[5:];"
    " from keysh.worker.worker_program import main; main(*map(int, sys.argv[1:5]))"
)
# Each of glibc's arenas reserves 64 MB of the address space that is limited.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "1", "LC_ALL": "C.UTF-8"}
NO_END = float("inf")


class WorkerLost(PipeClosed):
    """A worker has died or was killed; `limit` says why."""

    def __init__(self, limit: LimitReached) -> None:
        super().__init__(limit.message)
        self.limit = limit


class WorkerProcess(Uncopied):
    """A running worker, and this side of the pipe to it."""

    __slots__ = (
        "_allowed", "_began", "_bell", "_cancelled_at", "_ends_at", "_frames", "_is_ready",
        "_kill_lock", "_owner", "_pipe", "_process", "_sending", "_waiting", "_writing", "live",
        "peer", "released_at", "runs",
    )  # fmt: skip

    def __init__(self, memory: int, cpu_seconds: int, open_files: int) -> None:
        from subprocess import DEVNULL, Popen  # noqa: PLC0415 - 8 ms that only real processes need

        ours, theirs = socket.socketpair()
        try:
            numbers = (theirs.fileno(), memory, cpu_seconds, open_files)
            search_path = [os.path.abspath(place) for place in sys.path if os.path.exists(place)]
            self._process: Popen[bytes] = Popen(
                [sys.executable, "-I", "-S", "-c", BOOT, *map(str, numbers), *search_path],
                stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, cwd="/", env=ENVIRONMENT,
                pass_fds=(theirs.fileno(),), start_new_session=True,
            )  # fmt: skip
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)
        self._pipe, self._owner = ours, os.getpid()
        self._bell: tuple[int, int] | None = None
        self._kill_lock = RLock()  # the garbage collector may kill, too
        self._frames = FrameReader({READY: (64, 0)})
        self._is_ready = False
        self._ends_at, self._began, self._allowed = NO_END, 0.0, 0.0
        self._cancelled_at = NO_END
        self._waiting = poll()
        self._waiting.register(ours, POLLIN)
        self._writing = poll()
        self._writing.register(ours, POLLOUT)
        self._sending = RLock()  # programs of the host answer from threads of their own
        self.peer = Peer(self, refuse_request)
        self.live: Any = None  # the state of the session whose shell is in there
        self.runs = 0
        self.released_at = 0.0

    @property
    def process_id(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def begin(
        self, serve: Serve, on_output: Callable[[str, bytes], None] | None,
        bounds: dict[int, tuple[int, int]], seconds: float | None,
    ) -> None:  # fmt: skip
        """Prepare for requests of one thread, which end after some seconds."""
        if not self._is_ready:
            self._await_ready()
        self._frames = FrameReader(bounds)
        self.peer = Peer(self, serve, on_output)
        self._began = monotonic()
        self._cancelled_at = NO_END
        self._allowed = seconds or 0.0
        self._ends_at = NO_END if seconds is None else self._began + seconds + GRACE_SECONDS

    def _await_ready(self) -> None:
        """Wait until the program says that it is there."""
        self._ends_at, self._began = monotonic() + START_SECONDS, monotonic()
        self._allowed = START_SECONDS
        while not self._is_ready:
            for kind, _, _ in self.receive():
                self._is_ready = kind == READY

    def cancel(self) -> None:
        """Ask the run to end, from any thread; it is killed after a grace if it does not."""
        with self._kill_lock:
            if self._process.returncode is not None or os.getpid() != self._owner:
                return
            self._cancelled_at = monotonic()
            self._process.send_signal(signal.SIGUSR1)
            if self._bell is not None:
                os.write(self._bell[1], b"!")

    def open_bell(self) -> None:
        """Make what wakes the waiting thread when another one cancels."""
        if self._bell is None:
            self._bell = os.pipe()
            os.set_blocking(self._bell[0], False)
            os.set_blocking(self._bell[1], False)
            self._waiting.register(self._bell[0], POLLIN)
            self._writing.register(self._bell[0], POLLIN)

    # ------------------------------------------------------------ the pipe

    def send(self, frame: bytes) -> None:
        """Send a frame. A thread of the worker always reads, unless all compute."""
        rest = memoryview(frame)
        with self._sending:
            while rest:
                try:
                    rest = rest[self._pipe.send(rest) :]
                except BlockingIOError:
                    self._wait(self._writing)
                except OSError:
                    raise self.lost() from None

    def send_aside(self, frame: bytes) -> None:
        """Send a frame from a thread that has no run of its own; PipeClosed if that is late."""
        rest, ends_at = memoryview(frame), monotonic() + SEND_SECONDS
        with self._sending:
            while rest:
                try:
                    rest = rest[self._pipe.send(rest) :]
                except BlockingIOError:
                    writing = poll()
                    writing.register(self._pipe, POLLOUT)
                    left = ends_at - monotonic()
                    if left <= 0 or not writing.poll(left * 1e3):
                        self.stop()  # half a frame is there: nobody can go on with it
                        raise PipeClosed from None
                except (OSError, ValueError):  # it is closed
                    raise PipeClosed from None

    def receive(self, seconds: float | None = None) -> list[Frame]:
        """Return the frames that have come; wait for one until the end of the run."""
        while True:
            try:
                data = self._pipe.recv(RECEIVE_BYTES)
            except BlockingIOError:
                self._wait(self._waiting)
                continue
            except OSError:
                raise self.lost() from None
            if not data:
                raise self.lost()
            frames = self._frames.take(data)
            if frames:
                return frames

    def _wait(self, waiting: poll) -> None:
        """Wait until the pipe is ready; kill the worker at the deadline."""
        ends_at = min(self._ends_at, self._cancelled_at + GRACE_SECONDS)
        left = None if ends_at == NO_END else (ends_at - monotonic()) * 1e3
        if left is not None and left <= 0:
            raise self._late()
        ready = waiting.poll(left)
        if self._bell is not None and any(fd == self._bell[0] for fd, _ in ready):
            os.read(self._bell[0], 64)

    def _late(self) -> WorkerLost:
        """Kill a worker that has not ended in time."""
        is_cancelled = self._cancelled_at != NO_END
        self.kill()
        if is_cancelled:
            return WorkerLost(LimitReached("cancelled", None, None, STATUS_CANCELLED))
        used = round(monotonic() - self._began, 3)
        return WorkerLost(LimitReached("seconds", used, self._allowed, STATUS_TIMED_OUT))

    # ------------------------------------------------------------ the end

    def lost(self) -> WorkerLost:
        """Return what has ended the worker, which closed the pipe."""
        if os.getpid() != self._owner:
            return WorkerLost(LimitReached("fork", "the worker belongs to another process", None))
        from subprocess import TimeoutExpired  # noqa: PLC0415 - loaded by then

        with suppress(TimeoutExpired):  # it has closed the pipe and goes on: it is killed
            self._process.wait(GRACE_SECONDS)
        code = self._process.returncode
        self.kill()
        return WorkerLost(limit_of_death(code))

    def stop(self) -> None:
        """Kill the process; the thread that uses it finds it lost, and closes the rest."""
        with self._kill_lock:
            if os.getpid() == self._owner and self._process.returncode is None:
                self._process.kill()

    def kill(self) -> None:
        """End the process, and close what belongs to it."""
        with self._kill_lock:
            if os.getpid() == self._owner and self._process.returncode is None:
                self._process.kill()
                self._process.wait()
            self._pipe.close()
            if self._bell is not None:
                for fd in self._bell:
                    os.close(fd)
                self._bell = None


def limit_of_death(code: int | None) -> LimitReached:
    """Return the limit that the end of a worker amounts to."""
    if code == EXIT_OUT_OF_MEMORY:
        return LimitReached("memory", "the worker has no memory left", None)
    if code is None:
        return LimitReached("worker", "it has closed the pipe", None)
    if code >= 0:
        return LimitReached("worker", f"it has ended with status {code}", None)
    if -code == signal.SIGXCPU:
        return LimitReached("cpu", "the worker has used up its processor time", None)
    name = f"SIG{signal_name(-code)}"
    return LimitReached("worker", f"it was killed by {name}", None, STATUS_OVER_LIMIT)


def refuse_request(verb: str, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
    """Refuse what a worker asks for while no session is in it."""
    raise FrameError("a request of no session")
