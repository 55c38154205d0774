"""Shell: runs scripts. It wires the file system, the commands, the checker and the compiler."""

from __future__ import annotations

from _weakref import ref  # `weakref` is slow to import

from keysh.diagnostics.errors import ScriptError
from keysh.diagnostics.source import Source
from keysh.interp.engine.services import EngineServices
from keysh.interp.run.limits import DEFAULT_LIMITS, Limits
from keysh.interp.run.options import ASKS_HOST, with_option
from keysh.interp.state.session import Session
from keysh.interp.state.state import State
from keysh.interp.streams.descriptors import NO_INPUT, close_streams
from keysh.interp.streams.streams import Reader, Writer
from keysh.shell.arguments import refuse_settings, refuse_text
from keysh.shell.host import asking, chance_of, clock_of, opened
from keysh.shell.lazy_files import LazyFiles
from keysh.shell.output import Output
from keysh.shell.prepare import COMPILER, Preparing
from keysh.shell.registry import CommandRegistry
from keysh.shell.runner import Runner, directory
from keysh.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.external.gate import ProgramGate
    from keysh.interp.run.limits import Cancel
    from keysh.interp.run.network import Network
    from keysh.schema.command import Command
    from keysh.shell.async_run import Job
    from keysh.shell.completion import Candidate
    from keysh.shell.host import Stdin
    from keysh.shell.host_files import Contents, Files
    from keysh.shell.host_variables import Variables
    from keysh.shell.plan import Plan
    from keysh.shell.run_result import Result
    from keysh.shell.runner import OnOutput
    from keysh.vfs.router import Router

SERVICES = EngineServices()
RUN_OPTIONS = ("stdin", "timeout", "cancel", "on_output")


class Shell:
    """A shell. What a script changes stays for the next one: variables, functions, files, cwd.

        sh = Shell(files={"/in.txt": "b\\na\\n"})
        sh.run("sort /in.txt").stdout

    By itself it sees nothing of its host: files are in memory, the environment is empty, no program
    runs. Scripts of one shell run one at a time; a call from within a host's command runs inside.
    """

    __slots__ = (
        "__weakref__", "_files", "_limits", "_preparing", "_registry", "_runner", "_settings",
    )  # fmt: skip

    def __init__(
        self,
        fs: Files | Callable[[], Files] = None,
        *,
        files: Mapping[str, Contents] | None = None,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
        args: Sequence[object] = (),
        name: str = "keysh",
        external: object = False,
        limits: Limits | None = None,
        commands: Iterable[Callable[..., Any]] = (),
        check: bool | Mapping[str, str] = True,
        dialect: str = "keysh",
        on_command: Callable[[str, list[object], Any], object] | None = None,
        clock: Callable[[], float] | float | None = None,
        random: int | None = None,
        on_event: Callable[[dict[str, object]], None] | None = None,
        network: Network | bool | None = None,
    ) -> None:
        if dialect != "keysh":
            raise ValueError(f"dialect must be 'keysh', but is {dialect!r}")
        refuse_settings(cwd, env, args, limits)
        self._limits = limits or DEFAULT_LIMITS
        self._files = LazyFiles(fs, files, self._limits)
        self._registry = CommandRegistry()
        self._runner: Runner | None = None
        self._preparing = Preparing(check, self._registry)
        self._settings: Any = (
            cwd, env, args, name, external, on_command, clock, random, on_event, network,
        )  # fmt: skip
        for function in commands:
            self.add(function)

    # ------------------------------------------------------------ running

    def run(
        self,
        text: str,
        *,
        stdin: Stdin = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        cancel: Cancel | None = None,
        on_output: OnOutput | None = None,
    ) -> Result:
        """Run a script. What fails in it is in the result; nothing it does raises."""
        runner = self._runner or self._begun()
        return runner.run(text, stdin, env, cwd, timeout, cancel, on_output)

    async def arun(
        self,
        text: str,
        *,
        stdin: Stdin = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        on_output: OnOutput | None = None,
    ) -> Result:
        """Run a script on a thread; the loop goes on. To cancel the task cancels the script.

        Commands of the host that are `async def` run on this loop.
        """

        from keysh.interp.engine.host_loop import host_coroutine_of, set_host  # noqa: PLC0415 - as above
        from keysh.shell.async_run import await_run  # noqa: PLC0415 - most scripts are only run

        guest = host_coroutine_of(self.state.session)

        def run(loop: AbstractEventLoop, cancel: Cancel) -> Result:
            set_host(loop, guest)
            return self.run(
                text, stdin=stdin, env=env, cwd=cwd, timeout=timeout, cancel=cancel,
                on_output=on_output,
            )  # fmt: skip

        return await await_run(run)

    def stream(self, text: str, **options: Any) -> AsyncIterator[tuple[str, Any]]:
        """The output as it comes: `async for kind, piece in sh.stream(text)`.

        `kind` is "stdout" or "stderr", and last "end" with the Result. The options are `arun`'s.
        """

        async def run(on_output: OnOutput) -> Result:
            return await self.arun(text, on_output=on_output, **options)

        from keysh.shell.async_run import stream_run  # noqa: PLC0415 - as above

        return stream_run(run)

    def start(self, text: str, **options: Any) -> Job:
        """Run a script on a thread of its own; what is answered can be waited for and cancelled.

        The options are those of `run`.
        """
        from keysh.shell.async_run import Job  # noqa: PLC0415 - as above

        return Job(self.run, text, options)

    # ------------------------------------------------------------ what a host sees

    def check(self, text: str) -> list[Diagnostic]:
        """What is wrong with a script, without running it."""
        refuse_text(text)
        state = self.state
        try:
            return self._preparing.diagnostics(state, parse(Source(text, state.source_name)))
        except ScriptError as error:
            return error.diagnostics

    def plan(self, text: str) -> Plan:
        """What a script would run, without running it; raises ScriptError for what is no script."""
        refuse_text(text)
        from keysh.shell.plan import Plan  # noqa: PLC0415 - most scripts are run

        return Plan(parse(Source(text, self.state.source_name)))

    def add(self, function: Callable[..., Any], name: str = "") -> Command:
        """Make a function a command; it is declared by its signature and docstring."""
        self._preparing.ready.clear()
        return self.registry.add(function, name)

    @property
    def registry(self) -> CommandRegistry:
        """The commands."""
        return self._registry

    @property
    def fs(self) -> Router:
        """The files, as the scripts see them."""
        return self._files.router()

    @property
    def state(self) -> State:
        """What the scripts change, as the prompt looks at it; hosts have `vars`, `fs` and `cwd`."""
        return (self._runner or self._begun()).state

    def complete(self, text: str, at: int | None = None) -> list[Candidate]:
        """What the word before a place in a text can become; the place is its end by itself."""
        from keysh.shell.completion import complete  # noqa: PLC0415 - only prompts and editors ask

        return complete(self.state, text, len(text) if at is None else at)

    @property
    def vars(self) -> Variables:
        """The variables, to be read and set from Python."""
        from keysh.shell.host_variables import Variables  # noqa: PLC0415 - not every host looks

        return Variables(self.state)

    @property
    def cwd(self) -> str:
        """The directory that scripts run in."""
        return self.state.cwd

    def attach(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Read from and write to streams of the host: nothing is kept for the results then."""
        (self._runner or self._begun()).attach(stdin, out, err)

    def switch(self, option: str, is_on: bool) -> None:
        """Turn an option on or off, as `set -o` does."""
        state = self.state
        state.flags = with_option(state.flags, option, is_on)

    def close(self) -> None:
        """End the jobs, and close the files that the scripts have left open."""
        if self._runner is None:
            return
        state = self._runner.state
        state.session.stop_jobs()
        # Programs that write to one end with it.
        close_streams([*state.descriptors.values(), *state.session.substitutions.values()])
        if state.session.opened_programs is not None:
            state.session.opened_programs.close()

    def __enter__(self) -> Shell:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ------------------------------------------------------------ beginning

    def _begun(self) -> Runner:
        """What runs scripts, made when it is first needed."""
        (
            cwd, env, args, name, external, on_command, clock, seed, on_event, network,
        ) = self._settings  # fmt: skip
        output = Output()
        if not self._files.has_factory:
            cwd = directory(self.fs, "/", cwd)  # what is wrong with the files is told now
        session = Session(
            self._files.router, self.registry, COMPILER, SERVICES, self._limits, clock_of(clock),
            chance_of(seed),
        )  # fmt: skip
        out, err = Writer(output.put), Writer(output.put_error)
        state = State(session, NO_INPUT, out, err, cwd, env, args, name)
        self._files.user.state = ref(state)
        session.on_event = on_event
        if on_command is not None:
            session.ask_host = asking(on_command)
            state.flags |= ASKS_HOST
        if network:
            session.network = network if network is True else opened(network)
        if external:
            session.open_programs = lambda: door_of(external)
            if external is not True:
                session.opened_programs = (
                    session.open_programs()
                )  # it may be none, which is told now
        self._runner = Runner(state, output, self._limits, self._preparing)
        return self._runner


def door_of(external: object) -> ProgramGate:
    """The door to real programs that a host asks for."""
    from keysh.external import gate_for  # noqa: PLC0415 - brings in processes

    return gate_for(external)


def run(text: str, **options: Any) -> Result:
    """Run one script in a shell of its own, which sees nothing of the host.

    The options are those of `Shell`, and those of `Shell.run`.
    """
    mine = {name: options.pop(name) for name in RUN_OPTIONS if name in options}
    with Shell(**options) as shell:
        return shell.run(text, **mine)
