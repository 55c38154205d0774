"""HostPrograms: in a worker, what stands for the machine's programs, which the host runs.

A program's streams are those of the script: its output comes piece by piece, and its input is read
when it wants some. A worker starts no process itself.
"""

from __future__ import annotations

import errno

from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.external.gate import start_failure_text
from keysh.external.lookup import VirtualPath
from keysh.external.program_pipes import StdinReadError, TextDrain, readable_chunks
from keysh.external.program_run import require_utf8_environment
from keysh.external.program_streams import mentions_descriptor
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.descriptors import CLOSED_READER, DIRECTORY_READER, NO_INPUT
from keysh.interp.streams.streams import Reader
from keysh.process.result import NotStarted
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.shell.isolation.program_records import process_result_of_record
from keysh.shell.permissions.command_facts import place_of
from keysh.text.chunks import Decoder, bytes_of_text, text_of_bytes
from keysh.text.gnu_quoting import shell_message_name
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from keysh.interp.run.budget import Budget
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.process.result import ProcessResult
    from keysh.rules.rule_set import Rules
    from keysh.worker.host_stubs import PeerOwner

NOT_REAL = "is not on a real filesystem"
NO_DESCRIPTORS = "a program of an isolated shell has no descriptors but 0, 1 and 2"
INPUT_KINDS = {id(NO_INPUT): "none", id(CLOSED_READER): "closed", id(DIRECTORY_READER): "directory"}


class HostPrograms:
    """What a session in a worker has as `programs`."""

    def __init__(self, owner: PeerOwner, *, is_restricted: bool, rules: Rules | None) -> None:
        """`rules` are those of the host's policy, which judge all that its shell does."""
        self._owner, self.is_restricted, self.rules = owner, is_restricted, rules
        self._running: set[RemoteProgram] = set()
        self._last_number = 0

    @property
    def has_running(self) -> bool:
        """Whether programs run."""
        return bool(self._running)

    def signal(self, budget: Budget, number: int) -> None:
        """Do nothing: a run in a worker gets no signals of a keyboard."""

    def recall(self, state: State, name: str) -> str | None:
        """Return None: only the host knows whether a path is still valid."""
        return None

    def forget(self, name: str | None = None) -> None:
        """Do nothing: no path is kept."""

    def unheld_parts(self, state: State) -> tuple[str, ...]:
        """What the kernel would not hold of the confinement of programs."""
        return tuple(self._owner.peer.request("unheld parts")[0])

    def find(self, state: State, name: str) -> str | None:
        """The path of the program that a name means; None if there is none."""
        message = {"name": name, "cwd": state.cwd, "search": search_path(state)}
        path = self._owner.peer.request("find program", message)[0]
        if path is None and "/" in name:
            here = join(state.cwd, name)
            if state.fs.stat_or_none(here) is not None:
                return VirtualPath(here)
        return path  # type: ignore[no-any-return]

    def run(self, state: State, call: Call, words: list[str], path: str) -> int:
        """Run a program to its end; return its status."""
        shown = shell_message_name(words[0])
        try:
            return self.spawn(state, call, words, path).code
        except NotStarted as error:
            call.complain(start_failure_text(error), as_shell=True)
            return error.status
        except UnwritableOutput as fault:
            call.complain(f"{shown}: write error: {os_error_text(fault.error)}")
        except StdinReadError as fault:
            call.complain(f"{shown}: read error: {os_error_text(fault.error)}")
        return 1

    def spawn(
        self, state: State, call: Call, words: list[str], path: str,
        env: Mapping[str, str] | None = None, cwd: str | None = None, timeout: float | None = None,
    ) -> ProcessResult:  # fmt: skip
        """Run a program with all options; return its result, or raise NotStarted."""
        program = self._program(state, call, words)
        job = state.session.job_starting_from(state)
        program.begin(self._record(state, call, words, path, env, cwd, timeout), job)
        out = TextDrain(call.out)
        try:
            for data in program.output():
                out.put(data)
                if out.is_gone:
                    break
            out.put(b"")
        except BaseException:
            program.abandon()
            raise
        return program.finish("unwanted" if out.is_unwanted else "gone")

    def start(self, state: State, call: Call, words: list[str], path: str) -> Any:
        """Start a program whose output the next stage reads."""
        program = self._program(state, call, words)
        try:
            record = self._record(state, call, words, path, None, None, None)
            program.begin({**record, "tells_start": True}, None)
        except NotStarted as error:
            from keysh.external.stage import RefusedStage  # noqa: PLC0415 - only for a failure

            call.complain(start_failure_text(error), as_shell=True)
            return RefusedStage(error.status)
        return RemoteStage(program)

    def close(self, *, keeps_left: bool = False) -> None:
        """Do nothing: the threads of jobs end their programs, and so does the host."""

    def drop(self) -> None:
        """Do nothing, as above."""

    def _program(self, state: State, call: Call, words: list[str]) -> RemoteProgram:
        self._last_number += 1
        return RemoteProgram(self._owner, self._running, self._last_number, state, call, words)

    def _record(
        self, state: State, call: Call, words: list[str], path: str,
        env: Mapping[str, str] | None, cwd: str | None, timeout: float | None,
    ) -> dict[str, Any]:  # fmt: skip
        """Return what the host is asked to run."""
        if isinstance(path, VirtualPath):
            raise NotStarted("not_executable", errno.EXDEV, words[0], NOT_REAL)
        if any(number > 2 and mentions_descriptor(number, words) for number in state.descriptors):
            raise NotStarted("resources", errno.EBADF, words[0], NO_DESCRIPTORS)
        env = require_utf8_environment(state.environment() if env is None else env)
        return {
            "words": words, "path": path, "env": dict(env), "cwd": state.cwd, "directory": cwd,
            "search": search_path(state), "timeout": timeout, "span": state.span,
            "input": INPUT_KINDS.get(id(call.source), "pull"),
            "umask": state.umask if state.has_set_umask else None,
            "ulimits": {name: list(pair) for name, pair in (state.ulimits or {}).items()},
            "merged": call.err is call.out or getattr(call.err, "target", None) is call.out,
            "job": state.session.has_jobs and bool(state.session.jobs.run_of(state.budget)),
            "tells_start": False, "place": place_of(state.session.asked_site),
        }  # fmt: skip


def search_path(state: State) -> str | None:
    """Return `$PATH` as text; None if it is unset."""
    value = state.variables.get("PATH")
    return None if value is None else text_of(value)


class RemoteProgram:
    """A program that the host runs for a command here, and its next event."""

    def __init__(
        self, owner: PeerOwner, running: set[RemoteProgram], number: int, state: State, call: Call,
        words: list[str],
    ) -> None:  # fmt: skip
        self._owner, self._running, self._number = owner, running, number
        self._state, self._call, self._words = state, call, words
        self._event: dict[str, Any] = {}
        self._data = b""
        self._errors = TextDrain(call.err)
        self._input: Iterator[str] | None = None
        self._unsent = b""
        self._limit: LimitReached | None = None  # that the run has reached while it waited
        self.result: ProcessResult | None = None

    def begin(self, record: dict[str, Any], job: Any) -> None:
        """Start it; NotStarted if that is not possible."""
        self._call.out.flush()
        if job is not None:
            record = {**record, "tells_start": True, "job": True}
        self._running.add(self)
        self._ask("program", record)
        note_program = self._state.session.note_program
        if note_program is not None:
            note_program(record["path"], 0)
        if job is not None and self._event["event"] == "start":
            job.set_leader(RemoteLeader(self._owner, self._number, self._event["pid"]))

    def output(self) -> Iterator[bytes]:
        """Yield its output; what it writes to standard error goes there."""
        while self.result is None:
            kind, data = self._event["event"], self._data
            if kind == "out":
                yield data
            elif kind == "err":
                self._errors.put(data)
            self._ask("program step", data=self._next_input() if kind == "input" else b"")

    def finish(self, gone: str) -> ProcessResult:
        """Wait for its end, without reading its output."""
        try:
            while self.result is None:
                if self._event["event"] == "err":
                    self._errors.put(self._data)
                data = self._next_input() if self._event["event"] == "input" else b""
                self._ask("program step", {"gone": gone}, data)
        except BaseException:
            self.abandon()
            raise
        self._errors.put(b"")
        return self.result

    def abandon(self) -> None:
        """Kill it with all that it has started, and wait for that."""
        if self not in self._running:
            return
        self._kill()
        while self in self._running:
            try:
                self._request("program step", {"gone": "unwanted"}, b"")
            except (LimitReached, NotStarted, OSError, RuntimeError, ValueError):
                return

    # ------------------------------------------------------------ one event

    def _ask(self, verb: str, record: dict[str, Any] | None = None, data: bytes = b"") -> None:
        """Take the next event of the host; LimitReached if the run has ended meanwhile."""
        try:
            self._request(verb, record or {}, data, checks=True)
        except BaseException:
            if self._limit is None:
                raise
        if self._limit is not None:
            self.abandon()
            raise self._limit

    def _request(
        self, verb: str, record: dict[str, Any], data: bytes, *, checks: bool = False
    ) -> None:
        message = {**record, "program": self._number}
        check = self._goes_on if checks else None
        try:
            self._event, self._data = self._owner.peer.request(verb, message, data, check)
        except BaseException:
            self._running.discard(self)  # it has ended with an error
            raise
        if self._event["event"] == "end":
            self._running.discard(self)
            self.result = process_result_of_record(self._words, self._event)
            if self._data or self._unsent:
                self._call.source.push_back(text_of_bytes(self._data + self._unsent))

    def _goes_on(self) -> bool:
        """Whether the run goes on; if not, the host ends the program."""
        try:
            self._state.budget.check()
        except LimitReached as limit:
            self._limit = limit
            self._kill()
            return False
        return True

    def _kill(self) -> None:
        try:
            self._owner.peer.request("program kill", {"program": self._number})
        except FrameError:
            raise
        except Exception:  # noqa: BLE001 - it is gone already
            return

    def _next_input(self) -> bytes:
        """Return a piece of what it reads; nothing at the end."""
        if self._input is None:
            self._input = readable_chunks(self._call.source.chunks())
        data = self._unsent or bytes_of_text(next(self._input, ""))
        piece, self._unsent = data[:MAX_PIECE_BYTES], data[MAX_PIECE_BYTES:]
        return piece


class RemoteStage:
    """A program as a stage of a pipeline, except the last one."""

    def __init__(self, program: RemoteProgram) -> None:
        self._program = program
        self.reader = Reader(self._text())

    def _text(self) -> Iterator[str]:
        decoder = Decoder()
        for data in self._program.output():
            if text := decoder.decode(data):
                yield text
        if text := decoder.decode(b"", True):
            yield text

    def end(self) -> int:
        """Wait for the program after the later stages have ended; return its status."""
        return self._program.finish("gone").code

    def abandon(self) -> None:
        """End the program at once."""
        self._program.abandon()


class RemoteLeader:
    """The program that a job consists of."""

    def __init__(self, owner: PeerOwner, number: int, pid: int) -> None:
        self._owner, self._number, self.pid = owner, number, pid

    def signal(self, number: int, *, is_group: bool) -> None:
        """Signal it, or the whole group that it leads."""
        message = {"program": self._number, "signal": number, "group": is_group}
        self._owner.peer.request("program signal", message)
