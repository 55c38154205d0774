"""Pipelines: stages joined by text that streams from each to the next.

A generator command is pulled by the next stage. A real program writes into its own pipe. Any other
stage runs first, in a fork, and writes into a sink. The last one runs in the pipeline's own state.
docs/internals/pipelines.md has the picture.
"""

from __future__ import annotations

from _thread import get_ident
from itertools import chain
from time import perf_counter

from keysh.interp.engine.endings import run_until_jump
from keysh.interp.engine.invoke import pulled_chunks, pulled_whole
from keysh.interp.engine.sink import (
    PIPE_BUFFER_CHARS,
    Sink,
    SinkWriter,
    ends_soon,
    overflows_pipe,
)
from keysh.interp.engine.thread_handoff import LEVELS_PER_STACK, on_fresh_stack
from keysh.interp.engine.traps import run_debug_trap, run_exit_trap
from keysh.interp.run.control_flow import STATUS_READER_GONE, ReaderGone, Refused
from keysh.interp.run.options import ASKS_HOST, ENDS_ON_FAILURE, NOUNSET, WATCHED_FLAGS
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import Call
from keysh.interp.state.stage_call import StageCall
from keysh.interp.streams.descriptors import hold_streams, release_streams
from keysh.interp.streams.stage_reader import StageReader
from keysh.interp.streams.streams import Reader, TextReader, Writer
from keysh.text.chunks import text_of_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from keysh.interp.run.closures import Body
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State
    from keysh.schema.command import Command

    class AnyPlainStage(Protocol):
        """What is known of a stage that is only a name and words."""

        name: str

        def command(self, state: State) -> Command | None: ...
        def only_prints(self, command: Command) -> bool: ...
        def arguments(self, state: State) -> list[object] | None: ...
        def program(self, state: State) -> tuple[list[str], str] | None: ...
        def ask_host(self, state: State, words: list[str], site: Site | None) -> bool: ...


# With one of these a stage that only prints needs a fork, too: it may end the shell there.
FORKING_FLAGS = WATCHED_FLAGS | ENDS_ON_FAILURE | NOUNSET


TOOLS_PACKAGE = "keysh.tools."


class Stage:
    """A compiled stage.

    run           its body
    plain         what is known of a plain command
    joins_errors  whether `|&` follows it
    is_harmless   its words change nothing in the state, so that it needs no fork
    site          of a simple command, for the DEBUG trap
    feeds_file    a later stage has redirections
    """

    __slots__ = ("feeds_file", "is_harmless", "joins_errors", "plain", "run", "site")

    def __init__(
        self,
        run: Body,
        plain: AnyPlainStage | None,
        joins_errors: bool,
        is_harmless: bool,
        site: Site | None,
        feeds_file: bool,
    ) -> None:
        self.run, self.plain, self.site = run, plain, site
        self.joins_errors, self.is_harmless = joins_errors, is_harmless
        self.feeds_file = feeds_file

    def changes_nothing(self, state: State) -> bool:
        """Whether the stage is a call of a tool such as `grep`, which can change no state."""
        if not self.is_harmless or self.plain is None:
            return False
        command = self.plain.command(state)
        return command is not None and (command.function.__module__ or "").startswith(TOOLS_PACKAGE)


class FilePipeWriter(Writer):
    """A pipe whose later stages may write a file."""

    __slots__ = ()

    feeds_file = True


class ClosedPipeWriter(Writer):
    """A pipe whose reader has ended; a command that waits for output to write can stop."""

    __slots__ = ()

    is_read = False


class PipelineRun:
    """One run of a pipeline."""

    __slots__ = ("forks_last", "stages", "state", "statuses")

    def __init__(self, state: State, stages: Sequence[Stage], forks_last: bool) -> None:
        """`forks_last`: the last stage runs in a subshell, too, as in bash."""
        self.state, self.stages, self.forks_last = state, stages, forks_last
        self.statuses = [0] * len(stages)

    def run(self) -> list[int]:
        """Run all stages; return their statuses."""
        state = self.state
        if (trail := state.session.trail) is None:
            self.run_from(0, state.stdin)
        else:
            trail.within(state, "pipeline", {"stages": len(self.stages)}, self.run_all)
        return self.statuses

    def run_all(self) -> int:
        """Run all stages; return the status of the last one."""
        self.run_from(0, self.state.stdin)
        return self.statuses[-1]

    def run_from(self, index: int, reader: Reader) -> None:
        """Run the stages from `index` on, with its input."""
        if index == len(self.stages) - 1:
            self.run_last(reader)
        elif needs_fresh_stack(index):
            on_fresh_stack(self.state, lambda: self.run_stage(index, reader))
        else:
            self.run_stage(index, reader)

    def run_stage(self, index: int, reader: Reader) -> None:
        """Run a stage that is not the last."""
        stage, state = self.stages[index], self.state
        if stage.site is not None:
            run_debug_trap(state, stage.site)  # here, because a fork inherits no DEBUG trap
            state.site = stage.site
        plain = stage.plain
        # A pulled stage runs on the stack of its reader; a pushed one starts on its own.
        if plain is not None and not state.flags & WATCHED_FLAGS and not needs_fresh_stack(index):
            command = plain.command(state)
            if command is None:
                if state.session.has_programs:
                    child = self.state_of_stage(stage, reader)
                    program = plain.program(child)
                    if program is not None:
                        self.run_program_stage(index, child, reader, *program)
                        return
            elif command.is_generator:
                child = self.state_of_stage(stage, reader)
                arguments = plain.arguments(child)
                if arguments is not None:
                    self.pull_stage(index, child, reader, plain.name, command, arguments)
                    return
            elif (
                stage.is_harmless
                and not stage.joins_errors
                and not state.flags & FORKING_FLAGS
                and plain.only_prints(command)
            ):
                self.print_stage(index)
                return
        elif (
            plain is not None
            and state.flags & WATCHED_FLAGS == ASKS_HOST
            and not needs_fresh_stack(index)
            and self.run_asked_program(index, reader, plain)
        ):
            return
        self.push_stage(index, reader)

    def state_of_stage(self, stage: Stage, reader: Reader) -> State:
        """Return the state in which the words of a plain stage are expanded."""
        if stage.is_harmless:
            return self.state
        child = self.state.fork_concurrent()
        child.set_stdin(reader)
        return child

    # ------------------------------------------------------------ pulled

    def pull_stage(
        self, index: int, child: State, reader: Reader, name: str, command: Command,
        arguments: list[object],
    ) -> None:  # fmt: skip
        """Let the next stage pull this one's chunks, one by one."""
        stage = self.stages[index]
        pending: list[str] = []
        out = (FilePipeWriter if stage.feeds_file else Writer)(pending.append)
        err = out if stage.joins_errors else child.err
        assert stage.site is not None  # it is a simple command
        call = StageCall(name, child, reader, out, err, stage.site)
        whole_output = pulled_whole(command, call, arguments)
        if whole_output is not None:
            text = "".join([*pending, whole_output]) if pending else whole_output
            self.pass_on(index, text, call)
            return
        outcome: list[int] = []
        chunks = pulled_chunks(command, call, arguments, pending, outcome)
        whole = reader if isinstance(reader, TextReader) and not reader.is_over else None
        output: TextReader | None = None  # the whole output, if it is known
        text = ""
        first = next(chunks, None)  # as in sh, it starts before the next stage
        if first is None:
            self.run_from(index + 1, TextReader(""))
        # A filter that has consumed its whole input can be asked for a second chunk. Any other
        # stage, such as `tail -f`, might wait for it.
        elif command.is_pulled_singly or whole is None or not whole.is_over:
            # Unlike a generator, a chain does not close the stage when its reader is dropped.
            self.run_from(index + 1, StageReader(chain((first,), chunks)))
        elif (second := next(chunks, None)) is None:
            text = text_of_chunk(first)
            output = TextReader(text)
            self.run_from(index + 1, output)
        else:
            self.run_from(index + 1, StageReader(chain((first, second), chunks)))
        if not outcome:
            call.out = ClosedPipeWriter(pending.append)
        if not outcome and not ends_soon(
            chunks, 0 if command.is_pulled_singly else PIPE_BUFFER_CHARS
        ):
            chunks.close()
            outcome.append(STATUS_READER_GONE)
        self.statuses[index] = outcome[0] if outcome else call.status
        if output is not None and overflows_pipe(text, output):
            self.statuses[index] = STATUS_READER_GONE

    def print_stage(self, index: int) -> None:
        """Run a stage like `echo`, which only prints, in the pipeline's own state."""
        state, pieces = self.state, []  # type: State, list[str]
        before = state.out, state.status, state.last_words
        state.out = Writer(pieces.append)
        try:
            status = self.stages[index].run(state)
        finally:
            state.out, state.status, state.last_words = before
        self.statuses[index] = status
        self.pass_on(index, pieces[0] if len(pieces) == 1 else "".join(pieces))

    def pass_on(self, index: int, text: str, call: Call | None = None) -> None:
        """Run the next stage on the whole output of a stage, whose status `call` may have."""
        output = TextReader(text)
        self.run_from(index + 1, output)
        if call is not None:
            self.statuses[index] = call.status
        if overflows_pipe(text, output):
            self.statuses[index] = STATUS_READER_GONE

    # ------------------------------------------------------------ real programs

    def run_program_stage(
        self, index: int, child: State, reader: Reader, words: list[str], path: str
    ) -> None:
        """Start a program; the next stage reads its output, or inherits its pipe."""
        programs = self.state.session.programs
        assert programs is not None
        compiled = self.stages[index]
        err = child.out if compiled.joins_errors else child.err
        call = Call(words[0], child, reader, child.out, err)
        try:
            stage = programs.start(child, call, words, path)
        except RuntimeDiagnostic as problem:  # its environment, or a word
            assert compiled.site is not None
            compiled.site.report(child, problem)
            raise
        try:
            self.run_from(index + 1, stage.reader)
        except BaseException:
            stage.abandon()
            raise
        self.statuses[index] = stage.end()

    def run_asked_program(self, index: int, reader: Reader, plain: AnyPlainStage) -> bool:
        """Start a program that the host is asked about, or sees; False if the stage is none."""
        stage, state = self.stages[index], self.state
        is_program = state.session.has_programs and plain.command(state) is None
        if not is_program or stage.joins_errors:  # there goes what the host says as well
            return False
        child = state.fork_concurrent()
        child.set_stdin(reader)
        program = plain.program(child)
        if program is None:
            return False
        outer, began, trail = child.span, perf_counter(), child.session.trail
        if not plain.ask_host(child, program[0], stage.site):
            self.statuses[index] = child.status
            self.run_from(index + 1, TextReader(""))
            return True
        status: int | None = None
        try:
            self.run_program_stage(index, child, reader, *program)
            status = self.statuses[index]
        finally:
            if trail is not None:
                trail.end_command(child, outer, began, status)
        return True

    # ------------------------------------------------------------ pushed

    def push_stage(self, index: int, reader: Reader) -> None:
        """Run a stage to its end in a fork; it writes into a sink."""
        stage = self.stages[index]
        child = self.state.fork_concurrent()
        child.set_stdin(reader)
        sink = Sink(self.state, lambda reader: self.run_from(index + 1, reader))
        writer = SinkWriter(sink)
        child.set_out(writer)
        if stage.joins_errors:
            child.err = writer
            child.descriptors[2] = child.descriptors[1]
        try:
            self.statuses[index] = run_subshell(child, stage.run)
            if child.session.jobs.jobs:
                child.session.jobs.wait_for_writers(writer, self.state.budget)
        except ReaderGone:
            self.statuses[index] = STATUS_READER_GONE
        except BaseException as error:
            sink.abandon(error)
            raise
        if not sink.end():
            self.statuses[index] = STATUS_READER_GONE

    def run_last(self, reader: Reader) -> None:
        """Run the last stage in the pipeline's own state."""
        state = self.state
        if self.forks_last and not self.stages[-1].changes_nothing(state):
            if self.stages[-1].site is not None:
                run_debug_trap(state, self.stages[-1].site)
            child = state.fork()
            child.set_stdin(reader)
            self.statuses[-1] = run_subshell(child, self.stages[-1].run)
            return
        before, descriptor, words = state.stdin, state.descriptors.get(0), state.last_words
        state.set_stdin(reader)
        try:
            self.statuses[-1] = self.stages[-1].run(state)
        finally:
            state.stdin = before
            if self.forks_last:
                state.last_words = words
            if descriptor is None:
                state.descriptors.pop(0, None)
            else:
                state.descriptors[0] = descriptor


def needs_fresh_stack(index: int) -> bool:
    """Whether a stage starts on a fresh stack."""
    return index > 0 and index % LEVELS_PER_STACK == 0


def run_fork(child: State, run: Body, event: str) -> int:
    """Run a body in a forked state; whoever sees events sees this one."""
    if (trail := child.session.trail) is None:
        return run_subshell(child, run)
    return trail.within(child, event, {}, lambda: run_subshell(child, run))


def run_subshell(child: State, run: Body) -> int:
    """Run a body and its EXIT trap in a forked state; `exit` ends only the fork.

    A refusal goes on to end what the fork is a part of.
    """
    if child.holds_streams:
        hold_streams(child, child.descriptors.values())
    threads, thread = child.session.threads, get_ident()
    base = threads.get(thread)
    if base is not None:
        threads[thread] = child  # a command of the host that runs a script does so in here
    try:
        status, jump = run_until_jump(child, run)
        if child.traps:
            child.status = status
            status = run_exit_trap(child, status)
        if jump.__class__ is Refused:
            jump.status = +status
            raise jump
        return +status
    finally:
        if child.holds_streams:
            release_streams(child, child.descriptors.values())
        child.parent = None
        if base is not None:
            threads[thread] = base
