"""The gate: which programs may run, how many at once, and what the host learns of each."""

from __future__ import annotations

import atexit
import os
from _thread import get_ident
from errno import EILSEQ

from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.external.directory import EmptyDirectories
from keysh.external.lookup import LocationCache, confining_mount, find_program, program_path
from keysh.external.program_events import report_decision
from keysh.external.program_pipes import StdinReadError
from keysh.external.program_run import ProgramRun
from keysh.external.request import ProgramRequest
from keysh.external.stage import RefusedStage, StartedStage
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import os_error_text
from keysh.process.policy import policy_refusal
from keysh.process.result import NotStarted
from keysh.process.tree.tagged_processes import TaggedProcesses
from keysh.text.gnu_quoting import shell_message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.run.budget import Budget
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.process.policy import Policy
    from keysh.process.result import ProcessResult

STATUS_CANCELLED = 130
# What no rule holds where nothing confines programs.
UNHELD_RULES = "rules: real programs use all files and hosts that the user may"
CLOSE_WAIT_SECONDS = 10.0  # closing waits this long for a tree that is being killed
# From SIGTERM to SIGKILL for what programs have left, when the shell is closed, and when it is
# dropped: a collector must not wait for long.
CLOSE_GRACE_SECONDS, DROP_GRACE_SECONDS = 2.0, 0.2


class ProgramGate:
    """What a session has as `programs`.

    Nothing that a program has started outlives the shell: its programs end when it is closed or
    dropped and when the interpreter exits, and so does what programs that have ended have left.
    """

    __slots__ = (
        "_directories",
        "_is_dropped",
        "_is_exiting",
        "_locations",
        "_owned",
        "_pid",
        "_policy",
        "_running",
    )

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy
        self._running: set[ProgramRun] = set()
        self._locations = LocationCache()
        self._owned = TaggedProcesses()
        self._directories = EmptyDirectories()
        self._pid = 0  # this process, once it has to end programs at its exit
        self._is_dropped = self._is_exiting = False

    @property
    def is_restricted(self) -> bool:
        """Whether a policy says which programs may run."""
        return self._policy is not None

    @property
    def has_running(self) -> bool:
        """Whether programs run that this process has started."""
        return bool(self._running)

    def note_fork(self) -> None:
        """A job of the shell is a process from now on, which may start programs too."""
        self._owned.note_fork()

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

    def unheld_parts(self, state: State) -> tuple[str, ...]:
        """What the kernel would not hold of the confinement of programs that start now."""
        rule = None if self._policy is None else self._policy.confinement
        if rule is None:
            permissions = state.session.permissions
            return () if permissions is None or not permissions.judges_reach else (UNHELD_RULES,)
        from keysh.external.mount_confinement import confinement_of_mounts  # noqa: PLC0415 - few policies confine

        return rule.unheld_parts(rule.confinement(confinement_of_mounts(state)))

    def find(self, state: State, name: str) -> str | None:
        """The path of the program that a name means; None if there is none."""
        cached = self.recall(state, name)
        if cached is not None:
            return cached
        path = find_program(state, name, program_path(state, self._policy))
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

    def close(self, *, keeps_left: bool = False) -> None:
        """End the programs that run and, unless `keeps_left`, what others have left."""
        self._leave_others()
        running = [run for run in tuple(self._running) if run.thread != get_ident()]
        for run in running:
            if not keeps_left:
                run.cancel()
        for run in running:
            if run.is_cancelled and run.end_lock.acquire(timeout=CLOSE_WAIT_SECONDS):
                run.end_lock.release()
        if not keeps_left:
            self._owned.end(CLOSE_GRACE_SECONDS)
        self._directories.close()
        self._forget_exit()

    def drop(self) -> None:
        """The shell no longer exists. A collector calls this: no lock is taken."""
        try:
            self._end_dropped()
        except LimitReached:  # of the run in whose thread the collector works; it is raised again
            self._end_dropped()

    def _end_dropped(self) -> None:
        self._is_dropped = True
        self._leave_others()
        for run in tuple(self._running):
            run.cancel()
        self._owned.end(DROP_GRACE_SECONDS)
        self._directories.close()
        if not self._running:
            self._forget_exit()

    def _leave_others(self) -> None:
        """In a process that the host has forked, leave the programs to the first one."""
        if self._pid not in (0, os.getpid()):
            self._pid, self._running, self._owned = 0, set(), TaggedProcesses()

    def _watch_exit(self, state: State) -> None:
        """End the programs when the interpreter exits; those of a person's shell go on."""
        if not self._pid and not state.session.keeps_disowned_jobs:
            self._pid = os.getpid()
            atexit.register(self._close_at_exit)

    def _forget_exit(self) -> None:
        if self._pid:
            self._pid = 0
            atexit.unregister(self._close_at_exit)

    def _close_at_exit(self) -> None:
        if self._pid == os.getpid():  # not in a process that the host has forked
            self._is_exiting = True
            self.close()

    def _leave(self, run: ProgramRun) -> None:
        """A program has ended."""
        self._running.discard(run)
        if self._is_dropped and not self._running:
            self._forget_exit()

    def _begin_run(
        self, state: State, call: Call, request: ProgramRequest, output: int | None = None
    ) -> ProgramRun:
        """Start a program, and report the decision."""
        if state.session.before_program is not None:
            state.session.before_program(request.cwd or state.cwd)
        run = ProgramRun(state, call, self._owned, self._directories, self._leave)
        self._running.add(run)
        self._watch_exit(state)
        if self._is_exiting:  # asked after `add`, so that the exit waits for it or it is not begun
            self._running.discard(run)
            raise LimitReached("cancelled", None, None, STATUS_CANCELLED)
        try:
            run.begin(request, self._policy, output)
        except NotStarted as error:
            report_decision(state, request, None, error)
            raise run.error_for_script(error) from error
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
        self._leave_others()
        state.budget.check()
        limit = state.session.limits.processes
        name = request.words[0]
        running = len(self._running)
        if limit is not None and (running >= limit or self._owned.has_more_than(limit - 1)):
            reason = (
                f"programs already running: {running}"
                if running >= limit
                else f"processes already running, of programs and those left by them: {limit}"
            )
            report_decision(state, request, None, policy_refusal("processes", name, reason))
            raise LimitReached("processes", max(running, limit) + 1, limit)
        policy = self._policy
        permissions = state.session.permissions
        if permissions is not None:
            real = os.path.realpath(request.path)
            if reason := permissions.judge_program(state, request.words, real):
                error = policy_refusal("rules", name, reason)
                report_decision(state, request, None, error)
                raise error
            if permissions.judges_reach and (policy is None or policy.confinement is None):
                state.session.note_unenforced((UNHELD_RULES,))
        most = None if policy is None else policy.limit("max_processes")
        if most is not None and self._owned.has_more_than(most + running - 1):
            reason = f"programs that have ended left {most} processes or more"
            error = policy_refusal("max_processes", name, reason)
            report_decision(state, request, None, error)
            raise error
        if policy is None or not (policy.unconfined or policy.materialize):
            rule = None if policy is None else policy.confinement
            is_held = rule is not None and rule.holds_mounts
            point = confining_mount(state.fs, is_held=is_held)
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
