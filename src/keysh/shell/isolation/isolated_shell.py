"""IsolatedShell: a Shell whose scripts run in a worker process, `Shell(isolated=True)`."""

from __future__ import annotations

from threading import get_ident
from time import perf_counter
from weakref import finalize, ref

from keysh.diagnostics.exceptions import KeyshError, refuse
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.exception_text import exception_text
from keysh.interp.run.limits import DEFAULT_LIMITS, Limits, finite_seconds, shorter_time
from keysh.shell.host.host_files import mounts_of
from keysh.shell.isolation.frames import FrameError, PipeClosed
from keysh.shell.isolation.host.host_calls import HostCalls
from keysh.shell.isolation.isolated_forks import IsolatedForks
from keysh.shell.isolation.isolated_history import IsolatedChanges
from keysh.shell.isolation.option_records import (
    contents_of,
    journal_as_json,
    options_as_json,
    rules_as_bytes,
    text_values,
)
from keysh.shell.isolation.result_records import result_of_record
from keysh.shell.isolation.run_turn import RunOutput, RunTurn, input_of_run, output_parts
from keysh.shell.isolation.session_state import SessionState
from keysh.shell.isolation.workers import Workers
from keysh.shell.registry import CommandRegistry
from keysh.shell.run_options import (
    RunSettings,
    ShellSettings,
    dialect_named,
    refuse_construction,
    refuse_text,
)
from keysh.shell.run_result import ReachedLimit, Result
from keysh.vfs.mounts import Mounts
from keysh.vfs.other_names import tree_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncGenerator, Callable, Mapping
    from typing import Any, Self, Unpack

    from keysh.interp.run.cancel import Cancel
    from keysh.schema.command import Command
    from keysh.shell.async_run import Job
    from keysh.shell.host.host_stdin import Stdin
    from keysh.shell.host.option_types import RunOptions, StreamOptions
    from keysh.shell.host.stream_pieces import StreamPiece
    from keysh.shell.isolation.worker_process import WorkerProcess
    from keysh.shell.plan import Plan
    from keysh.shell.run_options import OnOutput


# What the shell in the worker is made with, as JSON.
PASSED_OPTIONS = ("cwd", "env", "args", "name", "random")
# What stays with the host, which acts for the worker.
HOST_OPTIONS = (
    "external", "on_command", "rules", "on_ask", "clock", "on_event", "network", "audit",
    "on_progress", "tools",
)  # fmt: skip
NO_OPTIONS = {
    "cwd": "/", "env": None, "args": (), "name": "", "random": None, "external": False,
    **dict.fromkeys(HOST_OPTIONS[1:]), "journal": None, "tools": (),
}  # fmt: skip


class IsolatedShell(IsolatedForks):
    """A shell in a worker process, which may die: then its run fails, and the session goes on.

    It has the methods of `Shell`. Commands, file systems, programs, the network and questions are
    the host's, which the worker asks.
    """

    __module__ = "keysh"

    def __init__(
        self, make_shell: Callable[..., Any], workers: Workers | None, fs: Any = None, *,
        image: bytes | None = None, limits: Limits | None = None,
        commands: Any = (), check: Any = True, files: Any = None, dialect: str | None = None,
        **options: Any,
    ) -> None:  # fmt: skip
        if options.pop("store", None):
            fix = (
                "keep shell.snapshot() after a run, and go on with Shell.restore(…, isolated=True)"
            )
            raise ValueError(f"an isolated shell has no store: {fix}")
        for name in options.keys() - {*PASSED_OPTIONS, *HOST_OPTIONS, "journal"}:
            raise TypeError(f"Shell has no option {name!r}")
        refuse_construction(None, limits, files, commands, check, None)
        dialect_named(dialect)
        passed = {name: options[name] for name in PASSED_OPTIONS if name in options}
        self._host_options = ShellSettings(**{**NO_OPTIONS, **options})
        self._limits, self._registry = limits or DEFAULT_LIMITS, CommandRegistry()
        self._host_options.add_commands(self, self._registry, commands)
        source = fs() if callable(fs) else fs
        self._mounts = {} if source is None else mounts_of(source)
        self._options = {
            "limits": limits, "check": check, "dialect": dialect, **options,
            "audit": self._host_options.audit, "tools": self._host_options.tools or (),
        }  # fmt: skip
        clock = options.get("clock")
        this = ref(self)
        self._make_shell, self._has_own_workers = make_shell, workers is None
        calls = HostCalls(
            make_shell, self._registry, self._mounts, self._limits, self._host_options,
            lambda: plan_of_run(this()),
        )  # fmt: skip
        rules = rules_as_bytes(self._host_options)
        record = {
            "limits": {name: getattr(self._limits, name) for name in Limits.__slots__},
            "options": {
                "check": check if isinstance(check, bool) else dict(check), "dialect": dialect,
                **options_as_json(passed),
            },
            "mounts": tree_places(Mounts(self._mounts)) if rules else dict.fromkeys(self._mounts),
            "clock": True if callable(clock) else clock,
            "journal": journal_as_json(self._host_options.journal),
        }  # fmt: skip
        state = SessionState(record, contents_of(files), self._limits, calls, rules)
        if image is not None:
            state.keep_image(image)
        super().__init__(state, workers or Workers(1), calls)
        self._text = ""  # of the run in progress
        self._finalizer = finalize(self, drop_state, state)

    # ------------------------------------------------------------ running

    def run(
        self, text: str, *, stdin: Stdin = None, env: Mapping[str, str] | None = None,
        cwd: str | None = None, timeout: float | None = None, cancel: Cancel | None = None,
        on_output: OnOutput | None = None, dialect: str | None = None,
    ) -> Result:  # fmt: skip
        """Run a script in a worker. Failures are in the result, also those of the worker."""
        refuse_text(text)
        options = RunSettings(stdin, env, cwd, timeout, cancel, on_output, dialect)
        options.refuse_wrong_types()
        if self._thread == get_ident():
            assert self._worker is not None
            if self._is_held:
                raise KeyshError("no script runs while this thread makes a recording")
            return self._run_in(self._worker, text, options, None, is_nested=True)
        turn = RunTurn(timeout)
        if cancel is not None:
            cancel.begin(turn)  # type: ignore[arg-type]  # what it needs of a budget
        try:
            with turn:
                turn.wait_for(self._turn)
                try:
                    return self._run_in_turn(text, options, turn)
                finally:
                    self._turn.release()
        except LimitReached as limit:
            return result_of_limit(limit)
        finally:
            if cancel is not None:
                cancel.end(turn)  # type: ignore[arg-type]

    def _run_in_turn(self, text: str, options: RunSettings, turn: RunTurn) -> Result:
        worker = self._enter(turn)
        is_lost = True
        try:
            self._save_changes(worker)
            left = shorter_time(finite_seconds(self._limits.seconds), turn.seconds_left())
            turn.use(worker, self._calls)
            result = self._run_in(worker, text, options, left)
            is_lost = False
        except PipeClosed as lost:
            raise self._limit_of_loss(lost) from None
        except FrameError as error:
            raise self._limit_of_loss(error) from None
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            is_lost = False
            raise
        finally:
            turn.leave()
            self._leave(worker, is_lost=is_lost)
        return result

    def _run_in(
        self, worker: WorkerProcess, text: str, options: RunSettings, seconds: float | None, *,
        is_nested: bool = False,
    ) -> Result:  # fmt: skip
        """Run a text in a worker that holds the shell."""
        began, calls = perf_counter(), self._calls
        output = RunOutput(options.on_output, self._limits.output, worker)
        streams = options.on_output is not None
        pieces, data, kind = input_of_run(options.stdin)
        record = {
            "text": text, "cwd": options.cwd, "timeout": options.timeout if is_nested else seconds,
            "env": None if options.env is None else text_values(options.env), "stdin": kind,
            "dialect": None if options.dialect is None else options.dialect.name,
            "streams": streams, "wants_image": not is_nested,
            "items": getattr(text, "request", None),
        }  # fmt: skip
        if is_nested:
            outer = calls.stdin, worker.peer.on_output, calls.bridge.error
        else:
            outer = None, None, None
            self._begin_use(worker, seconds)
            self._begin_run(text)
            worker.runs += 1
            self._workers.count("runs")
        calls.stdin, worker.peer.on_output, calls.bridge.error = pieces, output.put, None
        try:
            answer, content = self._answer_of_run(worker, record, data)
            out, err, image = output_parts(answer, content)
            if streams:
                out, err = output.texts()
            result = result_of_record(answer, out, err, (perf_counter() - began) * 1e3)
            result.error = calls.bridge.error or output.error
        finally:
            calls.stdin, worker.peer.on_output, calls.bridge.error = outer
        if output.error is not None:
            limit = LimitReached("on_output", exception_text(output.error), None, 1)
            result.code, result.limit = limit.status, ReachedLimit(limit)
        if not is_nested:
            if "changes" in answer:
                self._note_entry(result, answer)
            result.unenforced = calls.bridge.unenforced
            if calls.programs is not None:
                calls.programs.end_run(is_limited=result.limit is not None)
            state = self._state
            if image:
                state.keep_image(image)
            else:
                state.is_stale = True
                state.lost_runs += answer.get("changed") is True
        return result

    def _note_entry(self, result: Result, answer: dict[str, Any]) -> None:
        """Note the run as the last one of the history."""
        number: Any = answer.get("entry")
        self._state.note_entry(number)
        result.changes = IsolatedChanges(number, answer["changes"], self._diff)  # type: ignore[assignment]

    def _begin_run(self, text: str) -> None:
        self._text, calls = text, self._calls
        calls.is_run, calls.bridge.unenforced = True, ()
        if calls.decisions is not None:
            calls.decisions.grants.begin_run()

    def _answer_of_run(
        self, worker: WorkerProcess, record: dict[str, Any], data: bytes
    ) -> tuple[Any, bytes]:
        """Return the answer to a run, of which only a bad directory is an exception."""
        try:
            return worker.peer.request("run", record, data)
        except OSError:
            if record["cwd"] is None:
                raise FrameError("an error of a run that has none") from None
            raise
        except (PipeClosed, FrameError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, no run answers with it
            raise FrameError(f"an error of a run: {exception_text(error)}") from None

    async def arun(
        self, text: str, *, stdin: Stdin = None, env: Mapping[str, str] | None = None,
        cwd: str | None = None, timeout: float | None = None,
        on_output: OnOutput | None = None, dialect: str | None = None,
    ) -> Result:  # fmt: skip
        """Run a script while the event loop goes on, as `Shell.arun` does."""
        from keysh.interp.engine.host_loop import set_host  # noqa: PLC0415 - most scripts are only run
        from keysh.shell.async_run import await_run  # noqa: PLC0415 - most scripts are only run

        def run(loop: AbstractEventLoop, cancel: Cancel) -> Result:
            set_host(loop, None)
            return self.run(
                text, stdin=stdin, env=env, cwd=cwd, timeout=timeout, cancel=cancel,
                on_output=on_output, dialect=dialect,
            )  # fmt: skip

        return await await_run(run, self)

    def stream(self, text: str, **options: Unpack[StreamOptions]) -> AsyncGenerator[StreamPiece]:
        """Yield the output as it comes, then the result, as `Shell.stream` does."""

        async def run(on_output: OnOutput) -> Result:
            return await self.arun(text, on_output=on_output, **options)

        from keysh.shell.async_run import stream_run  # noqa: PLC0415 - most scripts are only run
        from keysh.shell.host.stream_pieces import piece_of  # noqa: PLC0415 - as above

        return stream_run(run, piece_of)

    def start(self, text: str, **options: Unpack[RunOptions]) -> Job:
        """Run a script on a thread of its own; the job can be waited for and cancelled."""
        from keysh.shell.async_run import Job  # noqa: PLC0415 - most scripts are only run

        return Job(self.run, text, dict(options))

    # ------------------------------------------------------------ its life

    def plan(self, text: str) -> Plan:
        """Return what a script would run, as `Shell.plan` does.

        The text is read in this process, so that no worker has a say in the plan.
        """
        return self._plan_of_text(text).with_verdicts(self._host_options.all_rules, self)

    def _plan_of_text(self, text: str) -> Plan:
        with self._make_shell(limits=self._limits, dialect=self._options["dialect"]) as reader:
            plan: Plan = reader.plan(text)
        return plan

    def add(self, function: Callable[..., Any], name: str = "") -> Command:
        """Add a command of the host, which scripts in the worker call."""
        declared = self._registry.add(function, name)
        name = name or declared.name
        style = self._calls.command_styles()[name]
        self._request("add", {"name": name, "style": style})
        return declared

    @property
    def registry(self) -> CommandRegistry:
        """The commands of the host."""
        return self._registry

    def fork(self, share: Any = ()) -> IsolatedShell:
        """Return a second shell that begins where this one is, and changes nothing here."""
        from keysh.shell.history.fork_base import independent_view  # noqa: PLC0415 - few hosts ask

        for point in share:
            if point not in self._mounts:
                raise ValueError(f"nothing of the host is mounted at {point}")
        mounts = {
            point: fs if point in share else independent_view(fs, None)
            for point, fs in self._mounts.items()
        }
        image = self.snapshot()
        twin = IsolatedShell(
            self._make_shell, None if self._has_own_workers else self._workers, mounts or None,
            image=image, **self._options,
        )  # fmt: skip
        twin._registry.take_over(self._registry)
        twin._note_origin(self, image, self._mounts, share)
        return twin

    def close(self) -> None:
        """End the shell, its jobs, and its worker if that is its own."""
        self._finalizer.detach()
        close_state(self._state)
        if self._has_own_workers:
            self._workers.close()
        else:
            self._workers.forget(self._state)
        self._calls.end()
        self._host_options.close(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError("a Shell is not pickled; send shell.snapshot(), and Shell.restore it there")

    def __deepcopy__(self, memo: dict[int, object]) -> IsolatedShell:
        return self.fork()


def isolated_shell(
    make_shell: Callable[..., Any], isolated: object, fs: Any, options: dict[str, Any]
) -> IsolatedShell:
    """Return the shell that `Shell(isolated=…)` means: True, or the pool of its worker."""
    if isolated is not True and not isinstance(isolated, Workers):
        refuse("isolated", "True or a keysh.Pool", isolated, "isolated=True")
    return IsolatedShell(
        make_shell, isolated if isinstance(isolated, Workers) else None, fs, **options
    )


def close_state(state: SessionState) -> None:
    """Let a session that is closed keep nothing."""
    state.is_closed, state.image = True, None


def drop_state(state: SessionState) -> None:
    """End a session that nobody has any more, without waiting."""
    close_state(state)
    if state.calls.programs is not None:
        state.calls.programs.drop()


def plan_of_run(shell: IsolatedShell | None) -> Any:
    """Return the plan of the script that a shell runs."""
    return None if shell is None else shell._plan_of_text(shell._text)


def result_of_limit(limit: LimitReached) -> Result:
    """Return the result of a run that has none of its own."""
    return Result(limit.status, [], [f"keysh: {limit.message}\n"], 0.0, ReachedLimit(limit))
