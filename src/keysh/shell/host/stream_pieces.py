"""What `Shell.stream` yields: pieces of output, and the result at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from keysh.shell.run_result import Result


class StdoutPiece(NamedTuple):
    """A piece of standard output.

    kind  "stdout"
    text  the piece
    """

    kind: Literal["stdout"]
    text: str


class StderrPiece(NamedTuple):
    """A piece of standard error.

    kind  "stderr"
    text  the piece
    """

    kind: Literal["stderr"]
    text: str


class StreamEnd(NamedTuple):
    """The end of a script.

    kind    "end"
    result  its result
    """

    kind: Literal["end"]
    result: Result


StreamPiece: TypeAlias = StdoutPiece | StderrPiece | StreamEnd
for public in (StdoutPiece, StderrPiece, StreamEnd):
    public.__module__ = "keysh"


def piece_of(kind: str, thing: str | Result) -> StreamPiece:
    """Return the piece of a kind."""
    if kind == "stdout":
        return StdoutPiece("stdout", thing)  # type: ignore[arg-type]
    if kind == "stderr":
        return StderrPiece("stderr", thing)  # type: ignore[arg-type]
    return StreamEnd("end", thing)  # type: ignore[arg-type]
