"""Runner: texts run on the state of a shell, one at a time, for its host and for its commands."""

from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident
from errno import ENOTDIR
from time import perf_counter

from keysh.diagnostics.errors import failure
from keysh.interp.engine.strand import (
    is_host_stack_deep,
    on_fresh_stack,
    run_deeper,
    run_registered,
)
from keysh.interp.engine.traps import run_exit_trap
from keysh.interp.run.control_flow import (
    Exit,
    LimitReached,
    LoopJump,
    ReaderGone,
    Return,
    ScriptAborted,
    stack_limit_reached,
)
from keysh.interp.run.limits import Budget
from keysh.interp.run.options import SIGNAL_PENDING
from keysh.interp.state.call import exception_text
from keysh.interp.state.state import restore_variable
from keysh.interp.streams.streams import Writer
from keysh.interp.variables.variable import EXPORTED
from keysh.shell.arguments import refuse_options, refuse_text
from keysh.shell.host import input_of
from keysh.shell.output import Output
from keysh.shell.result import Reached, Result
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.interp.run.limits import Cancel, Limits
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader
    from keysh.shell.host import Stdin
    from keysh.shell.prepare import Preparing
    from keysh.vfs.router import Router

    OnOutput: TypeAlias = Callable[[str, str], object]
    # The status, the limit that was reached, what the check says, whether it refused.
    Ended: TypeAlias = tuple[int, Reached | None, list[Diagnostic], bool]


class Runner:
    """Runs what `preparing` makes of texts, within limits."""

    __slots__ = ("_limits", "_output", "_preparing", "_standard", "_turn", "messages", "state")

    def __init__(self, state: State, output: Output, limits: Limits, preparing: Preparing) -> None:
        self.state, self._output, self._limits = state, output, limits
        self._preparing = preparing
        self._turn = allocate_lock()
        self.messages = state.err  # where a limit that ends a run is told
        self._standard = state.descriptors.copy()

    def attach(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Read from and write to streams of the host."""
        self.state.set_streams(stdin, out, err)
        self.messages = err
        self._standard = self.state.descriptors.copy()

    def run(
        self,
        text: str,
        stdin: Stdin,
        env: Mapping[str, str] | None,
        cwd: str | None,
        timeout: float | None,
        cancel: Cancel | None,
        on_output: OnOutput | None,
    ) -> Result:
        """Run a text when it is its turn: at once inside of a run, else after the one before."""
        if text.__class__ is not str:
            refuse_text(text)
        refuse_options(env, cwd, timeout, cancel, on_output)
        state, session = self.state, self.state.session
        if session.threads:
            from keysh.interp.engine.host_loop import host_coroutine_of, wait_for_turn  # noqa: PLC0415 - rare

            options = (text, stdin, env, cwd, timeout, on_output)
            if get_ident() in session.threads:
                return self._inside(session.threads[get_ident()], *options)
            if (guest := host_coroutine_of(session)) is not None:
                wait_for_turn(guest.turn, guest.state.budget)
                try:
                    return run_registered(
                        session, guest.state, lambda: self._inside(guest.state, *options)
                    )
                finally:
                    guest.turn.release()
        budget = Budget(self._limits, timeout)
        if cancel is not None:
            cancel.begin(budget)
            budget.ends_early = True
        try:
            if budget.is_cancelled:
                budget.check()
            if not self._turn.acquire(blocking=False):
                from keysh.interp.engine.host_loop import wait_for_turn  # noqa: PLC0415 - as above

                wait_for_turn(self._turn, budget)
            try:
                return self._outside(state, budget, text, stdin, env, cwd, on_output)
            finally:
                self._turn.release()
        except LimitReached as stopped:  # before its turn
            return Result(
                stopped.status, [], [f"keysh: {stopped.message}\n"], 0.0, Reached(stopped)
            )
        finally:
            if cancel is not None:
                cancel.end(budget)

    def _outside(
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
        began = perf_counter()
        session.threads[get_ident()] = state
        session.host_loop = loop_that_waits()
        session.runs += 1
        output.begin(self._limits.output, on_output)
        state.budget = budget
        try:
            if is_host_stack_deep():
                ended = on_fresh_stack(state, lambda: self._apart(state, text, stdin, env, cwd))
            elif stdin is not None or env is not None or cwd is not None:
                ended = self._apart(state, text, stdin, env, cwd)
            else:
                ended = self._text(state, text)
            if session.substitutions:
                ended = self._substituted(state, ended)
        except BaseException:
            state.reset_position()
            raise
        finally:
            del session.threads[get_ident()]
        code, limit, diagnostics, rejected = ended
        if limit is not None:
            session.jobs.stop(session.runs)
            state.reset_position()
        duration = (perf_counter() - began) * 1e3
        error, session.error = session.error or output.error, None
        return Result(
            code, output.out, output.err, duration, limit, diagnostics, error, rejected=rejected
        )

    def _apart(
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
            cwd = given["PWD"] = directory(state.fs, state.cwd, cwd)
            names |= {"PWD", "OLDPWD"}
        kept = [
            (name, state.variables.get(name, ABSENT), state.attributes.get(name, 0))
            for name in names
        ]
        if stdin is not None:
            state.set_stdin(input_of(stdin, state))
        for name, value in given.items():
            # Not by its attributes: the host's word holds even for what a script made readonly.
            state.variables[name], state.attributes[name] = value, EXPORTED
        if cwd is not None:
            state.cwd = cwd
        try:
            return self._text(state, text)
        finally:
            if stdin is not None:
                state.stdin = before
                if descriptor is not None:
                    state.descriptors[0] = descriptor
            if cwd is not None:
                state.cwd = place
            for name, value, bits in kept:
                restore_variable(state, name, value, bits)

    def _inside(
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
        from keysh.interp.state.nested_run import NestedRun  # noqa: PLC0415 - as above
        from keysh.interp.streams.redirects import begin_redirects, undo_redirects  # noqa: PLC0415 - few hosts call in

        session, shared, messages = state.session, self._output, self.messages
        began = perf_counter()
        output = Output()
        output.begin(self._limits.output, on_output)
        output.size = shared.size
        streams, around = begin_redirects(state), NestedRun(state)
        outer_error, session.error = session.error, None
        state.set_streams(state.stdin, Writer(output.put), Writer(output.put_error))
        self.messages = state.err
        deadline = state.budget.push_deadline(timeout)
        try:
            ended = run_deeper(state, lambda: self._apart(state, text, stdin, env, cwd))
        finally:
            state.budget.pop_deadline(deadline)
            self.messages = messages
            undo_redirects(state, streams)
            around.restore(state)
            shared.size = output.size
            error, session.error = session.error, session.error or outer_error
        code, limit, diagnostics, rejected = ended
        if limit is not None:
            state.budget.check()  # the run around may have to end too
        duration = (perf_counter() - began) * 1e3
        error = error or output.error
        return Result(
            code, output.out, output.err, duration, limit, diagnostics, error, rejected=rejected
        )

    def _text(self, state: State, text: str) -> Ended:
        """Run a text; how it has ended."""
        body = self._preparing.ready.get(text)
        diagnostics: list[Diagnostic] = []
        if body is None:
            body, diagnostics = self._preparing.prepared(state, text)
            if body is None:
                state.status = 2
                return 2, None, diagnostics, True
        try:
            status = body(state)
            if state.flags & SIGNAL_PENDING:
                from keysh.interp.engine.signal_delivery import run_pending_traps  # noqa: PLC0415 - few scripts send signals

                run_pending_traps(state)
        except Exit as left:
            status = left.status
            state.session.has_exited = not isinstance(left, ScriptAborted)
        except Return as left:
            status = left.status
        except LoopJump as left:
            status = left.status
        except ReaderGone:
            status = 141
        except LimitReached as stopped:
            if stopped.kind == "cancelled":
                from keysh.interp.engine.signal_delivery import run_last_trap  # noqa: PLC0415 - few scripts send signals

                run_last_trap(state, stopped.status)
            return self._stopped(state, stopped), Reached(stopped), diagnostics, False
        except RecursionError:
            deep = stack_limit_reached()
            return self._stopped(state, deep), Reached(deep), diagnostics, False
        except Exception as error:  # noqa: BLE001 - what a host's objects raise is for the host
            state.session.error = error
            state.reset_position()
            state.err.write(f"keysh: {exception_text(error)}\n")
            status = 1
        if "EXIT" in state.traps and not waits_for_exit(state):
            try:
                status = run_exit_trap(state, status)
            except LimitReached as stopped:
                return self._stopped(state, stopped), Reached(stopped), diagnostics, False
        state.status = status
        state.is_tested = state.loops = 0
        return +status, None, diagnostics, False

    def _substituted(self, state: State, ended: Ended) -> Ended:
        """Let the process substitutions that `exec` has kept come to their ends with the run."""
        from keysh.interp.engine.process_substitution import (  # noqa: PLC0415 - few scripts keep any
            end_with_run,
            flush_all,
        )

        code, limit, diagnostics, rejected = ended
        try:
            if waits_for_exit(state):
                flush_all(state)
            else:
                end_with_run(state, self._standard)
        except LimitReached as stopped:
            if limit is None:
                code, limit = self._stopped(state, stopped), Reached(stopped)
        return code, limit, diagnostics, rejected

    def _stopped(self, state: State, stopped: LimitReached) -> int:
        """Say which limit has ended the run; the state is fit for the next one."""
        state.status = stopped.status
        if not waits_for_exit(state):
            state.traps.pop("EXIT", None)  # it was for this run
        self._output.most = None  # what has ended the run is told in any case
        is_killed = stopped.kind == "cancelled" and state.budget.signal > 0  # its status tells
        is_told = stopped.kind != "cancelled" or not state.session.is_interactive
        if is_told and not is_killed:
            self.messages.write(f"keysh: {stopped.message}\n")
        return stopped.status


def loop_that_waits() -> Any:
    """The event loop of the host that waits for this thread, if one does."""
    # Who waits has loaded the module; to load it here would bring in contextvars.
    waiting = sys.modules.get("keysh.interp.engine.host_loop")
    return None if waiting is None else waiting.HOST_LOOP.get()


def waits_for_exit(state: State) -> bool:
    """Whether more lines follow at a prompt, so that the shell does not end with this one."""
    return state.session.is_interactive and not state.session.has_exited


def directory(fs: Router, base: str, path: str) -> str:
    """A directory that scripts are to run in; FileNotFoundError where there is none."""
    if path == "/":
        return path
    from keysh.vfs.paths import join  # noqa: PLC0415 - few hosts ask for another

    place = join(base, path)
    if not fs.stat(place, follow=True).is_directory:
        raise failure(ENOTDIR, path)
    return place
