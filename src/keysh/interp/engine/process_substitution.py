"""Process substitution: `<(…)` and `>(…)` run concurrently and become paths in /dev/fd."""

from __future__ import annotations

from errno import ESPIPE

from keysh.diagnostics.exceptions import failure
from keysh.interp.engine.pipeline import run_fork
from keysh.interp.engine.sink import Sink
from keysh.interp.engine.thread_handoff import PullPipe
from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.streams.descriptor_table import connect_descriptor
from keysh.interp.streams.descriptors import Descriptor, close_streams
from keysh.interp.streams.streams import Reader, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

# Descriptors count down as in bash, and then up from 64.
FIRST_SUBSTITUTION_FD, LAST_SUBSTITUTION_FD = 63, 10


def source_path(state: State, body: Body) -> str:
    """`<(…)`: return a path from which the output of the commands is read."""
    child = fork_for_substitution(state)

    def write(put: Callable[[str], None]) -> None:
        child.set_out(Writer(put))
        run_fork(child, body, "process_substitution")

    pipe = PullPipe(state, write)
    return register_descriptor(state, Descriptor(reader=Reader(pipe.chunks())), pipe.end)


def fork_for_substitution(state: State) -> State:
    """Return a fork for the commands; as in bash, a `break` in them ends them."""
    child = state.fork_concurrent()
    child.loops = state.loops
    child.nesting += 1
    return child


def target_path(state: State, body: Body) -> str:
    """`>(…)`: return a path whose data becomes the input of the commands."""
    child = fork_for_substitution(state)

    def read(reader: Reader) -> None:
        child.set_stdin(reader)
        run_fork(child, body, "process_substitution")

    sink = Sink(state, read)
    return register_descriptor(state, Descriptor(writer=Writer(sink.write, sink.flush)), sink.end)


def end_with_run(state: State, standard: tuple[Descriptor, ...]) -> None:
    """End the substitutions that `exec` kept, newest first: it may write to an older one.

    Their output belongs to this run. Descriptors that led to them are restored to `standard`.
    """
    descriptors = tuple(state.session.substitutions.values())
    for number, descriptor in tuple(state.descriptors.items()):
        if descriptor in descriptors:
            if number < len(standard):
                connect_descriptor(state, number, standard[number])
            else:
                del state.descriptors[number]
    close_streams(reversed(descriptors))


def flush_all(state: State) -> None:
    """Flush the input of kept substitutions between two lines of a prompt."""
    for descriptor in tuple(state.session.substitutions.values()):
        if descriptor.writer is not None:
            descriptor.writer.flush()


class SubstitutionStream:
    """A stream whose `close` waits for the commands of a substitution to end."""

    __slots__ = ("_end",)

    def __init__(self, end: Callable[[], object]) -> None:
        self._end: Callable[[], object] | None = end

    def tell(self) -> int:
        """Raise ESPIPE, like a pipe."""
        raise failure(ESPIPE, "")

    def close(self) -> None:
        """Wait for the commands, which read the rest or can write no more."""
        if self._end is not None:
            end, self._end = self._end, None
            try:  # noqa: SIM105 - contextlib is slow to load
                end()
            except ReaderGone:
                pass


def register_descriptor(state: State, descriptor: Descriptor, end: Callable[[], object]) -> str:
    """Register a descriptor for all states of the shell until it is closed; return its path."""
    substitutions = state.session.substitutions
    number = FIRST_SUBSTITUTION_FD
    while number in substitutions or number in state.descriptors:
        number = (
            number - 1
            if LAST_SUBSTITUTION_FD < number <= FIRST_SUBSTITUTION_FD
            else max(number, FIRST_SUBSTITUTION_FD) + 1
        )

    def close() -> None:
        substitutions.pop(number, None)
        end()

    descriptor.close_with(SubstitutionStream(close))  # type: ignore[arg-type]  # only `tell` and `close` are used
    substitutions[number] = descriptor
    connect_descriptor(state, number, descriptor)
    return f"/dev/fd/{number}"
