"""HostCalls: what a worker may ask its host for, for one session.

    command    run a command of the host, in a shell of the host's process that has the files of the
               isolated one; its input comes back from there. `curl` is one of them
    host file  a verb of a file system that the host has mounted
    ask …      may this command run? (host_decisions)
    program …  run a program (program_calls)
    audit …    record what scripts do (audit_calls)
    clock      the time
    stdin      a piece of the standard input of the run

A request that is not of these, or whose parts are of another type, is a FrameError: the worker is
killed.
"""

from __future__ import annotations

import errno
from _thread import get_ident
from copy import copy

from keysh.diagnostics.exceptions import failure
from keysh.interp.engine.invoke import COROUTINE_TYPE, invoke
from keysh.interp.run.cancel import Cancel
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE
from keysh.interp.state.host_answers import answer_of_host
from keysh.interp.state.progress_report import ProgressReport
from keysh.interp.state.state_of_call import state_of
from keysh.interp.streams.streams import GENERATOR_TYPE
from keysh.schema.command import DEFAULT_OUTPUT, Command
from keysh.shell.images.typed_values import value_to_json
from keysh.shell.isolation.file_calls import FileCalls
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.shell.isolation.host.host_bridge import HostBridge
from keysh.shell.isolation.remote_files import RemoteFS
from keysh.shell.isolation.word_records import MAX_WORDS, checked_environment, checked_word
from keysh.values import value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.shell.isolation.host.audit_calls import AuditCalls
    from keysh.shell.isolation.host.host_decisions import HostDecisions
    from keysh.shell.isolation.host.program_calls import ProgramCalls
    from keysh.shell.registry import CommandRegistry
    from keysh.shell.run_options import ShellSettings
    from keysh.vfs.api import FileSystem
    from keysh.vfs.judged import FileAction

    Verb: TypeAlias = Callable[[dict[str, Any], bytes], tuple[Any, bytes]]

BRIDGE_NAME = "call"
MAX_LABEL_CHARACTERS = 1000
# Tools of keysh that use the network: they run in the host, which has it.
NETWORK_TOOLS = ("curl",)


class HostCalls:
    """The doors of one session, and what of them is open during a run."""

    def __init__(
        self, make_shell: Callable[..., Any], registry: CommandRegistry,
        mounts: Mapping[str, FileSystem], limits: Limits, options: ShellSettings,
        plan: Callable[[], Any],
    ) -> None:  # fmt: skip
        self._registry, self._mounts, self._options = registry, mounts, options
        self.bridge = bridge = HostBridge(make_shell, mounts, limits, options)
        self._files: dict[str, FileCalls] = {}
        self._verbs: dict[str, Verb] = {
            "command": self._command, "host file": self._host_file, "clock": self._tell_time,
            "stdin": self._stdin,
        }  # fmt: skip
        self.is_run = False  # whether it is a run, and not a question of the host
        self.stdin: Iterator[bytes] | None = None
        self.decisions: HostDecisions | None = None
        self.programs: ProgramCalls | None = None
        self.audit: AuditCalls | None = None
        if options.asks_host:
            from keysh.shell.isolation.host.host_decisions import HostDecisions  # noqa: PLC0415 - many hosts allow all

            self.decisions = HostDecisions(bridge, plan)
            self._verbs |= {
                "ask": self.decisions.ask_command, "ask rule": self.decisions.ask_rule,
            }  # fmt: skip
        if options.external:
            from keysh.shell.isolation.host.program_calls import ProgramCalls  # noqa: PLC0415 - brings in processes

            self.programs = programs = ProgramCalls(bridge, self.decisions, self.give_watchers)
            self._verbs |= {
                "find program": programs.find, "program": programs.start,
                "program step": programs.step, "program kill": programs.kill,
                "program signal": programs.signal, "unheld parts": programs.unheld_parts,
            }  # fmt: skip
        if options.on_progress is not None:
            self._verbs["progress"] = self._tell_progress
        if (reader := options.event_reader()) is not None:
            from keysh.shell.isolation.host.audit_calls import AuditCalls  # noqa: PLC0415 - most shells have none

            self.audit = AuditCalls(reader, bridge)
            self._verbs |= {"audit": self.audit.record, "audit head": self.audit.head}

    def close(self) -> None:
        """Close the files of the host that the worker has open, and end its programs."""
        for calls in self._files.values():
            calls.close()
        self._files.clear()
        if self.programs is not None:
            self.programs.close()
        if self.audit is not None:
            self.audit.begin_worker()

    def end(self) -> None:
        """Close all, and let go of the host's file systems: the session has ended."""
        self.close()
        self._verbs.clear()
        self._mounts = self.bridge.mounts = {}

    def cancel(self) -> None:
        """End what the run waits for in this process; from any thread."""
        self.bridge.cancel()
        if self.programs is not None:
            self.programs.cancel()

    def worker_options(self) -> dict[str, Any]:
        """Return what a worker has to know of the doors that its host keeps."""
        return {
            "asks": "" if self.decisions is None else self.decisions.asks,
            "programs": None if self.programs is None else self.programs.is_restricted,
            "audit": None if self.audit is None else self.audit.options(),
            "asks_by_rule": self._options.on_ask is not None,
            "progress": self._options.on_progress is not None,
        }  # fmt: skip

    def command_styles(self) -> dict[str, dict[str, bool]]:
        """Return what callers know about the output of each command of the host."""
        return {
            name: {
                "lines": declared.output.prints_lines, "value": declared.output.prints_value,
                "json": declared.output.prints_json,
                "raw": declared is not self._registry.plugins.get(name),
            }
            for name, declared in self._commands().items()
        }  # fmt: skip

    def _commands(self) -> dict[str, Command]:
        """Return what runs in the host when a script calls it."""
        found: dict[str, Command] = {}
        if self._options.network is not None:
            tools = ((name, self._registry.command_named(name)) for name in NETWORK_TOOLS)
            found = {name: tool for name, tool in tools if tool is not None}
        return {**found, **self._registry.plugins}

    def give_watchers(self, state: State, span: int, place: tuple[str, int, int]) -> None:
        """Let what a state does in this process be judged and recorded."""
        if self.decisions is not None:
            self.decisions.give_permissions(state, place)
        if self.audit is not None:
            self.audit.give_trail(state, span)
        if self._options.on_progress is not None:
            report = ProgressReport(self._options.on_progress, self.bridge.note_error)
            state.session.progress = report

    def serve(self, verb: str, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Do what the worker asks for."""
        act = self._verbs.get(verb)
        if act is None:
            raise FrameError("an unknown request")
        return act(record, data)

    def _host_file(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        match record:
            case {"mount": str(point), "verb": str(verb), "words": list(words)}:
                pass
            case _:
                raise FrameError("a file call without a mount")
        fs = self._mounts.get(point)
        if fs is None:
            raise FrameError("a file call to no mount")
        calls = self._files.get(point)
        if calls is None:
            calls = self._files[point] = FileCalls(self._judged(fs, point))
        return calls.serve(verb, words, data)

    def _judged(self, fs: FileSystem, point: str) -> FileSystem:
        """Return a file system in which the rules judge what a run does."""
        decisions = self.decisions
        if decisions is None or not decisions.judges_files:
            return fs
        from keysh.vfs.judged import JudgedFS  # noqa: PLC0415 - only with rules

        def judge(action: FileAction, path: str) -> str:
            return decisions.file_refusal(action, path) if self.is_run else ""

        # What a script may not do, its worker has refused with the reason.
        return JudgedFS(fs, point, judge, lambda path, reason: failure(errno.EACCES, path))

    def _tell_time(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        clock = self._options.clock
        if not callable(clock):
            raise FrameError("a question for no clock")
        return float(clock()), b""

    def _stdin(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        if self.stdin is None:
            raise FrameError("a question for no input")
        return None, next(self.stdin, b"")

    def _tell_progress(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Tell the host how far a command of the worker has come."""
        match record:
            case {"value": int(value), "total": int() | None as total, "label": str(label)}:
                pass
            case _:
                raise FrameError("a progress of nothing")
        on_progress = self._options.on_progress
        assert on_progress is not None
        ProgressReport(on_progress, self.bridge.note_error).tell(
            value, total, label[:MAX_LABEL_CHARACTERS]
        )
        return None, b""

    # ------------------------------------------------------------ commands

    def _command(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Run a command of the host; answer with its status, its output and perhaps a value."""
        match record:
            case {
                "name": str(name), "call": int(call), "words": list(words), "cwd": str(cwd),
                "env": dict(env), "span": int(span), "place": [str(source), int(line), int(column)],
            } if len(words) <= MAX_WORDS:  # fmt: skip
                pass
            case _:
                raise FrameError("a call without a command")
        declared = self._commands().get(name)
        if declared is None:
            raise FrameError("a call of no command")
        values: list[object] = []
        keeping = value_keeping(declared, values)
        arguments = [checked_word(word) for word in words]

        def bridge(sh: Call) -> int:
            inner = sh.with_streams(sh.source, sh.out, sh.err)
            inner.name = name
            state = state_of(sh)
            self.give_watchers(state, span, (source, line, column))
            if declared is not self._registry.plugins.get(name):
                state.session.network = self._options.network
            state.session.threads.setdefault(get_ident(), state)
            try:
                decisions = self.decisions
                reason = decisions and decisions.command_refusal(state, [name, *arguments])
                if reason:
                    inner.complain(reason)
                    return STATUS_NOT_EXECUTABLE
                return invoke(keeping, inner, arguments)
            finally:
                state.session.trail = state.session.permissions = None

        files = {"/": RemoteFS(self._shell_file, "files of an isolated shell")}
        shell, cancel = self.bridge.new_shell(files, checked_environment(env)), Cancel()
        with shell, self.bridge.acting(cancel):
            registry: CommandRegistry = shell.registry
            registry.plugins = {
                **self._registry.plugins,
                BRIDGE_NAME: Command(BRIDGE_NAME, bridge, []),
            }
            shell.state.cwd = cwd
            result = shell.run(
                BRIDGE_NAME, stdin=PulledPieces(self._pieces(call)), cancel=cancel,
                timeout=self.bridge.seconds_left(),
            )  # fmt: skip
        if isinstance(result.error, FrameError):
            raise result.error
        if result.error is not None:
            self.bridge.error = result.error
        answer: dict[str, Any] = {"code": result.code}
        out = result.stdout_bytes
        answer["out"] = len(out)
        if values and result.code == 0:
            answer["value"] = value_to_json(value_of_python(values[0]))
        return answer, out + result.stderr.encode("utf-8", "surrogateescape")

    def _pieces(self, call: int) -> Iterator[bytes]:
        """Yield the standard input of a command, which the worker has."""
        assert self.bridge.peer is not None
        while piece := self.bridge.peer.request("input", {"call": call})[1]:
            if len(piece) > MAX_PIECE_BYTES:
                raise FrameError("more input than a piece")
            yield piece

    def _shell_file(self, verb: str, words: list[Any], data: bytes) -> tuple[Any, bytes]:
        """Do a verb on the files of the isolated shell."""
        assert self.bridge.peer is not None
        return self.bridge.peer.request("file", {"verb": verb, "words": words}, data)


class PulledPieces(list[bytes]):
    """Pieces of input that come when they are read, on the thread that reads them."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


def value_keeping(declared: Command, values: list[object]) -> Command:
    """Return a command that puts a value which it returns into a list, and does not print it."""
    function, is_value = declared.function, declared.output.prints_value

    def call(sh: Call, *words: Any, **options: Any) -> object:
        answer: object = function(sh, *words, **options)
        if answer.__class__ is COROUTINE_TYPE:
            answer = sh.run_coroutine(answer)
        if isinstance(answer, GENERATOR_TYPE):
            return answer
        answer = answer_of_host(answer, sh)
        is_plain = answer is None or isinstance(answer, str) or answer.__class__ is int
        if is_plain and not is_value:
            return answer
        values.append(answer)
        return None

    keeping = copy(declared)
    keeping.function, keeping.output, keeping.whole = call, DEFAULT_OUTPUT, None
    return keeping
