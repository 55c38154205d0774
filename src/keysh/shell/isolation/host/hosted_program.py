"""HostedProgram: a program that the host runs for a worker, on a thread of its own.

    thread of the worker       asks for the next event ──▶
    thread of the program                                  runs on until there is one
                               ◀── "out", "err", "input", "start" or "end"

The two take turns, so that a program which nobody reads waits as it would for a full pipe. The
thread that uses the worker only passes on what comes.
"""

from __future__ import annotations

from _thread import get_ident
from threading import Condition

from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached, ReaderAbandoned, ReaderGone
from keysh.interp.state.call import Call
from keysh.interp.streams.descriptors import CLOSED_READER, DIRECTORY_READER, NO_INPUT
from keysh.interp.streams.streams import Reader, Writer
from keysh.process.policy import policy_refusal
from keysh.process.result import NotStarted
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError, PipeClosed
from keysh.shell.isolation.program_records import record_of_process_result
from keysh.text.chunks import bytes_of_text, text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.external.gate import ProgramGate
    from keysh.external.job_control import JobLeader
    from keysh.interp.state.state import State
    from keysh.shell.isolation.host.host_decisions import HostDecisions
    from keysh.shell.isolation.peer import Peer
    from keysh.shell.isolation.program_records import HostedRequest

CHECK_SECONDS = 0.05  # between two looks whether the program shall end
WAIT_FOR_END_SECONDS = 15.0  # its tree is being killed
UNREADABLE_INPUTS = {"none": NO_INPUT, "closed": CLOSED_READER, "directory": DIRECTORY_READER}


class HostedProgram:
    """A program and the turn of its thread."""

    def __init__(self, number: int, run: int, request: HostedRequest, state: State) -> None:
        """`run` is the number of the run that starts it."""
        self.number, self.run, self.state, self._request = number, run, state, request
        self.is_job = request.is_job  # which may outlive the run
        self.leader: JobLeader | None = None
        self._changed = Condition()
        self._asked: tuple[Peer, int] | None = None  # the request that waits for an event
        self._given = b""  # input that came with it
        self._is_told = False  # the worker has learnt of the end
        self._gone: type[ReaderGone] | None = None  # the reader of its output has ended
        self._end: tuple[dict[str, Any], bytes, BaseException | None] | None = None

    # ------------------------------------------------------------ on the thread of the worker

    def ask(self, peer: Peer, number: int, data: bytes, gone: str | None) -> None:
        """Let a request be answered by the next event."""
        with self._changed:
            if self._asked is not None:
                raise FrameError("two questions about a program at once")
            if gone is not None:
                self._gone = ReaderAbandoned if gone == "unwanted" else ReaderGone
            self._asked, self._given = (peer, number), data
            if self._end is not None:
                self._tell_end()
            self._changed.notify_all()

    def kill(self) -> None:
        """End the program with all that it has started."""
        self.state.budget.cancel()
        with self._changed:
            self._changed.notify_all()

    def wait(self) -> None:
        """Wait until the program has ended, which has been told to."""
        with self._changed:
            self._changed.wait_for(lambda: self._end is not None, WAIT_FOR_END_SECONDS)

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, and the worker knows."""
        return self._is_told

    # ------------------------------------------------------------ on the program's own thread

    def work(
        self, gate: ProgramGate, decisions: HostDecisions | None,
        leave: Callable[[HostedProgram], object],
    ) -> None:  # fmt: skip
        """Run the program to its end."""
        end: tuple[dict[str, Any], bytes, BaseException | None]
        reader: Reader = UNREADABLE_INPUTS.get(self._request.input) or Reader(self._input())
        try:
            self.state.session.threads[get_ident()] = self.state
            reason = decisions and decisions.command_refusal(self.state, self._request.words)
            if reason:
                raise policy_refusal("rules", self._request.words[0], reason)
            end = self._run(gate, reader), bytes_of_text(reader.unread_text()), None
        except BaseException as error:  # noqa: BLE001 - the worker gets it
            end = {}, b"", error
            error.__traceback__ = error.__context__ = None  # whose frames have the descriptors
        leave(self)
        session = self.state.session
        session.threads.clear()
        session.note_program = session.trail = session.permissions = None
        self.state.budget = Budget()  # the descriptors of the other one are closed now
        with self._changed:
            self._end = end
            self._changed.notify_all()
            if self._asked is not None:
                self._tell_end()

    def _run(self, gate: ProgramGate, reader: Reader) -> dict[str, Any]:
        request, state = self._request, self.state
        out = Writer(lambda text: self._pass_output("out", text))
        err = out if request.is_merged else Writer(lambda text: self._pass_output("err", text))
        call = Call(request.words[0], state, reader, out, err)
        result = gate.spawn(
            state, call, request.words, request.path, request.env, request.directory,
            request.timeout,
        )  # fmt: skip
        return {"event": "end", **record_of_process_result(result)}

    def note_start(self, pid: int) -> None:
        """The program has started; the worker is told if it wants to know."""
        if self._request.is_job:
            from keysh.external.job_control import JobLeader  # noqa: PLC0415 - only for jobs

            self.leader = JobLeader(pid)
        if self._request.tells_start:
            self._tell({"event": "start", "pid": pid})

    def _pass_output(self, event: str, text: str) -> None:
        if self._gone is not None and event == "out":
            raise self._gone
        data = bytes_of_text(text)
        for at in range(0, len(data), MAX_PIECE_BYTES):
            self._tell({"event": event}, data[at : at + MAX_PIECE_BYTES])

    def _input(self) -> Iterator[str]:
        """Yield what the worker has for the program to read."""
        while True:
            self._tell({"event": "input"})
            with self._changed:
                self._wait_for_question()
                data, self._given = self._given, b""
            if not data:
                return
            yield text_of_bytes(data)

    def _tell(self, event: dict[str, Any], data: bytes = b"") -> None:
        """Answer the worker with an event, as soon as it asks for one."""
        with self._changed:
            self._wait_for_question()
            assert self._asked is not None
            (peer, number), self._asked = self._asked, None
        try:
            peer.answer_later(number, event, data)
        except PipeClosed:
            raise LimitReached("worker", "it is gone", None) from None

    def _wait_for_question(self) -> None:
        while self._asked is None:
            self.state.budget.check()
            self._changed.wait(CHECK_SECONDS)

    def _tell_end(self) -> None:
        """Answer with the end; the lock is held."""
        assert self._end is not None
        assert self._asked is not None
        (peer, number), self._asked = self._asked, None
        event, unread, error = self._end
        self._is_told = True
        try:
            peer.answer_later(number, event, unread[:MAX_PIECE_BYTES], plain_error(error))
        except PipeClosed:
            return  # nobody is left who could be told


def plain_error(error: BaseException | None) -> BaseException | None:
    """Return an error as a worker is told it."""
    if error is None or isinstance(error, NotStarted | LimitReached | OSError):
        return error
    return RuntimeError(str(error))
