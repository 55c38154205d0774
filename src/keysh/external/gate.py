"""Door: which programs may run, how many at once, and what the host is told of each."""

from __future__ import annotations

import os
from _thread import get_ident
from errno import EILSEQ

from keysh.diagnostics.errors import Unwritten
from keysh.external.events import tell_decision
from keysh.external.lookup import Memory, confining_mount, program_named
from keysh.external.pipes import Unread
from keysh.external.request import Request
from keysh.external.run import Run
from keysh.external.stage import ProgramStage, RefusedStage
from keysh.interp.run.control_flow import Stopped
from keysh.interp.run.problem import Problem
from keysh.interp.state.call import why
from keysh.process.policy import refused
from keysh.process.result import NotStarted
from keysh.text.gnu_quoting import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.run.limits import Budget
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.process.policy import Policy
    from keysh.process.result import ProcessResult

PATIENCE = 10.0  # seconds that closing waits for a program whose tree is being killed


class Door:
    """What a session has as `programs`."""

    __slots__ = ("_memory", "_policy", "_running")

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy
        self._running: set[Run] = set()
        self._memory = Memory()

    @property
    def is_restricted(self) -> bool:
        """Whether a policy says which programs may run."""
        return self._policy is not None

    def signal(self, budget: Budget, number: int) -> None:
        """Send a signal to all programs of a run, but for those of its jobs."""
        for run in tuple(self._running):
            run.signal(budget, number)

    def recall(self, state: State, name: str) -> str | None:
        """The path of the program that a name has meant before, if it does so still."""
        return self._memory.recall(state, name)

    def forget(self, name: str | None = None) -> None:
        """Look a name up anew when it is asked for again; or all of them."""
        self._memory.forget(name)

    def find(self, state: State, name: str) -> str | None:
        """The path of the program that a name means."""
        known = self.recall(state, name)
        if known is not None:
            return known
        path = program_named(state, name)
        if path is not None:
            self._memory.keep(state, name, path)
        return path

    def run(self, state: State, call: Call, words: list[str], path: str) -> int:
        """Run a program to its end; its status."""
        try:
            return self.spawn(state, call, words, path).code
        except NotStarted as error:
            call.err.write(complaint(error))
            return error.status
        except Unwritten as fault:  # as the program itself says of a file that is full
            call.err.write(f"{printable(words[0])}: write error: {why(fault.error)}\n")
            return 1
        except Unread as fault:
            call.err.write(f"{printable(words[0])}: read error: {why(fault.error)}\n")
            return 1

    def spawn(
        self,
        state: State,
        call: Call,
        words: list[str],
        path: str,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> ProcessResult:
        """The same with all that can be asked for; how it ended, or NotStarted."""
        request = Request(words, path, env, cwd, timeout)
        self._admit(state, request)
        run = self._begun(state, call, request)
        assert run.process is not None
        job = state.session.led_from(state)
        if job is not None:
            from keysh.external.job_control import Leader  # noqa: PLC0415 - only for jobs

            job.lead(Leader(run.process.pid))
        run.deliver()
        code = run.end()
        result = run.process.result or run.process.so_far()  # it may be stopped, and not ended
        result.code = code
        return result

    def start(
        self, state: State, call: Call, words: list[str], path: str
    ) -> ProgramStage | RefusedStage:
        """Start a program whose output the next stage reads."""
        reading = -1
        try:
            request = Request(words, path)
            self._admit(state, request)
            reading, writing = os.pipe()
            run = self._begun(state, call, request, writing)
        except BaseException as error:
            if reading >= 0:
                os.close(reading)
            if isinstance(error, Problem):
                call.err.write(
                    f"keysh: {error.code} {error.fact}: {error.datum}\nfix: {error.fix}\n"
                )
                return RefusedStage(1)
            if not isinstance(error, NotStarted):
                raise
            call.err.write(complaint(error))
            return RefusedStage(error.status)
        assert run.process is not None
        return ProgramStage(run, run.process, reading, state.budget)

    def close(self) -> None:
        """The shell ends, and has ended its jobs: wait until their programs are dead."""
        for run in tuple(self._running):
            if run.thread != get_ident() and run.ended.acquire(timeout=PATIENCE):
                run.ended.release()

    def _begun(self, state: State, call: Call, request: Request, output: int | None = None) -> Run:
        """A program that runs, if it may."""
        run = Run(state, call, self._running.discard)
        self._running.add(run)
        try:
            run.begin(request, self._policy, output)
        except NotStarted as error:
            tell_decision(state, request, None, error)
            raise
        except Problem as problem:
            reason = f"{problem.code} {problem.fact}"
            fault = NotStarted("environment", EILSEQ, request.words[0], reason)
            tell_decision(state, request, None, fault)
            raise
        try:
            tell_decision(state, request, run.process)
        except BaseException:
            run.abandon()
            raise
        return run

    def _admit(self, state: State, request: Request) -> None:
        """Refuse what may not run before anything is opened for it."""
        state.budget.look()
        most = state.session.limits.processes
        name = request.words[0]
        if most is not None and len(self._running) >= most:
            reason = f"programs that run already: {len(self._running)}"
            tell_decision(state, request, None, refused("processes", name, reason))
            raise Stopped("processes", len(self._running) + 1, most)
        policy = self._policy
        if policy is None or not (policy.unconfined or policy.materialize):
            point = confining_mount(state.fs)
            if point:
                error = refused(
                    "mounts",
                    name,
                    f"programs do not see that the mount {point} is read-only or an overlay; "
                    "let the host allow Policy(unconfined=True) or Policy(materialize=True)",
                )
                tell_decision(state, request, None, error)
                raise error


def complaint(error: NotStarted) -> str:
    """Why a program did not start, as the shell says it."""
    if error.kind == "not_found" and "/" not in error.subject and not error.reason:
        return f"keysh: {printable(error.subject)}: command not found\n"
    return f"keysh: {printable(error.subject)}: {error.reason}\n"
