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
    from keysh.interp.jobs.external_api import Programs
    from keysh.interp.jobs.jobs import Job, Jobs
    from keysh.interp.run.forward_types import AnyBody, AnyExpression, AnyState
    from keysh.interp.run.network import Network
    from keysh.interp.run.site import Site
    from keysh.interp.streams.descriptors import Descriptor
    from keysh.schema.command import Command
    from keysh.syntax.node import Node
    from keysh.vfs.router import Router

    T = TypeVar("T")

    class Registry(Protocol):
        """The commands there are."""

        def command_named(self, name: str) -> Command | None: ...
        def names(self) -> Iterable[str]: ...

    class Compiler(Protocol):
        """What makes texts run; it lies above this layer and is handed down."""

        def script(self, script_text: str, name: str) -> AnyBody: ...
        def arithmetic(self, expression: str) -> AnyExpression: ...
        def path(self, path: str) -> AnyExpression: ...
        def value(self, value_text: str) -> AnyExpression: ...
        def inscription(self, text: str) -> AnyExpression: ...
        def special(self, name: str) -> AnyExpression | None: ...
        def alias(self, alias_text: str) -> Any: ...

    class Services(Protocol):
        """The acts of a state that need modules which stand upon it."""

        def run_words(self, state: AnyState, words: Sequence[object]) -> int: ...
        def assign_by_attributes(
            self, state: AnyState, name: str, value: Any, bits: int
        ) -> None: ...
        def awaited(self, state: AnyState, coroutine: Coroutine[Any, Any, object]) -> object: ...
        def on_fresh_stack(self, state: AnyState, work: Callable[[], T]) -> T: ...
        def read_text_path(self, state: AnyState, path: str) -> Any: ...


class Session:
    """One shell: its commands, files, clock and chance, its jobs, and the doors to its host."""

    __slots__ = (
        "_fs", "_jobs", "_open_fs", "ask", "asked_at", "clock", "compiler", "error", "has_left",
        "host_loop", "is_interactive", "limits", "name", "network", "on_event", "open_door",
        "opened_door", "opening", "registry", "runs", "services", "source_of_chance", "started",
        "substitutions", "terminal", "threads",
    )  # fmt: skip

    def __init__(
        self,
        open_fs: Callable[[], Router],
        registry: Registry,
        compiler: Compiler,
        services: Services,
        limits: Limits,
        clock: Callable[[], int],
        chance: Callable[[], Random],
    ) -> None:
        self._fs: Router | None = None
        self._open_fs, self.registry, self.compiler = open_fs, registry, compiler
        self.services, self.limits = services, limits
        self._jobs: Jobs | None = None
        self.clock = clock  # nanoseconds since 1970
        self.source_of_chance = chance
        self.started = clock()
        self.terminal: Any = None  # programs.foreground: where a prompt has one, that knows jobs
        # There are no real programs unless the host has a door for them.
        self.open_door: Callable[[], Programs] | None = None
        self.opened_door: Programs | None = None
        self.opening = allocate_lock()
        # What scripts may reach, where the host opens it; True is all there is.
        self.network: Network | bool | None = None
        self.ask: Callable[[str, list[object], Source, Node], str | None] | None = None
        self.asked_at: Site | None = None  # where the command stands that was asked for last
        self.on_event: Callable[[dict[str, object]], None] | None = None
        self.host_loop: Any = None  # the event loop that waits for the run
        self.error: BaseException | None = None  # what a host's command raised in this run
        self.name = "keysh"
        self.runs = 0  # how many have begun
        # A prompt runs one line at a time: only `exit` ends the shell, and its trap waits for that.
        self.is_interactive = self.has_left = False
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
    def jobs(self) -> Jobs:
        """The jobs. The first one is begun, or asked for, where no other thread runs."""
        if self._jobs is None:
            from keysh.interp.jobs.jobs import Jobs  # noqa: PLC0415 - most scripts have none

            self._jobs = Jobs()
        return self._jobs

    def led_from(self, state: object) -> Job | None:
        """The job whose program is to start from a state."""
        return None if self._jobs is None else self._jobs.led_from(state)

    def stop_jobs(self, run: int | None = None) -> None:
        """The shell ends, or one run was stopped: so are its jobs, but for those disowned."""
        if self._jobs is not None:
            self._jobs.stop(run)

    @property
    def has_programs(self) -> bool:
        """Whether real programs can run."""
        return self.open_door is not None

    @property
    def programs(self) -> Programs | None:
        """The door to real programs, which opens when it is first asked for: it takes 3 ms."""
        if self.opened_door is None and self.open_door is not None:
            with self.opening:  # jobs may ask at the same time
                self.opened_door = self.opened_door or self.open_door()
        return self.opened_door
