"""A command that reads the file it appends to.

Its own output must not become its input, or it would never end. The file is read only up to the
size that it had when it was opened.
"""

from __future__ import annotations

from keysh.vfs.api import identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from keysh.interp.streams.descriptors import Descriptor
    from keysh.interp.streams.streams import Reader, Writer
    from keysh.vfs.api import Identity
    from keysh.vfs.stream import Stream

    class DescriptorState(Protocol):
        """The part of a state that is used here: its descriptors and its parent."""

        @property
        def descriptors(self) -> Mapping[int, Descriptor]: ...
        @property
        def parent(self) -> DescriptorState | None: ...

    class CallEnds(Protocol):
        """The part of a call that is used here: its streams."""

        source: Reader
        out: Writer

        @property
        def output(self) -> Stream | Writer | None: ...


class BoundedFile:
    """An open file that is read only up to its current size."""

    __slots__ = ("_end", "_place", "_stream", "_writes")

    def __init__(self, stream: Stream, writes: Callable[[Stream], bool] | None = None) -> None:
        """`writes`, called at the original end, says whether the command itself writes the file."""
        self._stream, self._writes = stream, writes
        self._place = stream.tell()
        self._end = stream.seek(0, 2)
        stream.seek(self._place)

    def read(self, size: int = -1, /) -> bytes:
        """Return bytes before the original end."""
        remaining = self._end - self._place
        if remaining <= 0:
            if self._writes is None or self._writes(self._stream):
                return b""
            return self._stream.read(size)
        data = self._stream.read(remaining if size < 0 else min(size, remaining))
        self._place += len(data)
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move the offset."""
        self._place = self._stream.seek(offset, whence)
        return self._place

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> BoundedFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stream.close()


def file_identity(stream: Stream | Reader | Writer) -> Identity | None:
    """Return the identity of an open regular file; None for anything else."""
    number = getattr(stream, "fd", -1)
    if number >= 0:
        return identity_of(number)
    identity = getattr(stream, "identity", None)
    return None if identity is None else identity()


def are_same_file(first: Stream | Reader | Writer, second: Stream | Reader | Writer) -> bool:
    """Whether both are the same regular file."""
    identity = file_identity(first)
    return identity is not None and identity == file_identity(second)


def is_written_by(state: DescriptorState | None, stream: Stream) -> bool:
    """Whether a redirection of the state or one of its parents writes to the stream."""
    while state is not None:
        for descriptor in state.descriptors.values():
            if descriptor.writer is not None and are_same_file(
                descriptor.stream or descriptor.writer, stream
            ):
                return True
        state = state.parent
    return False


def bounded_input(stream: Stream, call: CallEnds, state: DescriptorState) -> Stream:
    """Return a stream opened for reading, bounded if it is also the command's output.

    In a pipeline a later stage may append to the file. That stage has not started yet, so the
    check is made when the end is reached.
    """
    output = call.output
    if output is not None:
        return BoundedFile(stream) if are_same_file(output, stream) else stream
    if call.out.fd >= 0 or file_identity(stream) is None:
        return stream
    return BoundedFile(stream, lambda own: is_written_by(state, own))
