"""Run texts on the state of a shell, one at a time, for its host and for its commands."""

from __future__ import annotations

import sys
from _thread import get_ident
from functools import partial
from os import getpid
from time import perf_counter, thread_time

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.engine.endings import (
    SUCCESS,
    limit_or_report,
    measure_memory,
    reset_for_next_run,
    run_to_end,
)
from keysh.interp.engine.services import is_host_stack_deep
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import Exit, LimitReached, Refused, ScriptAborted
from keysh.interp.state.scope import restore_variable
from keysh.interp.state.session import RUNS_PER_LOOK
from keysh.interp.streams.streams import Writer
from keysh.interp.variables.variable import EXPORTED
from keysh.shell.lazy_files import existing_directory
from keysh.shell.output import Output
from keysh.shell.run_options import DEFAULT_RUN_SETTINGS, script_text
from keysh.shell.run_result import ReachedLimit, Result
from keysh.shell.script_cache import HostWork, cache_key
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias, TypeVar

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.closures import Body
    from keysh.interp.run.limits import Limits
    from keysh.interp.run.turn import Turn
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader
    from keysh.shell.history.run_journal import RunJournal
    from keysh.shell.run_options import RunSettings
    from keysh.shell.script_cache import ScriptCache

    T = TypeVar("T")
    # The status, the limit that was reached, what the check says, whether that rejected the
    # script, the refusal that ended the run.
    Ended: TypeAlias = tuple[int, ReachedLimit | None, list[Diagnostic], bool, Diagnostic | None]

HOST_LOOP_MODULE = "keysh.interp.engine.host_loop"
BUSY_AT_FORK = "the shell was busy when the process forked"


class Runner:
    """Runs texts on one state, within limits; `scripts` compiles them."""

    __slots__ = (
        "_limits", "_output", "_process", "_scripts", "_standard", "_turn", "journal",
        "messages", "state",
    )  # fmt: skip

    def __init__(self, state: State, output: Output, limits: Limits, scripts: ScriptCache) -> None:
        self.state, self._output, self._limits = state, output, limits
        self._scripts = scripts
        self._process = getpid()
        self._turn: Turn = {}  # which the threads of the host take
        self.journal: RunJournal | None = None
        self.messages = state.err  # gets the message of a limit that ends a run
        self._standard = state.standard_descriptors()

    def __del__(self) -> None:
        """End the jobs of a shell that its host has dropped."""
        session = self.state.session
        session.is_closed = True
        if session.has_jobs:
            session.stop_jobs()

    def attach(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Read from and write to streams of the host."""
        self.state.set_streams(stdin, out, err)
        self.messages = err
        self._standard = self.state.standard_descriptors()

    def between_runs(self, work: Callable[[], T]) -> T:
        """Do something while no run may begin; raise KeyshError if one is in progress."""
        me = self.take_turn()
        try:
            return work()
        finally:
            try:
                self.leave_turn(me)
            finally:
                self._turn.pop(me, None)  # if the call above was interrupted

    def take_turn(self) -> object:
        """Let no run begin until `leave_turn`; raise KeyshError if one is in progress."""
        from keysh.interp.run.turn import take_turn  # noqa: PLC0415 - only between runs

        if (me := take_turn(self._turn)) is None:
            raise KeyshError("a run of this shell is in progress")
        return me

    def leave_turn(self, me: object) -> None:
        """Let the next run begin; `me` is what `take_turn` returned."""
        self._turn.pop(me, None)
        if self._turn:
            self._wake_next()

    def _wake_next(self) -> None:
        from keysh.interp.run.turn import wake_next  # noqa: PLC0415 - only where one run waits for another

        wake_next(self._turn)

    def run(self, text: str, options: RunSettings) -> Result:
        """Run a text: at once if a run of this shell calls, else after the run before it."""
        if text.__class__ is not str and text.__class__ is not HostWork:
            text = script_text(text)
        if options is not DEFAULT_RUN_SETTINGS:
            options.refuse_wrong_types()
        state, session = self.state, self.state.session
        if session.threads:
            from keysh.interp.engine.host_loop import host_coroutine_of, run_nested  # noqa: PLC0415 - rare

            if get_ident() in session.threads:
                return self._run_inside(session.threads[get_ident()], text, options)
            if (caller := host_coroutine_of(session)) is not None:
                return run_nested(caller, lambda: self._run_inside(caller.state, text, options))
        cancel, turn = options.cancel, self._turn
        budget = Budget(self._limits, options.timeout)
        if cancel is not None:
            cancel.begin(budget)
            budget.ends_early = True
        try:
            if budget.is_cancelled:
                budget.check()
            try:
                turn[budget] = None
                if len(turn) > 1:
                    if self._process != getpid():  # its run goes on in another process
                        raise LimitReached("fork", BUSY_AT_FORK, None)
                    from keysh.interp.run.turn import wait_for_turn  # noqa: PLC0415 - only where one run waits for another

                    wait_for_turn(turn, budget, budget)
                if self.journal is not None:
                    return self._run_with_journal(self.journal, budget, text, options)
                return self._run_alone(state, budget, text, options)
            finally:
                turn.pop(budget, None)
                if turn:
                    self._wake_next()
        except LimitReached as limit:  # before its turn
            if limit.struck is not None:  # of the run around, whose command of the host calls
                raise
            return Result(limit.status, [], [f"keysh: {limit.message}\n"], 0.0, ReachedLimit(limit))
        finally:
            if cancel is not None:
                cancel.end(budget)

    def _run_with_journal(
        self, journal: RunJournal, budget: Budget, text: str, options: RunSettings
    ) -> Result:
        """Run a text for the host, and note what it changes."""
        journal.begin(text)
        result = None
        try:
            result = self._run_alone(self.state, budget, text, options)
        finally:
            journal.end(result)
        return result

    def _run_alone(self, state: State, budget: Budget, text: str, options: RunSettings) -> Result:
        """Run a text for the host once no other run of this shell is active."""
        session, output = state.session, self._output
        if session.kept_memory:
            from keysh.interp.state.kept_memory import limit_growth  # noqa: PLC0415 - few shells keep much

            limit_growth(state, budget)
        began, thread = perf_counter(), get_ident()
        # A waiting host has loaded the module; loading it here would bring in contextvars.
        session.host_loop = waiting_host_loop() if HOST_LOOP_MODULE in sys.modules else None
        session.runs += 1
        output.begin(self._limits.output, options.on_output)
        # With the budget of this run, or the watchdog would find the end of the one before. Nothing
        # stands between this and the `try`: an interrupt would leave the thread in the table.
        state.budget = budget
        session.threads[thread] = state
        try:
            if not session.is_watched:
                session.watch(budget)
            if is_host_stack_deep():
                from keysh.interp.engine.thread_handoff import on_fresh_stack  # noqa: PLC0415 - only where the host has used most of the stack

                ended = on_fresh_stack(state, lambda: self._run_with_options(state, text, options))
            elif options.changes_state:
                ended = self._run_with_options(state, text, options)
            else:
                ended = self._run_text(state, text, None)
            if session.substitutions:
                ended = self._end_substitutions(state, ended)
        except LimitReached as reached:  # of the watchdog, in what follows the script
            ended = self._end_struck(state, reached)
        except BaseException:
            reset_for_next_run(state)
            raise
        finally:
            # No call may stand between these two: the watchdog raises limits where a call begins.
            del session.threads[thread]
            if (watchdog := session.struck_by) is not None:
                try:
                    watchdog.take_back(session)
                except LimitReached:  # it was raised at this very moment
                    watchdog.take_back(session)
            if budget.first_work is not None and budget.first_work[0] == thread:
                session.worked_seconds += thread_time() - budget.first_work[1]
        code, limit, diagnostics, rejected, refusal = ended
        if limit is not None:
            session.stop_jobs(session.runs)
            reset_for_next_run(state)
        is_due = not session.runs % RUNS_PER_LOOK or budget.first_memory >= 0
        if is_due or (session.kept_memory and budget.kept_memory):
            measure_memory(state, budget)
        duration = (perf_counter() - began) * 1e3
        if (error := session.error) is None:  # not `or`: it may count as false
            error = output.error
        else:
            session.error = None
        result = Result(
            code, output.out, output.err, duration, limit, diagnostics, error, rejected, refusal
        )
        if session.unenforced:
            result.unenforced = session.take_unenforced()
        return result

    def _end_struck(self, state: State, reached: LimitReached) -> Ended:
        """End a run that the watchdog has ended in what follows its script."""
        state.reset_position()
        if reached.struck is not state.budget:
            raise reached
        ended = self._end_by(state, reached)
        return self._end_substitutions(state, ended) if state.session.substitutions else ended

    def _run_with_options(self, state: State, text: str, options: RunSettings) -> Ended:
        """Run a text with input, variables or a directory of its own, for this run only."""
        stdin, cwd = options.stdin, options.cwd
        outer_stdin, outer_descriptor, outer_cwd = state.stdin, state.descriptors.get(0), state.cwd
        variables = dict(options.env or {})
        names = set(variables)
        if cwd is not None:
            cwd = variables["PWD"] = existing_directory(state.fs, state.cwd, cwd)
            names |= {"PWD", "OLDPWD"}
        read, bits = state.variables.get, state.attributes.get
        outer_variables = [(name, read(name, ABSENT), bits(name, 0)) for name in names]
        if stdin is not None:
            from keysh.shell.host.host_stdin import reader_of_stdin  # noqa: PLC0415 - many runs have none

            state.set_stdin(reader_of_stdin(stdin, state))
        if self.journal is not None:
            # What is only for this run comes back by itself at its end.
            self.journal.stdin = None if names else state.stdin
        for name, value in variables.items():
            # Whatever the attributes: the host may set even what a script made readonly.
            state.variables[name], state.attributes[name] = value, EXPORTED
        if cwd is not None:
            state.cwd = cwd
        try:
            return self._run_text(state, text, options.dialect)
        finally:
            if stdin is not None:
                state.stdin = outer_stdin
                if outer_descriptor is not None:
                    state.descriptors[0] = outer_descriptor
            if cwd is not None:
                state.cwd = outer_cwd
            for name, value, attributes in outer_variables:
                restore_variable(state, name, value, attributes)

    def _run_inside(self, state: State, text: str, options: RunSettings) -> Result:
        """Run a text for a host's command that this shell runs: state and budget are shared."""
        from keysh.interp.engine.thread_handoff import run_deeper  # noqa: PLC0415 - few hosts call in
        from keysh.interp.state.nested_run import NestedRun  # noqa: PLC0415 - few hosts call in
        from keysh.interp.streams.descriptor_table import begin_redirects, undo_redirects  # noqa: PLC0415 - few hosts call in

        session, shared, messages = state.session, self._output, self.messages
        began = perf_counter()
        output = Output()
        output.begin(self._limits.output, options.on_output)
        output.size = shared.size
        streams, around = begin_redirects(state), NestedRun(state)
        outer_error, session.error = session.error, None
        state.set_streams(state.stdin, Writer(output.put), Writer(output.put_error))
        self.messages = state.err
        deadline = state.budget.push_deadline(options.timeout)
        try:
            ended = run_deeper(state, lambda: self._run_with_options(state, text, options))
        finally:
            state.budget.pop_deadline(deadline)
            self.messages = messages
            undo_redirects(state, streams)
            around.restore(state)
            shared.size = output.size
            error = session.error
            if error is None:
                session.error, error = outer_error, output.error
        code, limit, diagnostics, rejected, refusal = ended
        if limit is not None:
            state.budget.check()  # the run around may have to end too
        duration = (perf_counter() - began) * 1e3
        return Result(
            code, output.out, output.err, duration, limit, diagnostics, error, rejected, refusal
        )  # fmt: skip

    def _run_text(
        self, state: State, text: str, dialect: Dialect | None, *, is_audited: bool = False
    ) -> Ended:
        """Run a text and return how it ended. Without a dialect the text declares its own."""
        if state.session.trail is not None and not is_audited:
            run = partial(self._run_text, state, text, dialect, is_audited=True)
            return state.session.trail.run(state, text, run, self._end_by)
        key = text if dialect is None else cache_key(text, dialect)
        ready = self._scripts.ready.get(key)
        diagnostics: list[Diagnostic] = []
        body: Body | None
        if ready is not None:
            body, state.dialect = ready
        else:
            state.dialect = dialect or self._scripts.dialect_of(state, text)
            try:
                if text.__class__ is HostWork:
                    body = text.body
                else:
                    body, diagnostics = self._scripts.compile(state, text, state.dialect, key)
            except (LimitReached, Exception) as error:  # noqa: BLE001 - a defect of keysh is none of the host's
                limit = limit_or_report(state, error)
                return (1, None, [], True, None) if limit is None else self._end_by(state, limit)
            if body is None:
                state.status = 2
                return 2, None, diagnostics, True, None
        ending, refusal = run_to_end(state, body), None
        if ending is not SUCCESS:
            if ending.limit is not None:
                return self._end_by(state, ending.limit, diagnostics)
            if isinstance(ending.jump, Exit):
                state.session.has_exited = not isinstance(ending.jump, ScriptAborted)
                refusal = ending.jump.diagnostic if isinstance(ending.jump, Refused) else None
        status = ending.status
        if "EXIT" in state.traps and not state.session.waits_for_exit:
            from keysh.interp.engine.traps import run_exit_trap  # noqa: PLC0415 - few scripts set any

            last = run_to_end(state, partial(run_exit_trap, status=status))
            if last.limit is not None:
                return self._end_by(state, last.limit, diagnostics)
            status = last.status
        state.status = status
        state.is_tested = state.loops = 0
        return +status, None, diagnostics, False, refusal

    def _end_substitutions(self, state: State, ended: Ended) -> Ended:
        """Let the process substitutions that `exec` has kept end with the run."""
        from keysh.interp.engine.process_substitution import (  # noqa: PLC0415 - few scripts keep any
            end_with_run,
            flush_all,
        )

        try:
            if state.session.waits_for_exit:
                flush_all(state)
            else:
                end_with_run(state, self._standard)
        except LimitReached as limit:
            return ended if ended[1] is not None else self._end_by(state, limit, ended[2])
        return ended

    def _end_by(self, state: State, limit: LimitReached, found: Sequence[Diagnostic] = ()) -> Ended:
        """Report the limit that ended the run; return how it ended."""
        return self._report_limit(state, limit), ReachedLimit(limit), [*found], False, None

    def _report_limit(self, state: State, limit: LimitReached) -> int:
        """Report the limit that ended the run, and make the state ready for the next one."""
        if (trail := state.session.trail) is not None:
            trail.limit(state, limit)
        state.status = limit.status
        if not state.session.waits_for_exit:
            state.traps.pop("EXIT", None)  # it belonged to this run
        self._output.max_bytes = None  # the message is printed even if the output limit is reached
        # A signal shows in the status, and whoever cancels at a prompt knows it.
        is_known = state.budget.signal > 0 or state.session.is_interactive
        if limit.kind != "cancelled" or not is_known:
            self.messages.write(f"keysh: {limit.message}\n")
        return limit.status


def waiting_host_loop() -> Any:
    """Return the host's event loop if it waits for this thread."""
    # While another thread loads the module, it has no such name yet, and nobody waits for this one.
    loop = getattr(sys.modules[HOST_LOOP_MODULE], "HOST_LOOP", None)
    return None if loop is None else loop.get()
