"""The gate: which programs may run, how many at once, and what the host learns of each."""

from __future__ import annotations

import os
from _thread import get_ident
from errno import EILSEQ

from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.external.events import report_decision
from keysh.external.lookup import LocationCache, confining_mount, find_program
from keysh.external.program_pipes import StdinReadError
from keysh.external.program_run import ProgramRun
from keysh.external.request import ProgramRequest
from keysh.external.stage import RefusedStage, StartedStage
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import os_error_text
from keysh.process.policy import policy_refusal
from keysh.process.result import NotStarted
from keysh.text.gnu_quoting import shell_message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.run.budget import Budget
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.process.policy import Policy
    from keysh.process.result import ProcessResult

CLOSE_WAIT_SECONDS = 10.0  # closing waits this long for a tree that is being killed


class ProgramGate:
    """What a session has as `programs`."""

    __slots__ = ("_locations", "_policy", "_running")

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy
        self._running: set[ProgramRun] = set()
        self._locations = LocationCache()

    @property
    def is_restricted(self) -> bool:
        """Whether a policy says which programs may run."""
        return self._policy is not None

    @property
    def has_running(self) -> bool:
        """Whether programs run that this process has started."""
        return bool(self._running)

    def signal(self, budget: Budget, number: int) -> None:
        """Send a signal to all programs of a run, except those of its jobs."""
        for run in tuple(self._running):
            run.signal(budget, number)

    def recall(self, state: State, name: str) -> str | None:
        """The cached path of a program, if it is still valid."""
        return self._locations.recall(state, name)

    def forget(self, name: str | None = None) -> None:
        """Drop the cached path of a name, or all of them."""
        self._locations.forget(name)

    def find(self, state: State, name: str) -> str | None:
        """The path of the program that a name means; None if there is none."""
        cached = self.recall(state, name)
        if cached is not None:
            return cached
        path = find_program(state, name)
        if path is not None:
            self._locations.store(state, name, path)
        return path

    def run(self, state: State, call: Call, words: list[str], path: str) -> int:
        """Run a program to its end; return its status."""
        try:
            return self.spawn(state, call, words, path).code
        except NotStarted as error:
            call.complain(start_failure_text(error), as_shell=True)
            return error.status
        except UnwritableOutput as fault:  # the message of a program whose file is full
            call.complain(
                f"{shell_message_name(words[0])}: write error: {os_error_text(fault.error)}"
            )
            return 1
        except StdinReadError as fault:
            call.complain(
                f"{shell_message_name(words[0])}: read error: {os_error_text(fault.error)}"
            )
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
        """Run a program with all options; return its result, or raise NotStarted."""
        request = ProgramRequest(words, path, env, cwd, timeout)
        self._admit(state, request)
        run = self._begin_run(state, call, request)
        assert run.process is not None
        job = state.session.job_starting_from(state)
        if job is not None:
            from keysh.external.job_control import JobLeader  # noqa: PLC0415 - only for jobs

            job.set_leader(JobLeader(run.process.pid))
        run.deliver()
        code = run.end()
        # The process may be stopped rather than ended.
        result = run.process.result or run.process.result_so_far()
        result.code = code
        return result

    def start(
        self, state: State, call: Call, words: list[str], path: str
    ) -> StartedStage | RefusedStage:
        """Start a program whose output the next stage reads."""
        reading = -1
        try:
            request = ProgramRequest(words, path)
            self._admit(state, request)
            reading, writing = os.pipe()
            run = self._begin_run(state, call, request, writing)
        except BaseException as error:
            if reading >= 0:
                os.close(reading)
            if not isinstance(error, NotStarted):
                raise
            call.complain(start_failure_text(error), as_shell=True)
            return RefusedStage(error.status)
        assert run.process is not None
        return StartedStage(run, run.process, reading, state.budget)

    def close(self) -> None:
        """Wait until the programs of the shell's jobs are dead; the jobs have been ended."""
        for run in tuple(self._running):
            if run.thread != get_ident() and run.end_lock.acquire(timeout=CLOSE_WAIT_SECONDS):
                run.end_lock.release()

    def _begin_run(
        self, state: State, call: Call, request: ProgramRequest, output: int | None = None
    ) -> ProgramRun:
        """Start a program, and report the decision."""
        if state.session.before_program is not None:
            state.session.before_program(request.cwd or state.cwd)
        run = ProgramRun(state, call, self._running.discard)
        self._running.add(run)
        try:
            run.begin(request, self._policy, output)
        except NotStarted as error:
            report_decision(state, request, None, error)
            raise
        except RuntimeDiagnostic as problem:
            reason = f"{problem.code} {problem.fact}"
            fault = NotStarted("environment", EILSEQ, request.words[0], reason)
            report_decision(state, request, None, fault)
            raise
        try:
            report_decision(state, request, run.process)
        except BaseException:
            run.abandon()
            raise
        return run

    def _admit(self, state: State, request: ProgramRequest) -> None:
        """Refuse a program that may not run, before anything is opened for it."""
        state.budget.check()
        limit = state.session.limits.processes
        name = request.words[0]
        if limit is not None and len(self._running) >= limit:
            reason = f"programs already running: {len(self._running)}"
            report_decision(state, request, None, policy_refusal("processes", name, reason))
            raise LimitReached("processes", len(self._running) + 1, limit)
        policy = self._policy
        if policy is None or not (policy.unconfined or policy.materialize):
            point = confining_mount(state.fs)
            if point:
                error = policy_refusal(
                    "mounts",
                    name,
                    f"programs do not see that the mount {point} is read-only or an overlay; "
                    "let the host allow Policy(unconfined=True) or Policy(materialize=True)",
                )
                report_decision(state, request, None, error)
                raise error


def start_failure_text(error: NotStarted) -> str:
    """The shell's message for a program that did not start."""
    if error.kind == "not_found" and "/" not in error.subject and not error.reason:
        return f"{shell_message_name(error.subject)}: command not found"
    return f"{shell_message_name(error.subject)}: {error.reason}"
