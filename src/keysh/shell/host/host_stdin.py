"""Standard input as a host passes it to a run: a string, bytes, an open file, or an iterable."""

from __future__ import annotations

from keysh.interp.engine.thread_handoff import read_on_thread
from keysh.interp.streams.streams import Reader, TextReader
from keysh.text.chunks import Decoder, decode_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, TypeAlias

    from keysh.interp.state.state import State

    Stdin: TypeAlias = str | bytes | Iterable[str | bytes] | IO[str] | IO[bytes] | None

FIRST_READ_SIZE, READ_SIZE = 4096, 65536


def reader_of_stdin(stdin: Stdin, state: State) -> Reader:
    """Return a reader of what a host passes as standard input.

    A source that may block is read on a thread of its own if the run must be able to end meanwhile.
    """
    if stdin is None:
        return Reader(())
    if isinstance(stdin, str):
        return TextReader(stdin)
    if isinstance(stdin, bytes):
        return TextReader(stdin.decode("utf-8", "surrogateescape"))
    read = getattr(stdin, "read", None)
    chunks = iterable_chunks(stdin) if read is None else file_chunks(read)
    may_block = state.budget.ends_early and not isinstance(stdin, list | tuple)
    return Reader(read_on_thread(state, chunks) if may_block else chunks)


def file_chunks(read: Callable[[int], str | bytes]) -> Iterator[str]:
    """Yield the text of an open file, whether it is read as text or as bytes."""
    first = read(FIRST_READ_SIZE)
    if isinstance(first, str):
        while first:
            yield first  # type: ignore[misc]
            first = read(READ_SIZE)
        return
    pending: list[bytes] = [first]
    yield from decode_chunks(lambda size: pending.pop() if pending else read(size))  # type: ignore[arg-type,return-value]


def iterable_chunks(pieces: Iterable[str | bytes]) -> Iterator[str]:
    """Yield the pieces as text; a character may be split between two pieces of bytes."""
    decoder = Decoder()
    for piece in pieces:
        text = piece if isinstance(piece, str) else decoder.decode(piece)
        if text:
            yield text
    if rest := decoder.finish():
        yield rest
