"""The standard streams of a server: a process that answers lines of JSON with lines of JSON.

thread of a run  ──send──> keeper ──> process
       waits for its Reply <── Inbox <── lines on the keeper's thread

Several runs may wait at once, each for the answer with its number.
"""

from __future__ import annotations

import os
import select
import weakref
from functools import partial
from time import monotonic

from keysh.adapters.tools.call_wait import LIMIT_CHECK_SECONDS
from keysh.adapters.tools.mcp_messages import (
    TOOLS_CHANGED,
    message_of_bytes,
    notification_record,
    own_answer,
    wire_bytes,
)
from keysh.adapters.tools.shell_names import shown_lines
from keysh.interp.state.call import CommandFailure
from keysh.interp.state.exception_report import concealed_text, is_visible_path
from keysh.process import OPEN, NotStarted, ProcessSpec, start
from keysh.process.keeper import Keeper
from keysh.process.streams.capture import HeadTailCapture
from keysh.process.wakeup import Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from keysh.adapters.tools.call_wait import CallWait
    from keysh.process.keeper import BackgroundProcess
    from keysh.process.policy import Policy

MAX_ERROR_BYTES = 4096  # of standard error, for messages
MAX_ERROR_CHARACTERS = 300
EXIT_SECONDS = 1.0  # from the end of its input until it is killed


class Reply:
    """The answer that a thread waits for.

    Its flag closes itself when neither that thread nor the keeper's has it any more.
    """

    __slots__ = ("flag", "record")

    def __init__(self) -> None:
        self.flag = Flag()
        self.record: dict[str, Any] | None = None


class Inbox:
    """What a server sends: lines, on the thread of the keeper."""

    __slots__ = ("_line", "_max_bytes", "answers", "fault", "has_changed", "replies")

    def __init__(self, max_bytes: int) -> None:
        self._line, self._max_bytes = bytearray(), max_bytes
        self.replies: dict[int, Reply] = {}
        self.answers: list[bytes] = []  # to requests of the server, to be sent
        self.fault = ""
        self.has_changed = False  # whether its tools are others now

    def add(self, piece: bytes) -> None:
        """Take a piece of output."""
        if self.fault:
            return
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._line += end
            line, self._line = bytes(self._line), bytearray()
            self._take(line)
        self._line += rest
        if len(self._line) > self._max_bytes:
            self.fail(f"the server sent a message of more than {self._max_bytes} bytes")

    def _take(self, line: bytes) -> None:
        if len(line) > self._max_bytes:
            self.fail(f"the server sent a message of more than {self._max_bytes} bytes")
            return
        record = message_of_bytes(line)
        if record is None:
            return  # a program may print what is no message
        if (answer := own_answer(record)) is not None:
            if len(self.answers) < 100:
                self.answers.append(wire_bytes(answer))
            self.wake_all()
        elif record.get("method") == TOOLS_CHANGED:
            self.has_changed = True
        elif (reply := self.replies.get(number_of(record))) is not None:
            reply.record = record
            reply.flag.set()

    def next_answer(self) -> bytes | None:
        """Take the next answer to send; several threads that wait may ask for it at once."""
        try:
            return self.answers.pop(0)
        except IndexError:
            return None

    def fail(self, why: str) -> None:
        """Note why nothing more is taken, and wake all that wait."""
        self.fault, self._line = why, bytearray()
        self.wake_all()

    def wake_all(self) -> None:
        """Wake all that wait."""
        for reply in [*self.replies.values()]:
            reply.flag.set()


def number_of(record: dict[str, Any]) -> int:
    """Return the number of an answer; -1 if no request can have it."""
    number = record.get("id")
    return number if isinstance(number, int) and not isinstance(number, bool) else -1


class PipeChannel:
    """A running server. `exchange` sends a message and returns the answer."""

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], directory: str | None,
        policy: Policy | None, max_bytes: int,
    ) -> None:  # fmt: skip
        self._pid = os.getpid()
        self._inbox = inbox = Inbox(max_bytes)
        self._errors = errors = HeadTailCapture(MAX_ERROR_BYTES)
        self._keeper = Keeper()
        spec = ProcessSpec(
            list(argv), env=env, directory=directory, stdin=OPEN, stdout=inbox.add,
            stderr=errors.add, tagged=True, policy=policy,
        )  # fmt: skip
        try:
            process = start(spec)
            try:
                self._process = self._keeper.keep(process)
            except BaseException:
                process.__exit__()
                raise
        except NotStarted as error:
            self._keeper.close()
            raise CommandFailure(
                f"the server cannot be started: {error.reason or 'there is no such program'}"
            ) from None
        self._finalizer = weakref.finalize(self, end_process, self._keeper, self._process)

    @property
    def is_usable(self) -> bool:
        """Whether the server runs, as a process of this one."""
        return self._pid == os.getpid() and self._process.is_running and not self._inbox.fault

    @property
    def has_changed_tools(self) -> bool:
        """Whether the server has said that its tools are others now."""
        return self._inbox.has_changed

    def note_tools(self) -> None:
        """The tools are about to be listed."""
        self._inbox.has_changed = False

    def exchange(
        self, wait: CallWait, record: dict[str, Any], number: int | None
    ) -> dict[str, Any] | None:
        """Send a message, and return the answer with its number; None if none is due."""
        if number is None:
            self._send(wire_bytes(record))
            return None
        inbox, reply = self._inbox, Reply()
        inbox.replies[number] = reply
        try:
            self._send(wire_bytes(record))
            self._await(wait, reply)
        except BaseException:
            if reply.record is None and self.is_usable:
                self._cancel(number)
            raise
        finally:
            inbox.replies.pop(number, None)
        return reply.record

    def _cancel(self, number: int) -> None:
        """Tell the server that nobody waits for an answer, if it still reads."""
        cancelled = notification_record("notifications/cancelled", {"requestId": number})
        try:
            self._send(wire_bytes(cancelled))
        except CommandFailure:
            return  # the reason why nobody waits is what counts

    def _await(self, wait: CallWait, reply: Reply) -> None:
        poll = select.poll()
        for fd in (reply.flag.fd, wait.cancel_fd):
            poll.register(fd, select.POLLIN)
        while reply.record is None:
            wait.tick()
            while (answer := self._inbox.next_answer()) is not None:
                self._send(answer)
            if self._inbox.fault:
                raise CommandFailure(self._inbox.fault)
            if not self._process.is_running:
                raise CommandFailure(self._ending(wait))
            left = wait.seconds_left()
            if left <= 0:
                raise CommandFailure("the server did not answer in time")
            deadline = wait.deadline
            if deadline is not None:
                left = min(left, max(0.0, deadline - monotonic()))
            poll.poll(max(1.0, min(LIMIT_CHECK_SECONDS, left) * 1000))
            if reply.record is None:
                reply.flag.clear()

    def _send(self, data: bytes) -> None:
        """Send a line; that a server has ended is found by whoever waits for its answer."""
        try:
            self._process.send(data)
        except BlockingIOError:
            raise CommandFailure("the server does not read its input") from None

    def _ending(self, wait: CallWait) -> str:
        """Return how the server ended, with the last line that it wrote to standard error.

        The program is the host's, and so are paths that it speaks of and no script sees.
        """
        result = self._process.result
        how = "" if result is None else f" with status {result.code}"
        lines = self._errors.content().decode("utf-8", "replace").strip().splitlines()
        last = shown_lines(lines[-1], MAX_ERROR_CHARACTERS) if lines else ""
        if wait.state is not None:
            last = concealed_text(last, partial(is_visible_path, wait.state))
        return f"the server ended{how}: {last}" if last else f"the server ended{how}"

    def close(self) -> None:
        """End the server: its input ends, and soon it is killed with all that it has started."""
        if self._pid != os.getpid():
            # The server belongs to the process that this one was forked from.
            self._finalizer.detach()
            return
        if self._process.is_running:
            self._process.finish_input()
            self._process.wait(monotonic() + EXIT_SECONDS)
        self._finalizer()


def end_process(keeper: Keeper, process: BackgroundProcess) -> None:
    """Kill a server with all that it has started."""
    process.kill()
    keeper.close()
