"""Session: what all states of one shell share, however often they are forked."""

from __future__ import annotations

from _thread import allocate_lock

from keysh.interp.run.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence
    from random import Random
    from typing import Any, Protocol, TypeVar

    from keysh.diagnostics.source import Source
    from keysh.interp.jobs.external_api import ExternalApi
    from keysh.interp.jobs.jobs import JobTable, ShellJob
    from keysh.interp.run.forward_types import AnyBody, AnyExpression, AnyState
    from keysh.interp.run.network import Network
    from keysh.interp.run.site import Site
    from keysh.interp.streams.descriptors import Descriptor
    from keysh.schema.command import Command
    from keysh.syntax.node import Node
    from keysh.vfs.router import Router

    T = TypeVar("T")

    class CommandTable(Protocol):
        """The commands there are."""

        def command_named(self, name: str) -> Command | None: ...
        def names(self) -> Iterable[str]: ...

    class ScriptCompiler(Protocol):
        """What makes texts run; it lies above this layer and is handed down."""

        def script(self, script_text: str, name: str) -> AnyBody: ...
        def arithmetic(self, expression: str) -> AnyExpression: ...
        def path(self, path: str) -> AnyExpression: ...
        def value(self, value_text: str) -> AnyExpression: ...
        def expanded_text(self, text: str) -> AnyExpression: ...
        def special(self, name: str) -> AnyExpression | None: ...
        def alias(self, alias_text: str) -> Any: ...

    class Services(Protocol):
        """The acts of a state that need modules which stand upon it."""

        def run_words(self, state: AnyState, words: Sequence[object]) -> int: ...
        def assign_by_attributes(
            self, state: AnyState, name: str, value: Any, bits: int
        ) -> None: ...
        def run_coroutine(
            self, state: AnyState, coroutine: Coroutine[Any, Any, object]
        ) -> object: ...
        def on_fresh_stack(self, state: AnyState, work: Callable[[], T]) -> T: ...
        def read_text_path(self, state: AnyState, path: str) -> Any: ...


class Session:
    """One shell: its commands, files, clock and chance, its jobs, and the doors to its host."""

    __slots__ = (
        "_fs", "_jobs", "_open_fs", "ask_host", "asked_site", "clock", "compiler", "error", "has_exited",
        "host_loop", "is_interactive", "limits", "name", "network", "on_event", "open_programs",
        "opened_programs", "programs_lock", "registry", "runs", "services", "random_source", "started_at",
        "substitutions", "terminal", "threads",
    )  # fmt: skip

    def __init__(
        self,
        open_fs: Callable[[], Router],
        registry: CommandTable,
        compiler: ScriptCompiler,
        services: Services,
        limits: Limits,
        clock: Callable[[], int],
        chance: Callable[[], Random],
    ) -> None:
        self._fs: Router | None = None
        self._open_fs, self.registry, self.compiler = open_fs, registry, compiler
        self.services, self.limits = services, limits
        self._jobs: JobTable | None = None
        self.clock = clock  # nanoseconds since 1970
        self.random_source = chance
        self.started_at = clock()
        self.terminal: Any = None  # programs.foreground: where a prompt has one, that knows jobs
        # There are no real programs unless the host has a door for them.
        self.open_programs: Callable[[], ExternalApi] | None = None
        self.opened_programs: ExternalApi | None = None
        self.programs_lock = allocate_lock()
        # What scripts may reach, where the host opens it; True is all there is.
        self.network: Network | bool | None = None
        self.ask_host: Callable[[str, list[object], Source, Node], str | None] | None = None
        self.asked_site: Site | None = None  # where the command stands that was asked for last
        self.on_event: Callable[[dict[str, object]], None] | None = None
        self.host_loop: Any = None  # the event loop that waits for the run
        self.error: BaseException | None = None  # what a host's command raised in this run
        self.name = "keysh"
        self.runs = 0  # how many have begun
        # A prompt runs one line at a time: only `exit` ends the shell, and its trap waits for that.
        self.is_interactive = self.has_exited = False
        self.substitutions: dict[int, Descriptor] = {}  # `<(…)` and `>(…)`, by their numbers
        # The threads that run for this shell, and the state that a host calls into from there.
        self.threads: dict[int, AnyState] = {}

    @property
    def fs(self) -> Router:
        """The files, which are there when they are first asked for."""
        found = self._fs
        if found is None:
            found = self._fs = self._open_fs()
        return found

    @property
    def jobs(self) -> JobTable:
        """The jobs. The first one is begun, or asked for, where no other thread runs."""
        if self._jobs is None:
            from keysh.interp.jobs.jobs import JobTable  # noqa: PLC0415 - most scripts have none

            self._jobs = JobTable()
        return self._jobs

    def job_starting_from(self, state: object) -> ShellJob | None:
        """The job whose program is to start from a state."""
        return None if self._jobs is None else self._jobs.job_starting_from(state)

    def stop_jobs(self, run: int | None = None) -> None:
        """The shell ends, or one run was stopped: so are its jobs, but for those disowned."""
        if self._jobs is not None:
            self._jobs.stop(run)

    @property
    def has_programs(self) -> bool:
        """Whether real programs can run."""
        return self.open_programs is not None

    @property
    def programs(self) -> ExternalApi | None:
        """The door to real programs, which opens when it is first asked for: it takes 3 ms."""
        if self.opened_programs is None and self.open_programs is not None:
            with self.programs_lock:  # jobs may ask at the same time
                self.opened_programs = self.opened_programs or self.open_programs()
        return self.opened_programs
