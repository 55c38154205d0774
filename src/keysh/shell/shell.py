"""`keysh.Shell` wires files, commands, checker, compiler and state, and runs scripts on them."""

from __future__ import annotations

from _thread import RLock
from _weakref import ref  # `weakref` is slow to import

from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.interp.engine.services import EngineServices
from keysh.interp.run.limits import DEFAULT_LIMITS, Limits
from keysh.interp.run.options import with_option
from keysh.interp.state.session import Session
from keysh.interp.state.state import State
from keysh.interp.streams.descriptors import NO_INPUT, close_streams
from keysh.interp.streams.streams import Reader, Writer
from keysh.shell.lazy_files import LazyFiles, existing_directory
from keysh.shell.output import Output
from keysh.shell.registry import CommandRegistry
from keysh.shell.run_options import (
    DEFAULT_RUN_SETTINGS,
    RandomSource,
    RunSettings,
    ShellSettings,
    clock_in_nanoseconds,
    dialect_named,
    refuse_construction,
    script_text,
)
from keysh.shell.runner import Runner
from keysh.shell.script_cache import COMPILERS, ScriptCache, read_within
from keysh.shell.shell_history import ShellHistory, make_engine
from keysh.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Unpack

    from keysh.audit.audit import Audit
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.interp.run.cancel import Cancel
    from keysh.interp.run.network import Network
    from keysh.rules.rule_set import Rules
    from keysh.schema.command import Command
    from keysh.shell.async_run import Job
    from keysh.shell.completion import Candidate
    from keysh.shell.history.journal import Journal
    from keysh.shell.host.host_files import Contents, Files
    from keysh.shell.host.host_stdin import Stdin
    from keysh.shell.host.host_variables import Variables
    from keysh.shell.host.option_types import RunOptions, ScriptOptions, StreamOptions
    from keysh.shell.host.stream_pieces import StreamPiece
    from keysh.shell.permissions.host_permissions import OnAsk, OnCommand
    from keysh.shell.plan import Plan
    from keysh.shell.run_options import OnEvent, OnOutput, OnProgress, OnRecord
    from keysh.shell.run_result import Result
    from keysh.shell.store.session_store import SessionStore
    from keysh.vfs.router import Router

SERVICES = EngineServices()
RUN_OPTION_NAMES = ("stdin", "timeout", "cancel", "on_output")


class Shell(ShellHistory):
    """A shell. Variables, functions, files and the directory stay from one script to the next.

        sh = Shell(files={"/in.txt": "b\\na\\n"})
        sh.run("sort /in.txt").stdout

    By default it sees nothing of its host: files are in memory, the environment is empty, and no
    program runs. A shell runs one script at a time; a call from a command of the host runs at once,
    inside the script that called it. `help(keysh.ShellOptions)` lists the options.
    """

    __module__ = "keysh"
    __slots__ = ()

    def __init__(
        self,
        fs: Files | Callable[[], Files] = None,
        *,
        files: Mapping[str, Contents] | None = None,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
        args: Sequence[object] = (),
        name: str | None = None,
        external: object = False,
        limits: Limits | None = None,
        commands: Iterable[Callable[..., Any]] = (),
        check: bool | Mapping[str, str] = True,
        dialect: str | None = None,
        on_command: OnCommand | None = None,
        rules: Rules | None = None,
        on_ask: OnAsk | None = None,
        clock: Callable[[], float] | float | None = None,
        random: int | None = None,
        on_event: OnEvent | None = None,
        network: Network | bool | None = None,
        journal: Journal | bool | None = None,
        store: str | PathLike[str] | None = None,
        isolated: object = False,
        audit: Audit | OnRecord | None = None,
        mapper: Any = None,
        on_progress: OnProgress | None = None,
        tools: Any = (),
    ) -> None:
        if not (
            fs is None and limits is None and files is None and check is True
            and store is None and commands.__class__ is tuple
        ):  # fmt: skip
            refuse_construction(fs, limits, files, commands, check, store)
        self._limits, self._first_use = limits or DEFAULT_LIMITS, RLock()
        self._registry = CommandRegistry()
        # Where real programs run, the machine's files are what a path means.
        names = None if external else self._registry.file_names
        file_clock = None if clock is None else clock_in_nanoseconds(clock)
        self._files = LazyFiles(fs, files, self._limits, names, file_clock)
        self._runner = self._origin = self._fork_base = None
        self._store: SessionStore | None = None
        if store is not None:
            from keysh.shell.store.opening import open_store, refuse_journal  # noqa: PLC0415 - few shells last

            refuse_journal(journal)
            self._store = open_store(store, self._files, self._limits)
            dialect = dialect or self._store.dialect
        try:
            self._scripts = ScriptCache(
                check, self._registry, None if dialect is None else dialect_named(dialect)
            )
            self._options = ShellSettings(
                cwd=cwd, env=env, args=args, external=external, on_command=on_command, rules=rules,
                name=self._scripts.shell_name if name is None else name, on_ask=on_ask, clock=clock,
                random=random, on_event=on_event, network=network, journal=journal, audit=audit,
                mapper=mapper, on_progress=on_progress, tools=tools,
            )  # fmt: skip
            self._options.add_commands(self, self._registry, commands)
            if self._store is not None:
                self._begin()  # what cannot be used shows now
        except BaseException:
            if self._store is not None:
                self._store.close()
            raise

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
        dialect: str | None = None,
    ) -> Result:
        """Run a script. Failures are in the result; nothing that a script does raises.

        `dialect` is "keysh" or "bash"; without it the shell's holds, or what the text declares.
        """
        runner = self._runner or self._begin()
        # A line takes 2 us, of which the object would be a sixth.
        if (
            stdin is None and env is None and cwd is None
            and timeout is None and cancel is None and on_output is None and dialect is None
        ):  # fmt: skip
            return runner.run(text, DEFAULT_RUN_SETTINGS)
        return runner.run(text, RunSettings(stdin, env, cwd, timeout, cancel, on_output, dialect))

    async def arun(
        self,
        text: str,
        *,
        stdin: Stdin = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        on_output: OnOutput | None = None,
        dialect: str | None = None,
    ) -> Result:
        """Run a script on a thread while the loop goes on. Cancelling the task cancels the script.

        Commands of the host that are `async def` run on this loop.
        """
        from keysh.interp.engine.host_loop import calling_coroutine, host_coroutine_of, set_host  # noqa: PLC0415 - most scripts are only run
        from keysh.shell.async_run import await_run  # noqa: PLC0415 - most scripts are only run

        caller = host_coroutine_of(self.state.session)

        def run(loop: AbstractEventLoop, cancel: Cancel) -> Result:
            set_host(loop, caller)
            return self.run(
                text, stdin=stdin, env=env, cwd=cwd, timeout=timeout, cancel=cancel,
                on_output=on_output, dialect=dialect,
            )  # fmt: skip

        # What a coroutine of the host runs, a script waits for.
        is_urgent = calling_coroutine() is not None
        return await await_run(run, self.state.session, is_urgent=is_urgent)

    def stream(
        self, text: str, **options: Unpack[StreamOptions]
    ) -> AsyncGenerator[StreamPiece, None]:
        """Yield the output as it comes: `async for piece in sh.stream(text)`.

        That is a StdoutPiece or StderrPiece with its `text`, and at last a StreamEnd with the
        `result`; each is a tuple with its `kind` in front, "stdout", "stderr" or "end".
        """

        async def run(on_output: OnOutput) -> Result:
            return await self.arun(text, on_output=on_output, **options)

        from keysh.shell.async_run import stream_run  # noqa: PLC0415 - most scripts are only run
        from keysh.shell.host.stream_pieces import piece_of  # noqa: PLC0415 - as above

        return stream_run(run, piece_of)

    def start(self, text: str, **options: Unpack[RunOptions]) -> Job:
        """Run a script on a thread of its own; the job can be waited for and cancelled.

        The options are those of `run`.
        """
        from keysh.shell.async_run import Job  # noqa: PLC0415 - most scripts are only run

        return Job(self.run, text, dict(options))

    # ------------------------------------------------------------ looking at scripts and state

    def check(self, text: str) -> list[Diagnostic]:
        """Return what is wrong with a script, without running it.

        A script that cannot be read within the limits of a run has one diagnostic, E121.
        """
        text = script_text(text)
        state, source = self.state, self._source(text)
        try:
            return read_within(
                self._limits, source,
                lambda tick: self._scripts.diagnostics(state, parse(source, tick), tick),
            )  # fmt: skip
        except ScriptError as error:
            return error.diagnostics

    def plan(self, text: str) -> Plan:
        """Return what a script would run, without running it, and what rules decide about it.

        Raises ScriptError for bad syntax, and for a text that exceeds the limits of a run.
        """
        from keysh.shell.plan import Plan  # noqa: PLC0415 - most scripts are run

        source = self._source(script_text(text))
        plan = read_within(self._limits, source, lambda tick: Plan(parse(source, tick), tick))
        return plan.with_verdicts(self._options.all_rules, self)

    def _source(self, text: str) -> Source:
        """Return a text as it would be run."""
        state = self.state
        return Source(text, state.source_name, self._scripts.dialect_of(state, text))

    def add(self, function: Callable[..., Any], name: str = "") -> Command:
        """Add a command: a function whose signature and docstring declare it."""
        self._scripts.forget_all()
        return self.registry.add(function, name)

    @property
    def registry(self) -> CommandRegistry:
        """The commands."""
        return self._registry

    @property
    def fs(self) -> Router:
        """The files, as scripts see them."""
        runner = self._runner  # whose session has them judged from the first use on
        return self._files.router() if runner is None else runner.state.session.fs

    @property
    def state(self) -> State:
        """What scripts change, for the prompt; hosts have `vars`, `fs` and `cwd`."""
        return (self._runner or self._begin()).state

    def complete(self, text: str, at: int | None = None) -> list[Candidate]:
        """Return what the word before a position can become; the position defaults to the end.

        There is nothing for a text that exceeds the limits of a run, or 524,288 characters.
        """
        from keysh.shell.completion import complete  # noqa: PLC0415 - only prompts and editors ask

        text = script_text(text)
        state, at = self.state, len(text) if at is None else at
        try:
            return read_within(
                self._limits, self._source(text), lambda tick: complete(state, text, at, tick)
            )
        except ScriptError:
            return []

    @property
    def vars(self) -> Variables:
        """The variables, for reading and setting from Python."""
        from keysh.shell.host.host_variables import Variables  # noqa: PLC0415 - not every host looks

        return Variables(self.state, self._scripts.dialect_of(self.state, ""))

    @property
    def cwd(self) -> str:
        """The directory that scripts run in."""
        return self.state.cwd

    def attach(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Read from and write to streams of the host; results then hold no output."""
        (self._runner or self._begin()).attach(stdin, out, err)

    def switch(self, option: str, is_on: bool) -> None:
        """Turn an option on or off, as `set -o` does."""
        state = self.state
        state.flags = with_option(state.flags, option, is_on, state.dialect)

    def close(self) -> None:
        """End the jobs, and close the store and the files that scripts have left open."""
        try:
            self._stop()
        finally:
            if self._store is not None:
                self._store.close()
            self._options.close(self)

    def _stop(self) -> None:
        if self._runner is None:
            return
        state = self._runner.state
        state.session.end()
        try:
            # A program that writes to one of these ends when it is closed.
            close_streams([*state.descriptors.values(), *state.session.substitutions.values()])
        finally:
            if state.session.opened_programs is not None:
                state.session.opened_programs.close(keeps_left=state.session.keeps_disowned_jobs)

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    # ------------------------------------------------------------ the first run

    def _make_runner(self) -> Runner:
        """Make the state and what runs scripts on it, for the first script."""
        options, output, store = self._options, Output(), self._store
        user, cwd = self._files.user, options.cwd
        # Mistakes in the files show now. Without any a shell that uses none need not make them.
        if (cwd != "/" or self._files.are_given) and store is None and not self._files.has_factory:
            cwd = existing_directory(self.fs, "/", cwd)
        session = Session(
            self._files.router, self._registry, COMPILERS, SERVICES, self._limits,
            clock_in_nanoseconds(options.clock), RandomSource(options.random),
        )  # fmt: skip
        session.name = self._scripts.shell_name
        session.host = options
        out, err = Writer(output.put), Writer(output.put_error)
        state = State(session, NO_INPUT, out, err, cwd, options.env, options.args, options.name)
        state.dialect = self._scripts.dialect_of(state, "")
        user.state, user.has_seed = ref(state), options.random is not None
        if options.concern_host:
            options.connect(session, state, ref(self))
        if self._origin is not None:
            self._origin.begin_state(state)
        if store is not None:
            from keysh.shell.history.journal import Journal  # noqa: PLC0415 - few shells last
            from keysh.shell.store.opening import begin_session  # noqa: PLC0415 - as above
            from keysh.shell.store.stored_runner import StoredRunner  # noqa: PLC0415 - as above

            begin_session(store, state, self._files, cwd, self._scripts.dialect_name)
            runner: Runner = StoredRunner(
                state, output, self._limits, self._scripts, store, options.journal or Journal()
            )
            session.history = runner.journal
        else:
            runner = Runner(state, output, self._limits, self._scripts)
            if options.journal is not None:
                from keysh.shell.history.run_journal import RunJournal  # noqa: PLC0415 - most shells have none

                runner.journal = session.history = RunJournal(state, options.journal)
        self._runner = runner
        return runner


ShellSettings.make_shell, ShellSettings.make_engine = Shell, staticmethod(make_engine)


def run(text: str, **options: Unpack[ScriptOptions]) -> Result:
    """Run one script in a shell of its own, which sees nothing of the host."""
    given: dict[str, Any] = dict(options)
    run_options = {name: given.pop(name) for name in RUN_OPTION_NAMES if name in given}
    with Shell(**given) as shell:
        return shell.run(text, **run_options)
