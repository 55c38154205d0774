"""Peer: one end of the pipe between a host and a worker. Each side asks the other one.

    host     request 1: run ─▶                                    ─▶ its answer
                 command? ◀─ request 7, within 1
                      request 2, within 7: read its input ─▶
    worker                         of the pipeline ◀─ answer 2

A thread that waits for an answer serves the requests within its own. Any thread of a worker
may ask; one of those that wait reads the pipe for all. `within` says to which of them a request
belongs, so that a pipeline is pulled by the thread that runs it.
"""

from __future__ import annotations

import errno
from collections import deque
from threading import Condition, local

from keysh.shell.isolation.errors import error_of_record, record_of_error
from keysh.shell.isolation.frames import (
    ANSWER,
    HEADER,
    MAX_DATA_BYTES,
    MAX_JSON_BYTES,
    OUTPUT,
    REQUEST,
    FrameError,
    PipeClosed,
    packed_frame,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol, TypeAlias

    from keysh.shell.isolation.frames import Frame

    # Does what the other side asks for: from a verb, a record and data to a value and data.
    Serve: TypeAlias = Callable[[str, dict[str, Any], bytes], tuple[Any, bytes]]

    class Pipe(Protocol):
        """What carries the frames."""

        def send(self, frame: bytes) -> None: ...
        def send_aside(self, frame: bytes) -> None: ...
        def receive(self, seconds: float | None = None) -> list[Frame]: ...


MAX_NESTED_REQUESTS = 40
CHECK_SECONDS = 0.05  # between two checks while an answer is awaited
# What `serve` returns if another thread answers later.
LATER = (None, b"")


class Waiting:
    """A thread that waits for an answer, or for any request."""

    __slots__ = ("inbox", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.inbox: deque[Frame] = deque()


class Innermost(local):
    """The request of the other side that this thread serves, and how many it serves at once."""

    number: int | None = None
    depth = 0


class Peer:
    """One end of a pipe: `request` asks the other side, `serve` answers it."""

    def __init__(
        self, pipe: Pipe, serve: Serve, on_output: Callable[[str, bytes], None] | None = None, *,
        max_request_json: int = MAX_DATA_BYTES,
    ) -> None:  # fmt: skip
        self._pipe, self._serve, self.on_output = pipe, serve, on_output
        self._max_request_json = max_request_json
        self._changed = Condition()
        self._is_reading = False
        self._last_number = 0
        self._waiting: dict[int, Waiting] = {}
        self._idle: Waiting | None = None  # gets the requests that are within no other
        self._inner = Innermost()

    def request(
        self, verb: str, record: Mapping[str, Any] | None = None, data: bytes = b"",
        check: Callable[[], bool] | None = None,
    ) -> tuple[Any, bytes]:  # fmt: skip
        """Ask the other side; return its answer, or raise the error that it answers with.

        `check` is called now and then while the answer is awaited, until it returns False.
        """
        with self._changed:
            self._last_number += 1
            number = self._last_number
            waiting = self._waiting[number] = Waiting(number)
        message = {"id": number, "verb": verb, "within": self._inner.number, "with": record or {}}
        try:
            frame = packed_frame(REQUEST, message, data)
            if len(frame) - len(data) - HEADER.size > self._max_request_json:
                raise OSError(errno.E2BIG, "Argument list too long")
            self._pipe.send(frame)
            while True:
                received = self._next_frame(waiting, None if check is None else CHECK_SECONDS)
                if received is None:
                    check = check if check is not None and check() else None
                    continue
                kind, answer, content = received
                if kind == REQUEST:
                    self._answer(answer, content)
                    continue
                if kind == OUTPUT:
                    self._pass_output(answer, content)
                    continue
                if "error" in answer:
                    raise error_of_record(answer["error"])
                return answer.get("value"), content
        finally:
            with self._changed:
                del self._waiting[number]

    def serve_forever(self) -> None:
        """Answer requests until the pipe is closed."""
        idle = self._idle = Waiting(0)
        while True:
            received = self._next_frame(idle)
            if received is not None:
                self._answer(received[1], received[2])

    def send_output(self, stream: str, data: bytes) -> None:
        """Send a piece of output, which has no answer."""
        self._pipe.send(packed_frame(OUTPUT, {"stream": stream}, data))

    def enter(self, number: int) -> None:
        """Let this thread act for the one that serves a request, which waits for it."""
        self._inner.number = number

    @property
    def served_number(self) -> int:
        """The number of the request that this thread serves, for `answer_later`."""
        assert self._inner.number is not None
        return self._inner.number

    def answer_later(
        self, number: int, value: Any, data: bytes = b"", error: BaseException | None = None
    ) -> None:
        """Answer a request whose `serve` has returned LATER, from any thread."""
        answer: dict[str, Any] = {"id": number, "value": value}
        if error is not None:
            answer["error"] = record_of_error(error)
        self._pipe.send_aside(packed_answer(answer, data))

    def _next_frame(self, waiting: Waiting, seconds: float | None = None) -> Frame | None:
        """Return the next frame for a thread; read the pipe if no other one does.

        None if there is none after some seconds.
        """
        while True:
            with self._changed:
                while not waiting.inbox and self._is_reading:
                    if not self._changed.wait(seconds):
                        return None
                if waiting.inbox:
                    return waiting.inbox.popleft()
                self._is_reading = True
            frames: list[Frame] = []
            try:
                frames = self._pipe.receive(seconds)
            finally:
                with self._changed:
                    self._is_reading = False
                    for frame in frames:
                        self._deliver(frame, waiting)
                    self._changed.notify_all()
            if not frames:
                return None

    def _deliver(self, frame: Frame, reading: Waiting) -> None:
        """Give a frame to the thread that it is for."""
        kind, record, _ = frame
        if kind == OUTPUT:
            reading.inbox.append(frame)
            return
        number = record.get("id")
        if number.__class__ is not int:
            raise FrameError("a message without number")
        if kind == ANSWER:
            target = self._waiting.get(number)
            if target is None:
                raise FrameError("an answer that nobody waits for")
        elif kind == REQUEST:
            within = record.get("within")
            if within is None:
                target = self._idle or reading
            else:
                target = self._waiting.get(within) if within.__class__ is int else None
                if target is None:
                    raise FrameError("a request within none")
        else:
            raise FrameError("a message that nobody waits for")
        target.inbox.append(frame)

    def _pass_output(self, record: dict[str, Any], data: bytes) -> None:
        """Give a piece of output to the run that it is of."""
        if self.on_output is None or record.get("stream") not in ("stdout", "stderr"):
            raise FrameError("output of no run")
        self.on_output(record["stream"], data)

    def _answer(self, request: dict[str, Any], data: bytes) -> None:
        """Do what a request asks for, and answer it."""
        verb, record, inner = request.get("verb"), request.get("with"), self._inner
        if verb.__class__ is not str or record.__class__ is not dict:
            raise FrameError("a request without verb")
        if inner.depth >= MAX_NESTED_REQUESTS:
            raise FrameError("requests nest too deeply")
        outer, inner.number = inner.number, request["id"]
        inner.depth += 1
        answer: dict[str, Any] = {"id": request["id"]}
        content = b""
        try:
            served = self._serve(verb, record, data)
            if served is LATER:
                return
            answer["value"], content = served
        except (PipeClosed, FrameError, KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:  # noqa: BLE001 - the other side raises it
            answer["error"] = record_of_error(error)
        finally:
            inner.number = outer
            inner.depth -= 1
        self._pipe.send(packed_answer(answer, content))


def packed_answer(answer: dict[str, Any], content: bytes) -> bytes:
    """Return the frame of an answer; one that is too large becomes an error."""
    try:
        frame = packed_frame(ANSWER, answer, content)
        if len(frame) - len(content) <= MAX_JSON_BYTES:
            return frame
        problem = f"an answer of {len(frame) - len(content)} bytes is too large for the pipe"
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"an answer is no JSON: {error}"
    return packed_frame(ANSWER, {"id": answer["id"], "error": record_of_error(ValueError(problem))})
