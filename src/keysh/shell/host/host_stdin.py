"""Standard input as a host passes it to a run: a string, bytes, an open file, or an iterable."""

from __future__ import annotations

from keysh.interp.engine.thread_handoff import read_on_thread
from keysh.interp.streams.streams import Reader, TextReader
from keysh.text.chunks import Decoder, decode_chunks, text_of_bytes
from keysh.values import plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, NoReturn, TypeAlias

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
        return TextReader(plain_text(stdin))
    if isinstance(stdin, bytes | bytearray | memoryview):
        return TextReader(text_of_bytes(bytes(stdin)))
    read = getattr(stdin, "read", None)
    chunks = iterable_chunks(stdin) if read is None else file_chunks(read)
    may_block = state.budget.ends_early and not isinstance(stdin, list | tuple)
    return Reader(read_on_thread(state, chunks) if may_block else chunks)


def file_chunks(read: Callable[[int], str | bytes]) -> Iterator[str]:
    """Yield the text of an open file, whether it is read as text or as bytes."""
    first = read(FIRST_READ_SIZE)
    if isinstance(first, str):
        while first:
            yield input_text(first)
            first = read(READ_SIZE)
        return
    pending: list[object] = [first]
    yield from decode_chunks(lambda size: input_bytes(pending.pop() if pending else read(size)))


def input_text(piece: object) -> str:
    """Return a piece of text input; TypeError for anything else."""
    if not issubclass(type(piece), str):
        refuse_piece(piece, "text, as the piece before it")
    return plain_text(piece)  # type: ignore[arg-type]


def input_bytes(piece: object) -> bytes:
    """Return a piece of bytes input; TypeError for anything else."""
    if not isinstance(piece, bytes | bytearray | memoryview):
        refuse_piece(piece, "text or bytes")
    return bytes(piece)


def refuse_piece(piece: object, requirement: str) -> NoReturn:
    raise TypeError(f"a piece of stdin must be {requirement}, but is {type(piece).__name__}")


def iterable_chunks(pieces: Iterable[str | bytes]) -> Iterator[str]:
    """Yield the pieces as text; a character may be split between two pieces of bytes."""
    decoder = Decoder()
    for piece in pieces:
        text = input_text(piece) if isinstance(piece, str) else decoder.decode(input_bytes(piece))
        if text:
            yield text
    if rest := decoder.finish():
        yield rest
