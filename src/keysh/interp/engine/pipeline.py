"""Pipelines: stages joined by text that streams from each to the next.

A stage that is a command which yields chunks is pulled by the next one. Any other runs first and
writes into a sink: when it ends the next stage reads what the sink holds; when the sink holds more
than it should, or the stage waits, the stages behind go on beside it, on a thread that takes turns
with it. The last stage runs in the state of the pipeline itself.
"""

from __future__ import annotations

from _thread import RLock
from itertools import chain
from time import monotonic

from keysh.interp.engine.endings import run_until_jump
from keysh.interp.engine.errexit import run_debug_trap
from keysh.interp.engine.invoke import pulled_chunks
from keysh.interp.engine.strand import LEVELS_PER_STACK, PushPipe, on_fresh_stack
from keysh.interp.engine.traps import run_exit_trap
from keysh.interp.run.control_flow import STATUS_READER_GONE, ReaderGone
from keysh.interp.run.options import ENDS_ON_FAILURE, NOUNSET, WATCHED_FLAGS
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, TextReader, Writer
from keysh.interp.streams.yielded import StageReader
from keysh.text.chunks import text_of_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from keysh.interp.run.closures import Body
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State
    from keysh.schema.command import Command
    from keysh.text.chunks import LineBlock

    # What a stage is when nothing but a command that yields its output: its name, its
    # declaration and its arguments.
    Pull = Callable[[State], "tuple[str, Command, list[object]] | None"]
    # The same as Pull for one that is a real program: its words and its path.
    Program = Callable[[State], "tuple[list[str], str] | None"]

PIPE_BUFFER_CHARS = 1 << 16  # characters a sink holds before the next stage goes on
# With one of these a stage that only prints runs in a fork like any other: it may end there.
FORKING_FLAGS = WATCHED_FLAGS | ENDS_ON_FAILURE | NOUNSET
SINK_DELAY_SECONDS = 0.02  # seconds that what is in a sink may wait


class Stage:
    """One stage: what runs it, and what it can be pulled from where it is one plain command."""

    __slots__ = (
        "feeds_file", "is_harmless", "joins_errors", "only_prints", "program", "pull", "run", "site",
    )  # fmt: skip

    def __init__(
        self,
        run: Body,
        pull: Pull | None,
        program: Program | None,
        only_prints: Callable[[State], bool] | None,
        joins_errors: bool,
        is_harmless: bool,
        site: Site | None,
        feeds_file: bool,
    ) -> None:
        self.run, self.pull, self.program = run, pull, program
        self.only_prints = only_prints
        self.site = site  # of a simple command, before which the DEBUG trap runs
        self.joins_errors = joins_errors
        self.feeds_file = feeds_file  # whether a stage behind it has redirections
        self.is_harmless = is_harmless  # its words change nothing, so that it needs no fork


class FilePipeWriter(Writer):
    """A pipe behind which a file is written to."""

    __slots__ = ()

    feeds_file = True


class ClosedPipeWriter(Writer):
    """A pipe that nobody reads any more: who waits for something to write need not."""

    __slots__ = ()

    is_read = False


class SinkWriter(Writer):
    """A pipe into a sink."""

    __slots__ = ("_sink",)

    def __init__(self, sink: Sink) -> None:
        super().__init__(sink.write, sink.flush)
        self._sink = sink

    @property
    def is_read(self) -> bool:  # type: ignore[override]
        """Whether the next stage reads on, or has yet to begin."""
        return self._sink.is_read


class PipelineRun:
    """One run of a pipeline."""

    __slots__ = ("stages", "state", "statuses")

    def __init__(self, state: State, stages: Sequence[Stage]) -> None:
        self.state, self.stages = state, stages
        self.statuses = [0] * len(stages)

    def run(self) -> list[int]:
        """The statuses of all stages."""
        self.run_from(0, self.state.stdin)
        return self.statuses

    def run_from(self, at: int, reader: Reader) -> None:
        """Run the stages from one on, with its input."""
        if at == len(self.stages) - 1:
            self.run_last(reader)
        elif needs_fresh_stack(at):
            on_fresh_stack(self.state, lambda: self.run_stage(at, reader))
        else:
            self.run_stage(at, reader)

    def run_stage(self, at: int, reader: Reader) -> None:
        """Run a stage that is not the last."""
        stage, state = self.stages[at], self.state
        if stage.site is not None:
            run_debug_trap(state, stage.site)  # here, for what is forked inherits no trap
        if stage.only_prints is not None and not state.flags & FORKING_FLAGS:
            if stage.only_prints(state):
                self.print_stage(at)
                return
        # What is pulled takes the stack of who pulls: now and then a stage is not.
        if stage.pull is not None and not state.flags & WATCHED_FLAGS and not needs_fresh_stack(at):
            child = state if stage.is_harmless else state.fork_concurrent()
            if not stage.is_harmless:
                child.set_stdin(reader)
            found = stage.pull(child)
            if found is not None:
                self.pull_stage(at, child, reader, *found)
                return
            if stage.program is not None and state.session.has_programs:
                program = stage.program(child)
                if program is not None:
                    self.run_program_stage(at, child, reader, *program)
                    return
        self.push_stage(at, reader)

    # ------------------------------------------------------------ pulled

    def pull_stage(
        self, at: int, child: State, reader: Reader, name: str, command: Command,
        arguments: list[object],
    ) -> None:  # fmt: skip
        """Let the next stage take this one's chunks, one by one."""
        stage = self.stages[at]
        pending: list[str] = []
        out = (FilePipeWriter if stage.feeds_file else Writer)(pending.append)
        err = out if stage.joins_errors else child.err
        call = Call(name, child, reader, out, err)
        outcome: list[int] = []
        chunks = pulled_chunks(command, call, arguments, pending, outcome)
        whole = reader if isinstance(reader, TextReader) and not reader.is_over else None
        given, text = None, ""  # all that it prints, where that is known
        first = next(chunks, None)  # it has begun before the next one does, as in sh
        if first is None:
            self.run_from(at + 1, TextReader(""))
        # Of a filter that has all its input it can be seen whether there is more. Another one, as
        # `tail -f`, may wait for it.
        elif command.is_pulled_singly or whole is None or not whole.is_over:
            # A chain does not close the stage when its reader is dropped, unasked.
            self.run_from(at + 1, StageReader(chain((first,), chunks)))
        elif (second := next(chunks, None)) is None:
            text = text_of_chunk(first)
            given = TextReader(text)
            self.run_from(at + 1, given)
        else:
            self.run_from(at + 1, StageReader(chain((first, second), chunks)))
        if not outcome:
            call.out = ClosedPipeWriter(pending.append)
        if not outcome and not ends_soon(
            chunks, 0 if command.is_pulled_singly else PIPE_BUFFER_CHARS
        ):
            chunks.close()
            outcome.append(STATUS_READER_GONE)
        self.statuses[at] = outcome[0] if outcome else call.status
        if given is not None and overflows_pipe(text, given):
            self.statuses[at] = STATUS_READER_GONE

    def print_stage(self, at: int) -> None:
        """Run a stage like `echo`, which only prints, in this state itself; hand on its output."""
        state, pieces = self.state, []  # type: State, list[str]
        before = state.out, state.status, state.last_words
        state.out = Writer(pieces.append)
        try:
            status = self.stages[at].run(state)
        finally:
            state.out, state.status, state.last_words = before
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        output = TextReader(text)
        self.run_from(at + 1, output)
        self.statuses[at] = STATUS_READER_GONE if overflows_pipe(text, output) else status

    # ------------------------------------------------------------ real programs

    def run_program_stage(
        self, at: int, child: State, reader: Reader, words: list[str], path: str
    ) -> None:
        """Let the next stage read what a program puts out, or let it have the same pipe."""
        programs = self.state.session.programs
        assert programs is not None
        err = child.out if self.stages[at].joins_errors else child.err
        stage = programs.start(child, Call(words[0], child, reader, child.out, err), words, path)
        try:
            self.run_from(at + 1, stage.reader)
        except BaseException:
            stage.abandon()
            raise
        self.statuses[at] = stage.end()

    # ------------------------------------------------------------ pushed

    def push_stage(self, at: int, reader: Reader) -> None:
        """Run a stage into a sink."""
        stage = self.stages[at]
        child = self.state.fork_concurrent()
        child.set_stdin(reader)
        sink = Sink(self.state, lambda reader: self.run_from(at + 1, reader))
        writer = SinkWriter(sink)
        child.set_out(writer)
        if stage.joins_errors:
            child.err = writer
            child.descriptors[2] = child.descriptors[1]
        try:
            self.statuses[at] = run_subshell(child, stage.run)
            if child.session.jobs.jobs:
                child.session.jobs.wait_for_writers(writer, self.state.budget)
        except ReaderGone:
            self.statuses[at] = STATUS_READER_GONE
        except BaseException as error:
            sink.abandon(error)
            raise
        if not sink.end():
            self.statuses[at] = STATUS_READER_GONE

    def run_last(self, reader: Reader) -> None:
        """The last stage, in this state itself."""
        state = self.state
        before, descriptor = state.stdin, state.descriptors.get(0)
        state.set_stdin(reader)
        try:
            self.statuses[-1] = self.stages[-1].run(state)
        finally:
            state.stdin = before
            if descriptor is None:
                state.descriptors.pop(0, None)
            else:
                state.descriptors[0] = descriptor


def overflows_pipe(text: str, reader: TextReader) -> bool:
    """Whether a reader has left more of its text than a pipe would hold."""
    return len(text) > PIPE_BUFFER_CHARS and len(reader.unread_text()) > PIPE_BUFFER_CHARS


def needs_fresh_stack(at: int) -> bool:
    """Whether a stage is the first of a stack of its own."""
    return at > 0 and at % LEVELS_PER_STACK == 0


def ends_soon(chunks: Iterator[str | LineBlock], room: int) -> bool:
    """Whether a stage that nobody reads any more ends soon, as one does whose pipe takes the rest.

    So a command of little output does not fail under `pipefail`, as it does not in sh.
    """
    until = monotonic() + SINK_DELAY_SECONDS
    for chunk in chunks:
        room -= len(text_of_chunk(chunk))
        if room < 0 or monotonic() > until:
            return False
    return True


def run_subshell(child: State, run: Body) -> int:
    """Run a body in a forked state, which `exit` ends, and its EXIT trap."""
    try:
        status, _ = run_until_jump(child, run)
        if child.traps:
            child.status = status
            status = run_exit_trap(child, status)
        return +status
    finally:
        if child.session.substitutions:
            end_substitutions(child)
        child.parent = None


def end_substitutions(child: State) -> None:
    """End those that `exec` has kept in a subshell which ends: nobody else reads them."""
    parent = child.parent
    inherited = () if parent is None else parent.descriptors.values()
    own = child.descriptors.values()
    for descriptor in tuple(child.session.substitutions.values()):
        is_own = descriptor in own and descriptor not in inherited
        if is_own and descriptor.stream is not None:
            descriptor.stream.close()


class Sink:
    """What a stage writes into until the next one reads."""

    __slots__ = (
        "_asked", "_began", "_lock", "_next", "_pieces", "_reader", "_relay", "_size", "_state",
    )  # fmt: skip

    def __init__(self, state: State, then: Callable[[Reader], object]) -> None:
        self._state, self._next = state, then
        self._pieces: list[str] = []
        self._size = self._asked = 0
        self._began = 0.0
        self._relay: PushPipe | None = None
        self._reader: Reader | None = None  # what the next stage reads from, once it does
        self._lock = RLock()  # jobs of the stage write too, each from its own thread

    @property
    def is_read(self) -> bool:
        """Whether the next stage reads on, or has yet to begin."""
        return self._relay is None or self._relay.is_read

    def write(self, text: str) -> None:
        """Take a chunk; it goes on as soon as there is enough, or it has waited long enough."""
        with self._lock:
            self._pieces.append(text)
            self._size += len(text)
            self._asked += 1
            if self._size > PIPE_BUFFER_CHARS:
                self.flush()
            elif self._asked & 15 == 1:
                now = monotonic()
                if not self._began:
                    self._began = now
                elif now - self._began > SINK_DELAY_SECONDS:
                    self.flush()

    def flush(self) -> None:
        """Let the next stage read what is there."""
        with self._lock:
            if not self._pieces:
                return
            text = "".join(self._pieces)
            self._pieces.clear()
            self._size, self._began = 0, 0.0
            if self._relay is None:
                self._relay = PushPipe(self._state)
                self._relay.start(text, self._give)
            elif self._relay.is_read:
                self._relay.send(text)
            else:  # of what has been taken, the writer is told as little as by a pipe
                raise ReaderGone

    def _give(self, chunks: Iterator[str]) -> None:
        """Run the next stage on the other side."""
        self._reader = Reader(chunks)
        self._next(self._reader)

    def end(self) -> bool:
        """The stage has ended: run the next one, or let it end; whether a pipe would take all."""
        if self._relay is None:
            self._next(TextReader("".join(self._pieces)))
            return True
        is_taken = self._relay.is_read or not self._pieces
        if self._relay.is_read and self._pieces:
            self._relay.send("".join(self._pieces))
        self._relay.end()
        left = len(self._relay.chunk) + (len(self._reader.unread_text()) if self._reader else 0)
        return is_taken and left <= PIPE_BUFFER_CHARS

    def abandon(self, error: BaseException) -> None:
        """The whole run ends; what runs on another thread must not stay behind."""
        if self._relay is not None:
            self._relay.abandon(error)
