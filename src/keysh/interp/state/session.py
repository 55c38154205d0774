"""Session: what all states of one shell share: commands, files, clock, jobs, hooks of the host."""

from __future__ import annotations

from _thread import allocate_lock
from functools import cache
from os import getpid

from keysh.interp.run.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from random import Random
    from typing import Any, Protocol, TypeVar

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.jobs.external_api import ExternalApi
    from keysh.interp.jobs.jobs import JobTable, ShellJob
    from keysh.interp.run.budget import Budget
    from keysh.interp.run.forward_types import AnyBody, AnyCall, AnyExpression, AnyState
    from keysh.interp.run.network import Network
    from keysh.interp.run.site import Site
    from keysh.interp.run.watchdog import Watchdog
    from keysh.interp.state.clocks import Clocks
    from keysh.interp.state.progress_report import ProgressReport
    from keysh.interp.streams.descriptors import Descriptor
    from keysh.schema.command import Command
    from keysh.vfs.judged import FileJudge
    from keysh.vfs.router import Router

    T = TypeVar("T")

    class CommandTable(Protocol):
        """The declared commands."""

        def command_named(self, name: str) -> Command | None: ...
        def is_builtin(self, name: str) -> bool: ...
        def names(self) -> Iterable[str]: ...
        def is_program(self, name: str) -> bool: ...
        def file_names(self) -> AbstractSet[str]: ...

    class ScriptCompiler(Protocol):
        """Compiles texts of one dialect; implemented in keysh.compile, above this layer.

        Reading a text counts for the limits of the run that `state` is in.
        """

        def script(self, script_text: str, name: str, state: AnyState | None = None) -> AnyBody: ...
        def arithmetic(self, expression: str, state: AnyState | None = None) -> AnyExpression: ...
        def path(self, path: str, state: AnyState | None = None) -> AnyExpression: ...
        def expanded_text(
            self, text: str, state: AnyState | None = None, *, is_data: bool = False
        ) -> AnyExpression: ...
        def special(self, name: str) -> AnyExpression | None: ...
        def alias(self, alias_text: str, state: AnyState | None = None) -> Any: ...

    class RunHistory(Protocol):
        """The runs of a shell that has a journal; implemented in keysh.shell, above this layer."""

        @property
        def entries(self) -> list[Any]: ...
        def from_inside(self, state: AnyState, act: Callable[[], list[Any]]) -> list[Any]: ...
        def undo(self, count: int = 1, *, is_partial: bool = False) -> list[Any]: ...
        def redo(self, count: int = 1) -> list[Any]: ...

    class EventTrail(Protocol):
        """Records what a shell does; implemented in keysh.audit, above this layer."""

        def span_work(
            self, state: AnyState, event: str, fields: Mapping[str, object], work: Callable[[], int]
        ) -> Callable[[], int]: ...
        def within(
            self, state: AnyState, event: str, fields: Mapping[str, object], work: Callable[[], int]
        ) -> int: ...
        def run(
            self, state: AnyState, text: str, run: Callable[[], T], end_by: Callable[..., T]
        ) -> T: ...
        def begin_command(
            self, state: AnyState, name: str, arguments: Sequence[object], site: Site | None
        ) -> None: ...
        def end_command(
            self, state: AnyState, outer: int, began: float | None, status: int | None
        ) -> None: ...
        def perform(self, state: AnyState, outer: int, perform: Callable[[], int]) -> int: ...
        def decide(
            self, state: AnyState | None, by: str, subject: Sequence[object], refusal: str,
            decision: str = "",
        ) -> None: ...  # fmt: skip
        def program(self, state: AnyState, fields: dict[str, object]) -> None: ...
        def program_end(self, state: AnyState, fields: dict[str, object]) -> None: ...
        def limit(self, state: AnyState, limit: Any) -> None: ...
        def change_state(self, changes: Iterable[Any]) -> None: ...
        def network(self, network: Network, state: AnyState) -> Network: ...
        def share(self) -> None: ...
        def enter_process(self) -> None: ...
        def close(self) -> None: ...

    class Permissions(Protocol):
        """What judges each act of a script; implemented in keysh.shell, above this layer.

        A method returns why not, or an empty string; for a request it raises CommandFailure.
        """

        def judge_command(
            self, state: Any, words: Sequence[object], name: str, arguments: list[object],
            site: Site | None,
        ) -> str: ...  # fmt: skip
        @property
        def judges_reach(self) -> bool: ...
        def judge_program(self, state: Any, words: Sequence[str], real: str) -> str: ...
        def passed_variables(
            self, state: Any, variables: Mapping[str, str]
        ) -> Mapping[str, str]: ...
        def judge_request(
            self, method: str, scheme: str, host: str, port: int, path: str, rules: Any
        ) -> None: ...
        def judge_address(
            self, method: str, address: str, port: int, path: str, rules: Any
        ) -> None: ...

    class Services(Protocol):
        """Functions of the engine that a state needs."""

        def run_words(
            self, state: AnyState, words: Sequence[object], launch_error: str = ""
        ) -> int: ...
        def assign_by_attributes(
            self, state: AnyState, name: str, value: Any, bits: int
        ) -> None: ...
        def run_coroutine(
            self, state: AnyState, coroutine: Coroutine[Any, Any, object]
        ) -> object: ...
        def on_fresh_stack(self, state: AnyState, work: Callable[[], T]) -> T: ...
        def start_thread(self, work: Callable[[], object]) -> None: ...
        def is_program(self, state: AnyState, name: str) -> bool: ...
        def run_hidden_program(
            self, state: AnyState, call: AnyCall, words: Sequence[object]
        ) -> int | None: ...
        def read_text_path(self, state: AnyState, path: str) -> Any: ...


RUNS_PER_LOOK = 512  # if they are short


@cache
def watchdog() -> Watchdog:
    """Return the watchdog, which a program without limits does not load."""
    from keysh.interp.run.watchdog import WATCHDOG  # noqa: PLC0415 - 1.5 us of each new shell uncached

    return WATCHDOG


class Session:
    """One shell: its commands, files, clock, random numbers, jobs and the hooks of its host."""

    # What few shells change has no slot but a default here: half of it would be stored for nothing
    # in each new shell.
    __slots__ = (
        "__dict__", "__weakref__", "_fs", "_jobs", "_open_fs", "clock", "compilers", "error",
        "host", "host_loop", "is_closed", "is_watched", "kept_memory", "limits", "name",
        "random_source", "registry", "runs", "script_files", "services", "started_at",
        "struck_by", "substitutions", "threads", "trail", "unenforced",
    )  # fmt: skip

    own_pid = 0  # of this process, if it is the shell's own, as in the program keysh
    worked_seconds = 0.0  # processor time of the runs that have ended
    terminal: Any = None  # external.foreground at a prompt with job control
    # Set only if the host allows real programs.
    open_programs: Callable[[], ExternalApi] | None = None
    opened_programs: ExternalApi | None = None
    programs_lock: LockType | None = None
    # Called with the directory of each program before it starts.
    before_program: Callable[[str], None] | None = None
    # Called with the path and the process number of each program that has started.
    note_program: Callable[[str, int], None] | None = None
    progress: ProgressReport | None = None  # tells the host how far a long command has come
    # What scripts may reach; True means everything.
    network: Network | bool | None = None
    permissions: Permissions | None = None  # what the host decides about each act
    asked_site: Site | None = None  # site of the last command the host was asked about
    # Called in the process of each job; None if jobs are threads.
    begin_job_process: Callable[[AnyState], None] | None = None
    # Whether disowned jobs, and what programs have left, go on when the shell ends, as those of
    # the program do.
    keeps_disowned_jobs = False
    file_locks: Any = None  # interp.streams.file_locks, from the first use of flock
    history: RunHistory | None = None  # of the runs, if the shell has a journal
    # At a prompt only `exit` ends the shell, and the EXIT trap waits for that.
    is_interactive = has_exited = False
    # Whether `$PATH` leads to keysh's tool of a name first, as far as it has been looked up.
    tools_on_path: dict[tuple[object, str, str, Dialect], bool] | None = None
    next_look_at_memory = 0.0  # time of a look at what has not grown

    def __init__(
        self,
        open_fs: Callable[[], Router],
        registry: CommandTable,
        compilers: Mapping[Dialect, ScriptCompiler],
        services: Services,
        limits: Limits,
        clock: Callable[[], int],
        chance: Callable[[], Random],
    ) -> None:
        self._fs: Router | None = None
        self._open_fs: Callable[[], Router] | None = open_fs
        self.registry, self.compilers = registry, compilers
        self.services, self.limits = services, limits
        self._jobs: JobTable | None = None
        self.clock = clock  # nanoseconds since 1970
        self.random_source = chance
        self.started_at = clock()
        self.host: Any = None  # ShellSettings: what the host has asked for
        self.trail: EventTrail | None = None  # what the host learns of this shell
        self.host_loop: Any = None  # the host's event loop that awaits the run
        # The exception that a host's command raised in this run.
        self.error: BaseException | None = None
        self.name = "keysh"
        self.is_closed = False  # it starts no job any more
        self.runs = 0  # number of runs started
        self.script_files: dict[str, None] = {}  # names of sources that are files
        self.substitutions: dict[int, Descriptor] = {}  # `<(…)` and `>(…)` by descriptor number
        # The threads of this shell, each with the state that host callbacks enter from it.
        self.threads: dict[int, AnyState] = {}
        self.kept_memory = 0  # bytes in variables and files after the last run, if noticeable
        self.is_watched = False  # by the watchdog, because a thread of it has limits
        self.unenforced: tuple[str, ...] = ()  # what the kernel did not hold of programs, this run
        self.struck_by: Watchdog | None = None  # until no thread can have a late limit pending

    def network_for(self, state: AnyState) -> Network | None:
        """Return what a command of a state may reach; None if nothing."""
        from keysh.interp.run.network import network_of  # noqa: PLC0415 - for curl

        network = network_of(self.network)
        if network is not None and self.permissions is not None:
            network = network.judged_by(self.permissions)
        if network is not None and self.trail is not None:
            network = self.trail.network(network, state)
        return network

    def note_error(self, error: BaseException) -> None:
        """Keep an exception of a function of the host for the result of the run."""
        if self.error is None:
            self.error = error

    def note_unenforced(self, facts: Iterable[str]) -> None:
        """Note what the kernel does not hold of the confinement of a program."""
        self.unenforced = tuple(dict.fromkeys((*self.unenforced, *facts)))

    def take_unenforced(self) -> tuple[str, ...]:
        """Return what was noted in this run, and begin anew."""
        facts, self.unenforced = self.unenforced, ()
        return facts

    def watch(self, budget: Budget) -> None:
        """Let the watchdog see the runs of this session, if they have limits."""
        if budget.deadline is not None or budget.max_memory is not None:
            watchdog().watch(self)

    @property
    def fs(self) -> Router:
        """The file system, created when first used."""
        found = self._fs
        if found is None:
            if (open_fs := self._open_fs) is not None:
                self._fs = open_fs()
                self._open_fs = None  # after it, for another job that is here at the same time
            assert self._fs is not None
            found = self._fs
        return found

    def judge_files(self, judge: FileJudge, denial: Callable[[str, str], BaseException]) -> None:
        """Let a judge decide about each file from the first use of the files on."""
        open_fs = self._open_fs
        assert open_fs is not None

        def open_judged() -> Router:
            router = open_fs()
            router.ask_before(judge, denial)
            return router

        self._open_fs = open_judged

    @property
    def has_files(self) -> bool:
        """Whether the file system has been used."""
        return self._fs is not None

    @property
    def jobs(self) -> JobTable:
        """The job table. No lock: when it is first used no other thread of the shell runs."""
        if self._jobs is None:
            from keysh.interp.jobs.jobs import JobTable  # noqa: PLC0415 - most scripts have none

            self._jobs = JobTable(self.own_pid)
        elif self._jobs.process != getpid():  # the host has forked
            self._jobs.begin_process()
        return self._jobs

    def clocks(self) -> Clocks:
        """Return the clocks by which a script learns how long its commands take."""
        from keysh.interp.state.clocks import Clocks  # noqa: PLC0415 - few scripts ask

        return Clocks(self.clock, owns_process=self.owns_process)

    @property
    def owns_process(self) -> bool:
        """Whether this process is the shell's own, so that its numbers are the shell's."""
        return bool(self.own_pid)

    @property
    def has_jobs(self) -> bool:
        """Whether any job has been started."""
        return self._jobs is not None

    def job_starting_from(self, state: object) -> ShellJob | None:
        """Return the job whose program `state` will start."""
        return None if self._jobs is None else self.jobs.job_starting_from(state)

    def stop_jobs(self, run: int | None = None) -> None:
        """End the jobs of one run, or all jobs; none of them can start another one."""
        if self._jobs is not None:
            self.jobs.stop(run, keeps_disowned=self.keeps_disowned_jobs)

    def close(self) -> None:
        """End all jobs for good. Nothing here waits or takes a lock: a collector may call it."""
        self.is_closed = True
        self.stop_jobs()

    def end(self) -> None:
        """End all jobs, and wait until they have ended."""
        self.close()
        if self.has_jobs:
            from keysh.interp.jobs.job_endings import end_jobs  # noqa: PLC0415 - few shells have any

            end_jobs(self)

    def unfinished_jobs(self) -> list[ShellJob]:
        """Return the jobs that have not ended, by number."""
        return [] if self._jobs is None else self.jobs.running()

    @property
    def waits_for_exit(self) -> bool:
        """Whether this is a prompt, whose shell goes on after the line."""
        return self.is_interactive and not self.has_exited

    @property
    def has_programs(self) -> bool:
        """Whether real programs are allowed."""
        return self.open_programs is not None

    def allow_programs(self, open_programs: Callable[[], ExternalApi]) -> None:
        """Let real programs run, by a function that makes what starts them."""
        self.open_programs, self.programs_lock = open_programs, allocate_lock()

    @property
    def programs(self) -> ExternalApi | None:
        """Starts real programs; created when first used, because loading it takes 3 ms."""
        if self.opened_programs is None and self.open_programs is not None:
            assert self.programs_lock is not None
            with self.programs_lock:  # two jobs may get here at once
                self.opened_programs = self.opened_programs or self.open_programs()
        return self.opened_programs
