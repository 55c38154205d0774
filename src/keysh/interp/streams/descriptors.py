"""Descriptors: the open files and pipes behind the numbers of redirections."""

from __future__ import annotations

import errno
import os

from keysh.diagnostics.exceptions import UnwritableOutput, failure
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.streams.streams import Reader, Writer, file_output, reader_of
from keysh.text.chunks import bytes_of_text, text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Protocol, TypeAlias

    from keysh.interp.streams.open_files import OpenFile
    from keysh.vfs.stream import Stream

    # What redirections change: a state's descriptors and its three streams.
    Saved: TypeAlias = "list[Any]"

    class StandardStreams(Protocol):
        """The three streams of a call."""

        source: Reader
        out: Writer
        err: Writer


NOBODY: set[object] = set()  # the users of a descriptor without a stream, for good


class Descriptor:
    """An open file or pipe. After `n>&m` both numbers share one descriptor.

    A kernel counts the processes that have a file open and closes it when the last one does. Here
    the states are the processes: `users` holds those that have the stream open. A fork that has
    not announced itself may use the stream, but cannot close it under its parent.
    """

    __slots__ = ("reader", "stream", "users", "writer")

    def __init__(
        self,
        reader: Reader | None = None,
        writer: Writer | None = None,
        stream: Stream | None = None,
    ) -> None:
        self.reader, self.writer, self.stream = reader, writer, stream
        self.users: set[object] = NOBODY if stream is None else set()

    def close_with(self, stream: Stream) -> None:
        """Set the stream that the last user closes."""
        self.stream, self.users = stream, set()

    def release(self, state: object) -> None:
        """Close the stream for a state; the last user closes it for good."""
        self.users.discard(state)  # atomic, as jobs run on other threads
        if not self.users and self.stream is not None:
            self.stream.close()


def file_descriptor(stream: Stream, *, reads: bool, writes: bool) -> Descriptor:
    """Return a descriptor for an open file."""
    if reads and writes and is_seekable(stream):
        return two_way_descriptor(stream)
    if is_open_file(stream):
        from keysh.interp.streams.open_files import FileReader, FileWriter  # noqa: PLC0415 - often none

        file: OpenFile = stream  # type: ignore[assignment]
        return Descriptor(
            FileReader(file) if reads else None, FileWriter(file) if writes else None, stream
        )
    # A FIFO in memory has a reader of its own.
    make_reader = getattr(stream, "text_reader", None)
    reader = None if not reads else make_reader() if make_reader else reader_of(stream)
    return Descriptor(reader, Writer(file_output(stream)) if writes else None, stream)


def two_way_descriptor(stream: Stream) -> Descriptor:
    """Return a descriptor for a file that is read and written at one shared offset."""
    from keysh.interp.streams.open_files import (  # noqa: PLC0415 - `<>` is rare
        FileReader,
        SeekableReader,
        shared_writer,
    )

    reader: SeekableReader
    if is_open_file(stream):
        file: OpenFile = stream  # type: ignore[assignment]
        reader = FileReader(file)
    else:
        reader = SeekableReader(stream)
    return Descriptor(reader, shared_writer(reader, stream), stream)


def is_open_file(stream: Stream) -> bool:
    """Whether a stream has a descriptor of the host; `BytesIO` only has the method."""
    try:
        stream.fileno()  # type: ignore[attr-defined]
    except (AttributeError, OSError):
        return False
    return True


def is_seekable(stream: Stream) -> bool:
    """Whether a stream has an offset, as a file has and a terminal has not."""
    try:
        stream.tell()
    except OSError:
        return False
    return True


NO_INPUT = Reader(())


class FailingChunks:
    """Chunks that fail each time they are read: a closed descriptor, or a directory."""

    __slots__ = ("_number",)

    def __init__(self, number: int) -> None:
        self._number = number

    def __iter__(self) -> FailingChunks:
        return self

    def __next__(self) -> str:
        raise OSError(self._number, os.strerror(self._number))  # no file name is involved


CLOSED_READER = Reader(FailingChunks(errno.EBADF))
DIRECTORY_READER = Reader(FailingChunks(errno.EISDIR))


def refuse_write(text: str) -> None:
    """Fail like a write to a closed descriptor."""
    raise UnwritableOutput(failure(errno.EBADF, ""))


CLOSED_WRITER = Writer(refuse_write)
# If standard error is closed, messages vanish; that does not fail the command.
DISCARD_WRITER = Writer(lambda text: None)


STANDARD_DEVICES = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def device_descriptor_number(path: str) -> int | None:
    """Return the descriptor number of `/dev/stdin`, `/dev/fd/N` and so on; None for other paths."""
    if path in STANDARD_DEVICES:
        return STANDARD_DEVICES[path]
    if not path.startswith("/dev/fd/"):
        return None
    from keysh.text.shell_numbers import bounded_number, is_digits  # noqa: PLC0415 - few paths are descriptors

    return bounded_number(path[8:]) if is_digits(path[8:]) else None


class DescriptorStream:
    """A byte stream on a descriptor, as `open("/dev/stdin")` returns it."""

    __slots__ = ("_chunks", "_descriptor", "_rest")

    def __init__(self, descriptor: Descriptor) -> None:
        self._descriptor = descriptor
        reader = descriptor.reader
        self._chunks = iter(()) if reader is None else reader.chunks()
        self._rest = b""

    def read(self, size: int = -1, /) -> bytes:
        """Return the bytes available now."""
        if self._descriptor.reader is None:
            raise failure(errno.EBADF, "")
        if size < 0:
            data = self._rest + b"".join(map(bytes_of_text, self._chunks))
            self._rest = b""
            return data
        if not self._rest:
            self._rest = bytes_of_text(next(self._chunks, ""))
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def write(self, data: bytes, /) -> int:
        """Write all bytes."""
        if self._descriptor.writer is None:
            raise failure(errno.EBADF, "")
        try:
            self._descriptor.writer.write(text_of_bytes(data))
        except UnwritableOutput as refused:
            raise refused.error from None
        return len(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        raise failure(errno.ESPIPE, "")

    def tell(self) -> int:
        raise failure(errno.ESPIPE, "")

    def truncate(self, size: int | None = None, /) -> int:
        raise failure(errno.EINVAL, "")

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def close(self) -> None:
        """Do nothing: the descriptor belongs to the shell."""

    def __enter__(self) -> DescriptorStream:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def device_stream(
    path: str, call: StandardStreams, descriptors: Mapping[int, Descriptor]
) -> DescriptorStream | None:
    """Return a call's stream for `/dev/stdin` or `/dev/fd/N`; None for any other path."""
    number = device_descriptor_number(path)
    if number is None:
        return None
    if number == 0:
        return DescriptorStream(Descriptor(reader=call.source))
    if number in (1, 2):
        return DescriptorStream(Descriptor(writer=call.out if number == 1 else call.err))
    if number not in descriptors:
        raise failure(errno.ENOENT, path)
    return DescriptorStream(descriptors[number])


def hold_streams(state: object, descriptors: Iterable[Descriptor]) -> None:
    """Make a fork a user of the streams that it has inherited."""
    for descriptor in descriptors:
        if descriptor.stream is not None:
            descriptor.users.add(state)


def release_streams(state: object, descriptors: Iterable[Descriptor]) -> None:
    """Close streams for a state that no longer leads to them."""
    open_ones = [descriptor for descriptor in descriptors if descriptor.stream is not None]
    for descriptor in dict.fromkeys(open_ones):
        descriptor.release(state)


def close_streams(descriptors: Iterable[Descriptor]) -> None:
    """Close files that a script left open, for example with `exec 3>file`, whoever uses them.

    All are closed, even if the run has reached a limit or a disk of the host is full: a command
    that reads one has to end, too.
    """
    failed: LimitReached | OSError | None = None
    for descriptor in descriptors:
        if descriptor.stream is not None:
            try:
                descriptor.stream.close()
            except (LimitReached, OSError) as error:
                failed = failed if isinstance(failed, LimitReached) else error
    if failed is not None:
        raise failed
