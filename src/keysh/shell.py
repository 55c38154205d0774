"""Shell: runs scripts. It wires the file system, the commands, the checker and the compiler."""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from errno import ENOTDIR
from time import perf_counter

from keysh.check.checker import check
from keysh.compile.compiler import Compiler
from keysh.compile.kept import Kept
from keysh.errors import ScriptError
from keysh.output import Output
from keysh.registry import Known, Registry
from keysh.result import Reached, Result
from keysh.running import Job, awaited, streamed
from keysh.runtime.call import described
from keysh.runtime.descriptors import NOTHING, TextStream
from keysh.runtime.jobs import Jobs
from keysh.runtime.limits import DEFAULT, OTHER, Budget, Limits
from keysh.runtime.options import ASKS_HOST, BITS
from keysh.runtime.redirects import close_all, restore, saved
from keysh.runtime.scripts import finder
from keysh.runtime.services import Services
from keysh.runtime.session import Session
from keysh.runtime.signals import Aborted, Exit, Gone, LoopLeave, Return, Stopped, too_deep
from keysh.runtime.site import tell
from keysh.runtime.state import ABSENT, EXPORTED, State, put_back
from keysh.runtime.strand import apart, deeper, is_deep, on_fresh_stack, within
from keysh.runtime.streams import Reader, Writer
from keysh.runtime.surrounding import Surrounding, settle
from keysh.runtime.traps import run_exit_trap
from keysh.runtime.waiting import LOOP, guest_of, host, wait_for_turn
from keysh.source import Source
from keysh.standing import asking, chance_of, clock_of, file_system, input_of, opened
from keysh.syntax.parser import parse
from keysh.variables import Variables
from keysh.vfs.api import failure
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any, TypeAlias

    from keysh.completion import Candidate
    from keysh.diagnostics import Diagnostic
    from keysh.plan import Plan
    from keysh.programs.door import Door
    from keysh.runtime.limits import Cancel
    from keysh.runtime.network import Network
    from keysh.runtime.session import Body
    from keysh.schema.declare import Command
    from keysh.standing import Contents, Stdin
    from keysh.syntax.ast import Script
    from keysh.vfs.api import FileSystem, Stream
    from keysh.vfs.router import Router

    OnOutput: TypeAlias = Callable[[str, str], object]
    # The status, the limit that was reached, what the check says, whether it refused.
    Ended: TypeAlias = tuple[int, Reached | None, list[Diagnostic], bool]

COMPILER = Compiler()
SERVICES = Services()
MOST_TOLD = 5  # diagnostics of one script
RUN_OPTIONS = ("stdin", "timeout", "cancel", "on_output")


class Shell:
    """A shell. What a script changes stays for the next one: variables, functions, files, cwd.

        sh = Shell(files={"/in.txt": "b\\na\\n"})
        sh.run("sort /in.txt").stdout

    By itself it sees nothing of its host: files are in memory, the environment is empty, no program
    runs. Scripts of one shell run one at a time; a call from within a host's command runs inside.
    """

    __slots__ = (
        "__weakref__", "_checks", "_fs", "_given_fs", "_limits", "_output", "_ready",
        "_messages", "_registry", "_running", "_session", "_settings", "_state",
    )  # fmt: skip

    def __init__(
        self,
        fs: FileSystem | Mapping[str, FileSystem] | None = None,
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
        self._given_fs = fs
        self._fs: Router | None = None
        self._limits = limits or DEFAULT
        self._registry: Registry | None = None
        self._session: Session | None = None
        self._state: State | None = None
        self._output: Output | None = None
        self._messages: Writer | None = None
        self._checks = check
        self._ready = Kept()  # the texts that are right
        self._running: Any = None
        self._settings: Any = (
            files, cwd, env, args, name, external, on_command, clock, random, on_event,
            network,
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
        state = self._state or self._begun()
        session = state.session
        if session.threads:
            options = (text, stdin, env, cwd, timeout, on_output)
            if get_ident() in session.threads:
                return self._run_inside(session.threads[get_ident()], *options)
            if (guest := guest_of(session)) is not None:
                wait_for_turn(guest.turn, guest.state.budget)
                try:
                    return within(
                        session, guest.state, lambda: self._run_inside(guest.state, *options)
                    )
                finally:
                    guest.turn.release()
        budget = Budget(self._limits, timeout)
        if cancel is not None:
            cancel.begin(budget)
            budget.ends_early = True
        try:
            if budget.is_cancelled:
                budget.look()
            if not self._running.acquire(blocking=False):
                wait_for_turn(self._running, budget)
            try:
                return self._run_outside(state, budget, text, stdin, env, cwd, on_output)
            finally:
                self._running.release()
        except Stopped as stopped:  # before its turn
            return Result(
                stopped.status, [], [f"keysh: {stopped.message}\n"], 0.0, Reached(stopped)
            )
        finally:
            if cancel is not None:
                cancel.end(budget)

    def _run_outside(
        self,
        state: State,
        budget: Budget,
        text: str,
        stdin: Stdin,
        env: Mapping[str, str] | None,
        cwd: str | None,
        on_output: OnOutput | None,
    ) -> Result:
        """Run a text for the host, whose turn it is."""
        session, output = state.session, self._output
        assert output is not None
        began = perf_counter()
        session.threads[get_ident()] = state
        session.host_loop = LOOP.get()
        session.runs += 1
        output.begin(self._limits.output, on_output)
        state.budget = budget
        try:
            if is_deep():
                ended = on_fresh_stack(state, lambda: self._run_apart(state, text, stdin, env, cwd))
            elif stdin is not None or env is not None or cwd is not None:
                ended = self._run_apart(state, text, stdin, env, cwd)
            else:
                ended = self._run_text(state, text)
        except BaseException:
            settle(state)
            raise
        finally:
            del session.threads[get_ident()]
        code, limit, diagnostics, rejected = ended
        if limit is not None:
            session.jobs.stop(session.runs)
            settle(state)
        duration = (perf_counter() - began) * 1e3
        error, session.error = session.error or output.error, None
        return Result(
            code, output.out, output.err, duration, limit, diagnostics, error, rejected=rejected
        )

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

        state = self._state or self._begun()
        guest = guest_of(state.session)

        def run(loop: AbstractEventLoop, cancel: Cancel) -> Result:
            host(loop, guest)
            return self.run(
                text, stdin=stdin, env=env, cwd=cwd, timeout=timeout, cancel=cancel,
                on_output=on_output,
            )  # fmt: skip

        return await awaited(run)

    def stream(self, text: str, **options: Any) -> AsyncIterator[tuple[str, Any]]:
        """The output as it comes: `async for kind, piece in sh.stream(text)`.

        `kind` is "stdout" or "stderr", and last "end" with the Result. The options are `arun`'s.
        """

        async def run(on_output: OnOutput) -> Result:
            return await self.arun(text, on_output=on_output, **options)

        return streamed(run)

    def start(self, text: str, **options: Any) -> Job:
        """Run a script on a thread of its own; what is answered can be waited for and cancelled.

        The options are those of `run`.
        """
        return Job(self.run, text, options)

    def _run_apart(
        self,
        state: State,
        text: str,
        stdin: Stdin,
        env: Mapping[str, str] | None,
        cwd: str | None,
    ) -> Ended:
        """Run a text with streams, variables or a directory of its own, for this time."""
        before, descriptor, place = state.stdin, state.descriptors.get(0), state.cwd
        given = dict(env or {})
        names = set(given)
        if cwd is not None:
            cwd = given["PWD"] = directory(state, cwd)
            names |= {"PWD", "OLDPWD"}
        kept = [
            (name, state.variables.get(name, ABSENT), state.attributes.get(name, 0))
            for name in names
        ]
        if stdin is not None:
            state.set_stdin(Reader(input_of(stdin, state)))
        for name, value in given.items():
            # Not by its attributes: the host's word holds even for what a script made readonly.
            state.variables[name], state.attributes[name] = value, EXPORTED
        if cwd is not None:
            state.cwd = cwd
        try:
            return self._run_text(state, text)
        finally:
            if stdin is not None:
                state.stdin = before
                if descriptor is not None:
                    state.descriptors[0] = descriptor
            if cwd is not None:
                state.cwd = place
            for name, value, bits in kept:
                put_back(state, name, value, bits)

    def _run_inside(
        self,
        state: State,
        text: str,
        stdin: Stdin,
        env: Mapping[str, str] | None,
        cwd: str | None,
        timeout: float | None,
        on_output: OnOutput | None,
    ) -> Result:
        """Run a text for a host's command that this shell runs: state and budget are shared."""
        session, shared, messages = state.session, self._output, self._messages
        assert shared is not None
        began = perf_counter()
        output = Output()
        output.begin(self._limits.output, on_output)
        output.size = shared.size
        streams, around = saved(state), Surrounding(state)
        outer_error, session.error = session.error, None
        state.set_streams(state.stdin, Writer(output.put), Writer(output.put_error))
        self._messages = state.err
        deadline = state.budget.tighten(timeout)
        try:
            ended = deeper(state, lambda: self._run_apart(state, text, stdin, env, cwd))
        finally:
            state.budget.loosen(deadline)
            self._messages = messages
            restore(state, streams)
            around.put_back(state)
            shared.size = output.size
            error, session.error = session.error, session.error or outer_error
        code, limit, diagnostics, rejected = ended
        if limit is not None:
            state.budget.look()  # the run around may have to end too
        duration = (perf_counter() - began) * 1e3
        error = error or output.error
        return Result(
            code, output.out, output.err, duration, limit, diagnostics, error, rejected=rejected
        )

    def _run_text(self, state: State, text: str) -> Ended:
        """Run a text; how it has ended."""
        body = self._ready.get(text)
        diagnostics: list[Diagnostic] = []
        if body is None:
            try:
                body, diagnostics, refused = self._prepared_somewhere(state, text)
            except ScriptError as error:
                body, diagnostics, refused = None, error.diagnostics, True
            if diagnostics:
                self._tell(state, diagnostics)
            if body is None or refused:
                state.status = 2
                return 2, None, diagnostics, True
        limit: Reached | None = None
        try:
            status = body(state)
        except Exit as left:
            status = left.status
            state.session.has_left = not isinstance(left, Aborted)
        except Return as left:
            status = left.status
        except LoopLeave as left:
            status = left.status
        except Gone:
            status = 141
        except Stopped as stopped:
            return self._stopped(state, stopped), Reached(stopped), diagnostics, False
        except RecursionError:
            deep = too_deep()
            return self._stopped(state, deep), Reached(deep), diagnostics, False
        except Exception as error:  # noqa: BLE001 - what a host's objects raise is for the host
            state.session.error = error
            settle(state)
            state.err.write(f"keysh: {described(error)}\n")
            status = 1
        if "EXIT" in state.traps and not self._waits_for_exit(state):
            try:
                status = run_exit_trap(state, status)
            except Stopped as stopped:
                return self._stopped(state, stopped), Reached(stopped), diagnostics, False
        state.status = status
        state.is_tested = state.loops = 0
        return status, limit, diagnostics, False

    def _waits_for_exit(self, state: State) -> bool:
        """Whether more lines follow at a prompt, so that the shell does not end with this one."""
        return state.session.is_interactive and not state.session.has_left

    def _stopped(self, state: State, stopped: Stopped) -> int:
        """Say which limit has ended the run; the state is fit for the next one."""
        state.status = stopped.status
        if not self._waits_for_exit(state):
            state.traps.pop("EXIT", None)  # it was for this run
        assert self._output is not None
        self._output.most = None  # what has ended the run is told in any case
        is_told = stopped.kind != "cancelled" or not state.session.is_interactive
        if self._messages is not None and is_told:
            self._messages.write(f"keysh: {stopped.message}\n")
        return stopped.status

    def _tell(self, state: State, diagnostics: list[Diagnostic]) -> None:
        """Print what the check says: five at most, errors before warnings."""
        ordered = sorted(diagnostics, key=lambda one: one.severity != "error")
        for diagnostic in ordered[:MOST_TOLD]:
            tell(state, diagnostic)
        if len(ordered) > MOST_TOLD:
            state.err.write(f"keysh: {len(ordered) - MOST_TOLD} more\n")

    def _prepared_somewhere(self, state: State, text: str) -> tuple[Body, list[Diagnostic], bool]:
        """The same as `_prepared`, whatever is left of the stack."""
        try:
            return self._prepared(state, text)
        except RecursionError:
            return apart(lambda: self._prepared(state, text))

    def _prepared(self, state: State, text: str) -> tuple[Body, list[Diagnostic], bool]:
        """A text, checked and compiled; what the check says; whether it refuses."""
        diagnostics: list[Diagnostic] = []
        script = None
        if self._checks is not False:
            script = parse(Source(text, state.source_name))
            diagnostics = self._diagnostics(state, script)
            if any(one.severity == "error" for one in diagnostics):
                return nothing, diagnostics, True
        body = COMPILER.script(text, state.source_name, script)
        if not diagnostics:
            self._ready.keep(text, body)
        return body, diagnostics, False

    def _diagnostics(self, state: State, script: Script) -> list[Diagnostic]:
        """What the checker says of a script, given what this shell has already."""
        severities = {} if self._checks in (True, False) else self._checks
        more = [*state.functions, *state.aliases]
        known = Known(self.registry, more, state.session.has_programs, finder(state))
        functions = {name: found.node for name, found in state.functions.items()}
        return check(
            script, known, severities=severities, variables=state.variables, functions=functions  # type: ignore[arg-type]
        )  # fmt: skip

    # ------------------------------------------------------------ what a host sees

    def check(self, text: str) -> list[Diagnostic]:
        """What is wrong with a script, without running it."""
        state = self._state or self._begun()
        try:
            return self._diagnostics(state, parse(Source(text, state.source_name)))
        except ScriptError as error:
            return error.diagnostics

    def plan(self, text: str) -> Plan:
        """What a script would run, without running it; raises ScriptError for what is no script."""
        from keysh.plan import Plan  # noqa: PLC0415 - most scripts are run

        return Plan(parse(Source(text, (self._state or self._begun()).source_name)))

    def add(self, function: Callable[..., Any], name: str = "") -> Command:
        """Make a function a command; it is declared by its signature and docstring."""
        self._ready.clear()
        return self.registry.add(function, name)

    @property
    def registry(self) -> Registry:
        """The commands."""
        if self._registry is None:
            self._registry = Registry()
        return self._registry

    @property
    def fs(self) -> Router:
        """The files, as the scripts see them."""
        if self._fs is None:
            self._fs = file_system(
                self._given_fs, self._settings[0], self._limits, self._stream, self._full
            )
        return self._fs

    @property
    def state(self) -> State:
        """What the scripts change, as the prompt looks at it; hosts have `vars`, `fs` and `cwd`."""
        return self._state or self._begun()

    def complete(self, text: str, at: int | None = None) -> list[Candidate]:
        """What the word before a place in a text can become; the place is its end by itself."""
        from keysh.completion import complete  # noqa: PLC0415 - only prompts and editors ask

        return complete(self._state or self._begun(), text, len(text) if at is None else at)

    @property
    def vars(self) -> Variables:
        """The variables, to be read and set from Python."""
        return Variables(self._state or self._begun())

    @property
    def cwd(self) -> str:
        """The directory that scripts run in."""
        return (self._state or self._begun()).cwd

    def attach(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Read from and write to streams of the host: nothing is kept for the results then."""
        state = self._state or self._begun()
        state.set_streams(stdin, out, err)
        self._messages = err

    def switch(self, option: str, is_on: bool) -> None:
        """Turn an option on or off, as `set -o` does."""
        state = self._state or self._begun()
        state.flags = state.flags | BITS[option] if is_on else state.flags & ~BITS[option]

    def close(self) -> None:
        """End the jobs, and close the files that the scripts have left open."""
        if self._session is not None:
            self._session.jobs.stop()
            if self._session.opened_door is not None:
                self._session.opened_door.close()
        if self._state is not None:
            close_all(self._state)

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

    def _begun(self) -> State:
        """The state, made when it is first needed."""
        (
            _, cwd, env, args, name, external, on_command, clock, seed, on_event, network,
        ) = self._settings  # fmt: skip
        output = self._output = Output()
        session = self._session = Session(
            self.fs, self.registry, COMPILER, SERVICES, Jobs(), self._limits, clock_of(clock),
            chance_of(seed),
        )  # fmt: skip
        self._running = allocate_lock()
        out, err = Writer(output.put), Writer(output.put_error)
        self._messages = err
        state = State(session, NOTHING, out, err, cwd, env, args, name)
        session.on_event = on_event
        if on_command is not None:
            session.ask = asking(on_command)
            state.flags |= ASKS_HOST
        if network:
            session.network = network if network is True else opened(network)
        if external:
            session.open_door = lambda: door_of(external)
            if external is not True:
                session.opened_door = session.open_door()  # it may be none, which is told now
        self._state = state
        return state

    def _stream(self, number: int) -> Stream | None:
        """What /dev/stdin and its kin lead to."""
        state = self._state
        if state is None:
            return None
        found = state.descriptors.get(number) or state.session.substitutions.get(number)
        return None if found is None else TextStream(found)

    def _full(self, kind: str, used: int, allowed: int) -> Stopped | None:
        """What ends a script that fills the shell's own memory; a host sees a full disk."""
        is_script = self._session is not None and get_ident() in self._session.threads
        return Stopped(kind, used, allowed, OTHER) if is_script else None


def directory(state: State, path: str) -> str:
    """A directory that a run is to be in; FileNotFoundError where there is none."""
    place = join(state.cwd, path)
    if not state.fs.stat(place, follow=True).is_directory:
        raise failure(ENOTDIR, path)
    return place


def door_of(external: object) -> Door:
    """The door to real programs that a host asks for."""
    from keysh.programs import programs_of  # noqa: PLC0415 - brings in processes

    return programs_of(external)


def nothing(state: State) -> int:
    """The body of a script that is refused."""
    return 2


def run(text: str, **options: Any) -> Result:
    """Run one script in a shell of its own, which sees nothing of the host.

    The options are those of `Shell`, and those of `Shell.run`.
    """
    mine = {name: options.pop(name) for name in RUN_OPTIONS if name in options}
    with Shell(**options) as shell:
        return shell.run(text, **mine)
