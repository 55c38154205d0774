"""Process substitution: `<(…)` and `>(…)` are paths in /dev/fd of what runs beside a command."""

from __future__ import annotations

from errno import ESPIPE

from keysh.diagnostics.errors import failure
from keysh.interp.engine.pipeline import Sink, run_subshell
from keysh.interp.engine.strand import PullPipe
from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.streams.descriptors import Descriptor, close_streams
from keysh.interp.streams.redirects import connect_descriptor
from keysh.interp.streams.streams import Reader, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

FIRST_SUBSTITUTION_FD, LAST_SUBSTITUTION_FD = (
    63,
    10,
)  # as bash numbers them, downwards; more than those go up from there


def source_path(state: State, body: Body) -> str:
    """`<(…)`: what reads the path reads the output of the commands."""
    child = fork_for_substitution(state)

    def write(put: Callable[[str], None]) -> None:
        child.set_out(Writer(put))
        run_subshell(child, body)

    supply = PullPipe(state, write)
    return register_descriptor(state, Descriptor(reader=Reader(supply.chunks())), supply.end)


def fork_for_substitution(state: State) -> State:
    """What the commands run in; a `break` ends them, as in bash."""
    child = state.fork_concurrent()
    child.loops = state.loops
    return child


def target_path(state: State, body: Body) -> str:
    """`>(…)`: what is written to the path is the input of the commands."""
    child = fork_for_substitution(state)

    def read(reader: Reader) -> None:
        child.set_stdin(reader)
        run_subshell(child, body)

    sink = Sink(state, read)
    return register_descriptor(state, Descriptor(writer=Writer(sink.write, sink.flush)), sink.end)


def end_with_run(state: State, standard: dict[int, Descriptor]) -> None:
    """End those that `exec` has kept, the newest first, for it may write to an older one.

    What they print belongs to the run. What led to them leads where it did before all runs.
    """
    kept = tuple(state.session.substitutions.values())
    for number, descriptor in tuple(state.descriptors.items()):
        if descriptor in kept:
            if number in standard:
                connect_descriptor(state, number, standard[number])
            else:
                del state.descriptors[number]
    close_streams(reversed(kept))


def flush_all(state: State) -> None:
    """Between two lines of a prompt, let those that `exec` has kept read what there is."""
    for descriptor in tuple(state.session.substitutions.values()):
        if descriptor.writer is not None:
            descriptor.writer.flush()


class SubstitutionStream:
    """The stream of a substitution, of which only the end matters: its commands come to theirs."""

    __slots__ = ("_end",)

    def __init__(self, end: Callable[[], object]) -> None:
        self._end: Callable[[], object] | None = end

    def tell(self) -> int:
        """It is a pipe, which has no places."""
        raise failure(ESPIPE, "")

    def close(self) -> None:
        """Wait for the commands, which read the rest, or write no more."""
        if self._end is not None:
            end, self._end = self._end, None
            try:  # noqa: SIM105 - contextlib is slow to load
                end()
            except ReaderGone:
                pass


def register_descriptor(state: State, descriptor: Descriptor, end: Callable[[], object]) -> str:
    """The path of a new descriptor, which all states of the shell find until it is closed."""
    open_ones = state.session.substitutions
    number = FIRST_SUBSTITUTION_FD
    while number in open_ones or number in state.descriptors:
        number = (
            number - 1
            if LAST_SUBSTITUTION_FD < number <= FIRST_SUBSTITUTION_FD
            else max(number, FIRST_SUBSTITUTION_FD) + 1
        )

    def close() -> None:
        open_ones.pop(number, None)
        end()

    descriptor.stream = SubstitutionStream(close)  # type: ignore[assignment]  # of a stream, only the end
    state.descriptors[number] = open_ones[number] = descriptor
    return f"/dev/fd/{number}"
