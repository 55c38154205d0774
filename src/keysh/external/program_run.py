"""One run of a program, from its start until nothing of it is left."""

from __future__ import annotations

import errno
import os
from _thread import allocate_lock, get_ident

from keysh.external.directory import NOT_REAL, PrivateDirectory, WorkingDirectory
from keysh.external.lookup import is_local, path_in_shell, program_path, writable_roots
from keysh.external.program_events import report_end
from keysh.external.program_streams import ProgramStreams
from keysh.interp.run.control_flow import STATUS_OVER_LIMIT, STATUS_READER_GONE, LimitReached
from keysh.interp.run.runtime_diagnostic import require_utf8
from keysh.process.loop import PollLoop
from keysh.process.process import Process
from keysh.process.result import NotStarted
from keysh.process.spec import STREAM, ProcessSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keysh.external.directory import EmptyDirectories
    from keysh.external.job_control import Foreground
    from keysh.external.request import ProgramRequest
    from keysh.interp.run.budget import Budget
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.process.confine.confinement import Confinement
    from keysh.process.confine.program_confinement import ProgramConfinement
    from keysh.process.policy import Policy
    from keysh.process.result import ProcessResult
    from keysh.process.tree.tagged_processes import TaggedProcesses


SIGINT_NUMBER = 2  # the `signal` module costs milliseconds
PROCESS_LIMITS = ("max_owned", "max_processes")
SCRIPT_SHELL = "/bin/sh"  # runs scripts without a `#!` line


# ---------------------------------------------------------------- directory and environment


def working_directory_for(
    state: State, request: ProgramRequest, policy: Policy | None, directories: EmptyDirectories
) -> WorkingDirectory:
    """The directory that a program runs in; NotStarted if there is none."""
    path = request.cwd or state.cwd
    try:
        if policy is not None and policy.confinement is not None:
            from keysh.external.mount_confinement import open_machine_directory  # noqa: PLC0415 - few policies confine

            is_held = policy.confinement.holds_mounts
            directory = (
                open_machine_directory(state.fs, path) if is_held else state.fs.open_directory(path)
            )
        else:
            directory = state.fs.open_directory(path)
    except OSError as error:
        reason = "" if is_local(state.fs, path) else NOT_REAL
        raise NotStarted("directory", error.errno or 0, path, reason) from None
    if directory is not None:
        return WorkingDirectory(directory)
    if policy is not None and policy.materialize:
        from keysh.external.directory_copy import DirectoryCopy  # noqa: PLC0415 - only where it is allowed

        return DirectoryCopy(state, request, policy.materialize)
    if request.cwd is not None:
        raise NotStarted("directory", errno.EXDEV, path, NOT_REAL)
    return PrivateDirectory(state, request, directories)


def require_utf8_environment(env: Mapping[str, str]) -> Mapping[str, str]:
    """Return an environment; a diagnostic if a value is not UTF-8."""
    for name, value in env.items():
        require_utf8(
            value, f"${name} is not UTF-8, as a program's environment must be",
            f"hand the bytes over in a file or by standard input, or `export -n {name}`",
        )  # fmt: skip
    return env


# ---------------------------------------------------------------- one run


class ProgramRun:
    """A program: made, begun, then ended or abandoned. `end_lock` is held until then."""

    __slots__ = (
        "_call", "_directories", "_first_folder", "_folder", "_foreground", "_leave", "_owner",
        "_state", "_streams", "end_lock", "process", "thread",
    )  # fmt: skip

    def __init__(
        self,
        state: State,
        call: Call,
        owner: TaggedProcesses,
        directories: EmptyDirectories,
        leave: Callable[[ProgramRun], object],
    ) -> None:
        """`leave` is called at the end."""
        self._state, self._call, self._owner, self._leave = state, call, owner, leave
        self._directories = directories
        self._streams = ProgramStreams(call)
        self._first_folder: WorkingDirectory | None = None  # kept after the end, for messages
        self._folder: WorkingDirectory | None = None
        self._foreground: Foreground | None = None  # set while it has the terminal
        self.process: Process | None = None
        self.thread = get_ident()
        self.end_lock = allocate_lock()
        self.end_lock.acquire()

    def begin(
        self, request: ProgramRequest, policy: Policy | None, output: int | None = None
    ) -> None:
        """Start the program, writing to the descriptor `output` if given; else raise NotStarted."""
        try:
            try:
                self._begin(request, policy, output)
            except OSError as error:
                raise NotStarted("resources", error.errno or 0, request.words[0]) from error
        except BaseException:
            self.abandon()
            raise

    def _begin(self, request: ProgramRequest, policy: Policy | None, output: int | None) -> None:
        state = self._state
        budget, limits = state.budget, state.session.limits
        streams = self._streams
        streams.connect(self._call, output)
        streams.add(state.descriptors, request.words)
        env = require_utf8_environment(state.environment() if request.env is None else request.env)
        if state.session.permissions is not None:
            env = state.session.permissions.passed_variables(state, env)
        folder = working_directory_for(state, request, policy, self._directories)
        self._folder = self._first_folder = folder
        terminal: Foreground | None = state.session.terminal
        if terminal is not None and not terminal.is_run_of(budget):
            terminal = None
        confinement = None
        if policy is not None and policy.confinement is not None:
            confinement, temporary = self._confinement(policy.confinement, env)
            if copied := [os.path.realpath(root) for root in folder.writable]:
                confinement = confinement.with_paths(write=copied, execute=copied)
            folder.variables = {**folder.variables, **temporary}
        words = folder.words(request)
        # A script sees the executed path as `$0`, so a word that is a path is executed itself.
        file = words[0] if "/" in words[0] else request.path
        spec = ProcessSpec(
            words,
            env={**env, **folder.variables},
            path=program_path(state, policy) if policy is not None else None,
            file=file if "/" in file else None,  # the name was not found
            directory=folder.directory,
            has_own_directory=folder.is_own,
            stdin=streams.stdin,
            stdout=streams.stdout,
            stderr=streams.stderr,
            descriptors=streams.numbers,
            timeout=request.timeout,
            policy=policy,
            writable=() if policy is None else [*writable_roots(state.fs), *folder.writable],
            owner=self._owner,
            max_processes=limits.processes,
            max_owned=limits.processes,
            counts_processes=policy is None or policy.limit("max_processes") is None,
            session=terminal is None,
            group=0 if terminal is None else terminal.group,
            ulimits=state.ulimits,
            umask=state.umask if state.has_set_umask else -1,
            confinement=confinement,
        )
        loop = streams.loop or PollLoop(budget.flag().fd)
        self.process = launch_program(spec, request.path, loop, budget.deadline)
        if terminal is not None:
            is_read = output is not None or streams.stdout is STREAM
            terminal.begin(self.process, is_read=is_read)
            self._foreground = terminal
        if self.process.launched.unenforced:
            state.session.note_unenforced(self.process.launched.unenforced)
        folder.begin()
        streams.begin(loop)
        if budget.interruption:  # a signal arrived before the process existed
            self.process.signal(budget.interruption)

    def _confinement(
        self, rule: ProgramConfinement, env: Mapping[str, str]
    ) -> tuple[Confinement, dict[str, str]]:
        """What the program is held to, and variables that it needs for that."""
        from keysh.external.mount_confinement import (  # noqa: PLC0415 - few policies confine
            confinement_of_mounts,
            has_temporary_directory,
        )

        confinement = rule.confinement(confinement_of_mounts(self._state))
        if not rule.holds_mounts or "TMPDIR" in env or has_temporary_directory(confinement):
            return confinement, {}
        temporary = self._directories.temporary()
        return confinement.with_paths(write=[temporary], execute=[temporary]), {"TMPDIR": temporary}

    def error_for_script(self, error: NotStarted) -> NotStarted:
        """Return why it did not start, with the script's own path of a file in a mount."""
        if not error.file:
            return error
        folder = self._first_folder
        original = folder.original_path(error.file) if folder is not None else ""
        return error.at_path(original or path_in_shell(self._state, error.file))

    def signal(self, budget: Budget, number: int) -> None:
        """Signal the program if it belongs to the run that has this budget."""
        if self.process is not None and self._state.budget is budget:
            self.process.signal(number)

    def cancel(self) -> None:
        """Cancel the shell's run that the program belongs to."""
        if not self.is_cancelled:
            self._state.budget.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether that run is cancelled."""
        return self._state.budget.is_cancelled

    def deliver(self) -> None:
        """Pass on the program's output until it ends or the reader is gone."""
        process, out = self.process, self._streams.out
        assert process is not None
        try:
            if process.spec.stdout is STREAM:
                for data in process.output():
                    out.put(data)
                    if out.is_gone:
                        break
                if out.is_unwanted:
                    process.stop()
                out.put(b"")
        except BaseException:
            self.abandon()
            raise

    def end(self) -> int:
        """Wait for the program and return its status; LimitReached if the shell's run ends too."""
        process = self.process
        assert process is not None
        try:
            if self._foreground is not None and self._foreground.sees_stopped(process):
                foreground, self._foreground = self._foreground, None
                return foreground.suspend(self._state, self, process)
            result = self._state.budget.waiting(process.wait)
        except BaseException:
            self.abandon()
            raise
        was_foreground = self._foreground is not None
        code = result.code or (STATUS_READER_GONE if self._streams.out.is_gone else 0)
        status = self._release(code)
        if was_foreground and result.signal == SIGINT_NUMBER:
            self._state.budget.cancel()  # Ctrl-C is meant for the script too
            self._state.budget.check()
        self._judge_result(result)
        return status

    def finish(self) -> int:
        """Wait for a program that was stopped, on a thread of its own; return its status."""
        assert self.process is not None
        return self._release(self.process.wait().code)

    def abandon(self) -> None:
        """Kill the program and all its descendants.

        The other programs of its pipeline are abandoned next. All are stopped before one dies,
        since each could go on when another no longer reads or writes.
        """
        code = STATUS_OVER_LIMIT
        try:
            if self.process is not None:
                for member in tuple(self.process.loop.members):
                    member.stop()
                self.process.__exit__()
        finally:
            if self.process is not None and self.process.result is not None:
                code = self.process.result.code
            self._release(code)

    def _judge_result(self, result: ProcessResult) -> None:
        """End the shell's run if what ended the program applies to it too."""
        budget = self._state.budget
        if result.survivors:
            pids = " ".join(map(str, result.survivors))
            self._call.complain(f"{result.argv[0]}: cannot be killed: {pids}", as_shell=True)
        if result.is_reaped and not result.stop:
            self._call.complain(
                f"{result.argv[0]}: its status is not known, because this program collects the "
                "ends of all processes (SIGCHLD)",
                as_shell=True,
            )
        if result.limit:
            self._judge_limit(result.limit)
        if result.stop == "cancelled" and not budget.is_cancelled:
            budget.cancel(SIGINT_NUMBER)  # Ctrl-C arrived during the wait
        if result.stop:
            budget.check()

    def _judge_limit(self, name: str) -> None:
        """A limit of the shell ends its run too, one of the policy only the program."""
        process, shell_limit = self.process, self._state.session.limits.processes
        assert process is not None
        limit = shell_limit if name == "max_owned" else process.spec.limit(name)
        if shell_limit is not None and name in PROCESS_LIMITS and limit == shell_limit:
            raise LimitReached("processes", shell_limit + 1, shell_limit)
        self._call.complain(
            f"{process.spec.argv[0]}: over the limit: {name}={limit}", as_shell=True
        )

    def _release(self, status: int) -> int:
        """Close what is open and return the status, which copying changes back may alter."""
        if not self.end_lock.locked():
            return status
        foreground, self._foreground = self._foreground, None
        if foreground is not None:
            foreground.end(0 if self.process is None else self.process.pid)
        try:
            self._streams.end()
        finally:
            folder, self._folder = self._folder, None
            try:
                try:
                    if folder is not None:
                        has_left = self.process is not None and self.process.has_left
                        status = folder.end(self._call, status, has_left=has_left)
                finally:
                    if self.process is not None:
                        report_end(self._state, self.process, status)
            finally:
                self.end_lock.release()
                self._leave(self)
        return status


def launch_program(spec: ProcessSpec, path: str, loop: PollLoop, deadline: float | None) -> Process:
    """Start the process. A script without a `#!` line is run by /bin/sh."""
    try:
        return Process(spec, loop, deadline)
    except NotStarted as error:
        if error.code != "ENOEXEC":
            raise
        name = spec.argv[0]
        spec.argv = [SCRIPT_SHELL, name if "/" in name else path, *spec.argv[1:]]
        spec.file = SCRIPT_SHELL
        return Process(spec, loop, deadline)
