"""Standing: input, clock, chance and leave, as a shell is given them by its host."""

from __future__ import annotations

from time import time_ns

from keysh.interp.engine.strand import read_on_thread
from keysh.interp.streams.streams import Reader, TextReader
from keysh.text.chunks import Decoder, decode_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random
    from typing import IO, Any, TypeAlias

    from keysh.diagnostics.source import Source
    from keysh.interp.run.network import Network
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    Stdin: TypeAlias = str | bytes | Iterable[str | bytes] | IO[str] | IO[bytes] | None


def input_of(given: Stdin, state: State) -> Reader:
    """What a host gives as standard input.

    What may block is read on a thread of its own, where the run must not wait for it.
    """
    if given is None:
        return Reader(())
    if isinstance(given, str):
        return TextReader(given)
    if isinstance(given, bytes):
        return TextReader(given.decode("utf-8", "surrogateescape"))
    read = getattr(given, "read", None)
    chunks = pieces(given) if read is None else from_file(read)
    blocks = state.budget.ends_early and not isinstance(given, list | tuple)
    return Reader(read_on_thread(state, chunks) if blocks else chunks)


def from_file(read: Callable[[int], str | bytes]) -> Iterator[str]:
    """The text of an open file, of text or of bytes."""
    first = read(4096)
    if isinstance(first, str):
        while first:
            yield first  # type: ignore[misc]
            first = read(65536)
        return
    waiting: list[bytes] = [first]
    yield from decode_chunks(lambda size: waiting.pop() if waiting else read(size))  # type: ignore[arg-type,return-value]


def pieces(given: Iterable[str | bytes]) -> Iterator[str]:
    """The pieces of an iterator; a character may reach from one piece of bytes into the next."""
    decoder = Decoder()
    for piece in given:
        text = piece if isinstance(piece, str) else decoder.decode(piece)
        if text:
            yield text
    if rest := decoder.finish():
        yield rest


def clock_of(clock: Callable[[], float] | float | None) -> Callable[[], int]:
    """The clock a host asks for, in nanoseconds: its own in seconds, a fixed one, or the real."""
    if clock is None:
        return time_ns
    if callable(clock):
        return lambda: round(clock() * 1_000_000_000)
    fixed = round(clock * 1_000_000_000)
    return lambda: fixed


def chance_of(seed: int | None) -> Callable[[], Random]:
    """Where chance comes from: the same numbers each time where there is a seed."""
    made: list[Random] = []

    def chance() -> Random:
        if not made:
            from random import Random  # noqa: PLC0415 - 3 ms that most scripts do not need

            made.append(Random(seed))
        return made[0]

    return chance


def opened(network: Network | bool) -> Network | None:
    """What a host lets scripts reach."""
    from keysh.interp.run.network import network_of  # noqa: PLC0415 - most hosts open none

    return network_of(network)


def asking(
    on_command: Callable[[str, list[object], Any], object],
) -> Callable[[str, list[object], Source, Node], str | None]:
    """The host's question before each command: None, or why it may not run."""

    def ask(name: str, arguments: list[object], source: Source, node: Node) -> str | None:
        line, column = source.position(node.start)
        answer = on_command(name, arguments, (source.name, line, column))
        if answer is None or answer is True:
            return None
        return "refused by the host" if answer is False else str(answer)

    return ask
