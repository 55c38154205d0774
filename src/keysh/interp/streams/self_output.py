"""Own output: files that are read by the command that writes to them.

What a command appends to its own input must not become more input: it would never come to an end.
So such a file is read as far as it went when it was opened.
"""

from __future__ import annotations

from keysh.vfs.api import identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from keysh.interp.streams.descriptors import Descriptor
    from keysh.interp.streams.streams import Reader, Writer
    from keysh.vfs.api import Identity, Stream

    class DescriptorState(Protocol):
        """A state: what the numbers of redirections stand for, and what it is forked from."""

        @property
        def descriptors(self) -> Mapping[int, Descriptor]: ...
        @property
        def parent(self) -> DescriptorState | None: ...

    class CallEnds(Protocol):
        """A call, as far as its own ends go."""

        stdin: Reader
        out: Writer

        @property
        def state(self) -> DescriptorState: ...
        @property
        def output(self) -> Stream | Writer | None: ...


class BoundedFile:
    """An open file as far as it goes now; all but reading is the file's own."""

    __slots__ = ("_end", "_place", "_stream", "_writes")

    def __init__(self, stream: Stream, writes: Callable[[Stream], bool] | None = None) -> None:
        """`writes` tells, when the end is reached, whether it is the command that moved it on."""
        self._stream, self._writes = stream, writes
        self._place = stream.tell()
        self._end = stream.seek(0, 2)
        stream.seek(self._place)

    def read(self, size: int = -1, /) -> bytes:
        """Bytes before the end that the file had."""
        left = self._end - self._place
        if left <= 0:
            if self._writes is None or self._writes(self._stream):
                return b""
            return self._stream.read(size)
        data = self._stream.read(left if size < 0 else min(size, left))
        self._place += len(data)
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Stand elsewhere."""
        self._place = self._stream.seek(offset, whence)
        return self._place

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> BoundedFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stream.close()


def file_identity(end: Stream | Reader | Writer) -> Identity | None:
    """What tells an open regular file from others; None for all else."""
    number = getattr(end, "fd", -1)
    if number >= 0:
        return identity_of(number)
    identity = getattr(end, "identity", None)
    return None if identity is None else identity()


def are_same_file(one: Stream | Reader | Writer, other: Stream | Reader | Writer) -> bool:
    """Whether two ends are of one regular file."""
    found = file_identity(one)
    return found is not None and found == file_identity(other)


def is_written_by(state: DescriptorState | None, stream: Stream) -> bool:
    """Whether a redirection that holds for a state, or for one it is forked from, writes to it."""
    while state is not None:
        for descriptor in state.descriptors.values():
            if descriptor.writer is not None and are_same_file(
                descriptor.stream or descriptor.writer, stream
            ):
                return True
        state = state.parent
    return False


def bounded_input(stream: Stream, call: CallEnds) -> Stream:
    """A file that a command opens to read it; as far as it goes now where it is the output too.

    What a stage of a pipeline reads may become what the next one appends to it: where that ends
    is looked at when the end is reached, for the next stage has not begun yet.
    """
    output = call.output
    if output is not None:
        return BoundedFile(stream) if are_same_file(output, stream) else stream
    if call.out.fd >= 0 or file_identity(stream) is None:
        return stream
    return BoundedFile(stream, lambda own: is_written_by(call.state, own))


def input_stream(call: CallEnds) -> Stream | Reader:
    """The file that standard input is, or what it is read by."""
    found = call.state.descriptors.get(0)
    if found is None or found.reader is not call.stdin or found.stream is None:
        return call.stdin
    return found.stream
