"""One run of an isolated shell, as its host sees it: its turn, its input and its output."""

from __future__ import annotations

from time import monotonic

from keysh.interp.run.budget import STATUS_CANCELLED, STATUS_TIMED_OUT
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import finite_seconds
from keysh.shell.isolation.frames import MAX_DATA_BYTES, MAX_PIECE_BYTES, FrameError
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Lock
    from typing import Any

    from keysh.interp.run.worker_pool import Place
    from keysh.shell.host.host_stdin import Stdin
    from keysh.shell.isolation.host.host_calls import HostCalls
    from keysh.shell.isolation.worker_process import WorkerProcess

WAIT_SLICE_SECONDS = 0.05  # between two looks whether a run that waits is cancelled


class RunTurn:
    """A run from its beginning to its end, which a `keysh.Cancel` ends as it ends a budget.

    Used as a context manager, it gives its place among the scripts that compute to another one.
    """

    __slots__ = (
        "_began", "_calls", "_seconds", "_worker", "ends_at", "is_cancelled", "place",
        "yields_at",
    )  # fmt: skip

    def __init__(self, timeout: float | None) -> None:
        self._began, self._seconds = monotonic(), finite_seconds(timeout)
        self.ends_at = None if self._seconds is None else self._began + self._seconds
        self._worker: WorkerProcess | None = None
        self._calls: HostCalls | None = None
        self.is_cancelled, self.yields_at = False, 0.0
        self.place: Place | None = None

    def cancel(self) -> None:
        """End the run, from any thread."""
        self.is_cancelled = True
        worker, calls = self._worker, self._calls
        if worker is not None:
            worker.cancel()
        if calls is not None:
            calls.cancel()

    def check(self) -> None:
        """Raise LimitReached if the run shall end."""
        if self.is_cancelled:
            raise LimitReached("cancelled", None, None, STATUS_CANCELLED)
        if self.ends_at is not None and monotonic() >= self.ends_at:
            raise self.time_limit()

    def time_limit(self) -> LimitReached:
        """Return the limit of a run that has waited too long."""
        used = round(monotonic() - self._began, 3)
        return LimitReached("seconds", used, self._seconds, STATUS_TIMED_OUT)

    def seconds_left(self) -> float | None:
        """Return the seconds that the run may still take; None if it may take any."""
        return None if self.ends_at is None else max(0.0, self.ends_at - monotonic())

    def wait_for(self, lock: Lock) -> None:
        """Acquire a lock, or end with the run."""
        self.check()
        while not lock.acquire(timeout=WAIT_SLICE_SECONDS):
            self.check()

    def use(self, worker: WorkerProcess, calls: HostCalls) -> None:
        """Let `cancel` reach a worker, and what its host does for it, from now on."""
        worker.open_bell()
        calls.bridge.is_cancelled = lambda: self.is_cancelled
        self._worker, self._calls = worker, calls
        self.check()

    def leave(self) -> None:
        """Let `cancel` reach no worker any more."""
        if self._calls is not None:
            self._calls.bridge.is_cancelled = lambda: False
        self._worker = self._calls = None

    def __enter__(self) -> RunTurn:
        if self.place is not None:
            self.place.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        if self.place is not None:
            self.place.__exit__()


class RunOutput:
    """The output of a run as it comes, for a host that listens."""

    __slots__ = ("_err", "_left", "_on_output", "_out", "_worker", "error")

    def __init__(
        self, on_output: Callable[[str, str], object] | None, max_bytes: int | None,
        worker: WorkerProcess,
    ) -> None:  # fmt: skip
        self._on_output, self._worker = on_output, worker
        # What the shell itself says about a limit comes on top.
        self._left = (MAX_DATA_BYTES if max_bytes is None else max_bytes) + MAX_PIECE_BYTES
        self._out: list[str] = []
        self._err: list[str] = []
        self.error: BaseException | None = None  # raised by the host's function

    def put(self, stream: str, data: bytes) -> None:
        """Take a piece from the worker."""
        self._left -= len(data)
        if self._left < 0:
            raise FrameError("more output than is allowed")
        text = data.decode("utf-8", "surrogateescape")
        (self._out if stream == "stdout" else self._err).append(text)
        if self._on_output is None:
            raise FrameError("output that nobody wants")
        if self.error is not None:
            return
        try:
            self._on_output(stream, text)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the host finds it in the result
            self.error = error
            self._worker.cancel()

    def texts(self) -> tuple[str, str]:
        """Return all of standard output and of standard error."""
        return "".join(self._out), "".join(self._err)


def input_of_run(stdin: Stdin) -> tuple[Iterator[bytes] | None, bytes, str | None]:
    """Return what comes piece by piece, what goes at once, and which of the two it is."""
    if stdin is None:
        return None, b"", None
    if isinstance(stdin, str | bytes):
        data = stdin if isinstance(stdin, bytes) else bytes_of_text(stdin)
        return None, data, "data"
    from keysh.shell.host.host_stdin import file_chunks, iterable_chunks  # noqa: PLC0415 - many runs have none

    read = getattr(stdin, "read", None)
    chunks = iterable_chunks(stdin) if read is None else file_chunks(read)
    return (bytes_of_text(chunk) for chunk in chunks if chunk), b"", "pull"


def output_parts(answer: Any, content: bytes) -> tuple[str, str, bytes]:
    """Return output, error output and image, which stand one after the other."""
    if answer.__class__ is not dict:
        raise FrameError("no result")
    sizes = [answer.get(name, 0) for name in ("out", "err", "image")]
    if any(size.__class__ is not int or size < 0 for size in sizes) or sum(sizes) != len(content):
        raise FrameError("sizes that are not those of the content")
    middle = sizes[0] + sizes[1]
    out, err = content[: sizes[0]], content[sizes[0] : middle]
    return (
        out.decode("utf-8", "surrogateescape"),
        err.decode("utf-8", "surrogateescape"),
        content[middle:],
    )
