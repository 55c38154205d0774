"""ProgramCalls: the programs that run for one session, which its worker asks its host for.

    find program     the path of a program
    program          run one; the answer is its first event
    program step     the next event (hosted_program)
    program kill     end it
    program signal   send a signal to the program of a job

A worker starts no process. What runs is judged, confined, limited and recorded here, as for a
shell of this process, and ends with the worker: nothing that the worker says is needed for that.
"""

from __future__ import annotations

from keysh.external import gate_for
from keysh.interp.engine.thread_handoff import start_thread
from keysh.process.result import NotStarted
from keysh.shell.isolation.file_calls import checked_path
from keysh.shell.isolation.frames import FrameError
from keysh.shell.isolation.host.hosted_program import HostedProgram
from keysh.shell.isolation.peer import LATER
from keysh.shell.isolation.program_records import HostedRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.external.gate import ProgramGate
    from keysh.interp.state.state import State
    from keysh.shell.isolation.host.host_bridge import HostBridge
    from keysh.shell.isolation.host.host_decisions import HostDecisions

MAX_PROGRAMS = 1000  # of one session at once, with those whose end the worker has not asked for
SIGNALS = range(1, 65)
GONE_KINDS = (None, "gone", "unwanted")


class ProgramCalls:
    """The programs of one session."""

    def __init__(
        self, bridge: HostBridge, decisions: HostDecisions | None,
        give_watchers: Callable[[State, int, tuple[str, int, int]], None],
    ) -> None:  # fmt: skip
        """`give_watchers` lets what a state does be judged and recorded."""
        self._bridge, self._decisions, self._give_watchers = bridge, decisions, give_watchers
        external = self._external = bridge.options.external
        self._gate: ProgramGate | None = None
        self._programs: dict[int, HostedProgram] = {}
        self._runs = 0
        if getattr(external, "materialize", False):
            raise ValueError(
                "an isolated shell has no Policy(materialize=…), since its files are not in this "
                "process: mount a LocalFS for what programs read and write"
            )
        gate_for(external)  # what cannot be used shows now

    @property
    def is_restricted(self) -> bool:
        """Whether a policy says which programs may run."""
        return self._external is not True

    def cancel(self) -> None:
        """End the programs of the run in progress; from any thread."""
        for program in tuple(self._programs.values()):
            if not program.is_job:
                program.kill()

    def end_run(self, *, is_limited: bool) -> None:
        """End the programs of a run that a limit has ended, with those of its jobs."""
        if is_limited:
            for program in tuple(self._programs.values()):
                if program.run == self._runs:
                    program.kill()
        self._runs += 1

    def close(self) -> None:
        """End all programs, and what they have left."""
        gate, self._gate = self._gate, None
        programs, self._programs = [*self._programs.values()], {}
        for program in programs:
            program.kill()
        if gate is not None:
            gate.close()
        for program in programs:
            program.wait()

    def drop(self) -> None:
        """The same for a shell that nobody has any more: nothing waits."""
        for program in tuple(self._programs.values()):
            program.kill()
        if self._gate is not None:
            self._gate.drop()

    # ------------------------------------------------------------ the verbs

    def find(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Answer with the path of a program, if there is one."""
        match record:
            case {"name": str(name), "cwd": str(cwd), "search": None | str() as search}:
                pass
            case _:
                raise FrameError("a program without a name")
        if not name or "\0" in name or "\0" in (search or ""):
            return None, b""
        state = self._new_state({}, checked_path(cwd), search, None)
        path = self._open_gate().find(state, name)
        return None if path is None else str(path), b""

    def unheld_parts(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Answer with what the kernel would not hold of the confinement of programs."""
        return [*self._open_gate().unheld_parts(self._new_state({}, "/", None, None))], b""

    def start(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Start a program; its first event is the answer."""
        request, peer = HostedRequest(record), self._bridge.peer
        assert peer is not None
        number = record.get("program")
        if number.__class__ is not int or number in self._programs:
            raise FrameError("a program without a number of its own")
        self._forget_ended()
        if len(self._programs) >= MAX_PROGRAMS:
            raise FrameError("too many programs at once")
        seconds = None if request.is_job else self._bridge.seconds_left()
        state = self._new_state(request.env, request.cwd, request.search, seconds)
        state.budget.max_memory = None  # this process grows by what others do
        state.ulimits = request.ulimits
        if request.umask is not None:
            state.umask, state.has_set_umask = request.umask, True
        program = HostedProgram(number, self._runs, request, state)
        self._watch(program, request)
        self._programs[number] = program
        program.ask(peer, peer.served_number, b"", None)
        gate = self._open_gate()
        try:
            start_thread(lambda: program.work(gate, self._decisions, self._leave))
        except RuntimeError as error:
            del self._programs[number]
            raise NotStarted("resources", 0, request.words[0], str(error)) from None
        return LATER

    def step(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Go on with a program; its next event is the answer."""
        program, peer, gone = self._program(record), self._bridge.peer, record.get("gone")
        if gone not in GONE_KINDS:
            raise FrameError("a reader that is gone in no way")
        assert peer is not None
        program.ask(peer, peer.served_number, data, gone)
        return LATER

    def kill(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """End a program."""
        self._program(record).kill()
        return None, b""

    def signal(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Send a signal to the program that a job consists of."""
        leader, number = self._program(record).leader, record.get("signal")
        if leader is None or number.__class__ is not int or number not in (0, *SIGNALS):
            raise FrameError("a signal to no job")
        leader.signal(number, is_group=record.get("group") is True)
        return None, b""

    # ------------------------------------------------------------ one program

    def _leave(self, program: HostedProgram) -> None:
        unenforced = program.state.session.unenforced
        self._bridge.unenforced = tuple(dict.fromkeys((*self._bridge.unenforced, *unenforced)))

    def _program(self, record: dict[str, Any]) -> HostedProgram:
        number = record.get("program")
        program = self._programs.get(number) if number.__class__ is int else None
        if program is None:
            raise FrameError("a step of no program")
        return program

    def _forget_ended(self) -> None:
        for number, program in [*self._programs.items()]:
            if program.has_ended:
                del self._programs[number]

    def _open_gate(self) -> ProgramGate:
        if self._gate is None:
            self._gate = gate_for(self._external)
        return self._gate

    def _watch(self, program: HostedProgram, request: HostedRequest) -> None:
        """Let the host and the worker learn when the program starts, and when it ends."""
        program.state.session.note_program = lambda path, pid: program.note_start(pid)
        self._give_watchers(program.state, request.span, request.place)

    def _is_of_host(self, path: str) -> bool:
        """Whether a path lies in a file system that the host has mounted."""
        mounts = self._bridge.mounts
        return any(f"{path}/".startswith(f"{point.rstrip('/')}/") for point in mounts)

    def _new_state(
        self, env: dict[str, str], cwd: str, search: str | None, seconds: float | None
    ) -> State:
        """Return a state with the host's mounts, in a directory that exists in the worker."""
        state = self._bridge.new_state(self._bridge.mounts, env, seconds)
        if not self._is_of_host(cwd):
            make_directories(state, cwd)
        state.cwd = cwd
        state.variables.pop("PATH", None)
        if search is not None:
            state.variables["PATH"] = search
        return state


def make_directories(state: State, path: str) -> None:
    """Make a directory of the worker, and those above it, in the files of a state."""
    fs, at = state.fs, 0
    while at >= 0:
        at = path.find("/", at + 1)
        part = path if at < 0 else path[:at]
        if part != "/" and fs.stat_or_none(part) is None:
            fs.make_directory(part)
