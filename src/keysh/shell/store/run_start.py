"""RunStart: what a shell was when a run began, for a run that cannot be stored.

Like a process that was forked before the run, it keeps the files of the store open that the run
closes. Pipes and other streams are not kept: whoever waits for their end would wait for the end of
the run.
"""

from __future__ import annotations

from keysh.interp.streams.descriptor_table import refresh_stream
from keysh.interp.streams.descriptors import file_descriptor, release_streams
from keysh.shell.history.state_version import StateVersion
from keysh.text.chunks import bytes_of_text
from keysh.vfs.sqlite.stream import SqliteStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.interp.streams.descriptors import Descriptor

STANDARD_DESCRIPTORS = (0, 1, 2)


class RunStart:
    """A state before a run."""

    __slots__ = ("_background_job", "_descriptors", "_files", "_streams", "_version")

    def __init__(self, state: State) -> None:
        self._version = StateVersion(state)
        self._background_job = state.background_job
        self._descriptors = state.descriptors.copy()
        self._streams = state.stdin, state.out, state.err
        # The open files of the store, with the offset up to which a script has read or written.
        self._files: dict[Descriptor, int] = {}
        for descriptor in self._descriptors.values():
            if isinstance(descriptor.stream, SqliteStream):
                descriptor.users.add(self)
                self._files[descriptor] = offset_of(descriptor, descriptor.stream)

    def is_of(self, state: State) -> bool:
        """Whether the run has changed nothing in the state."""
        return self._version.is_of(state)

    def forget(self) -> None:
        """Close what the run has closed: it was stored."""
        release_streams(self, self._files)

    def restore(self, state: State) -> None:
        """Make a state what it was, once the files of the store are what they were."""
        self._version.put_into(state)
        state.background_job = self._background_job
        left = state.descriptors
        again = {
            descriptor: descriptor_again(descriptor, offset)
            for descriptor, offset in self._files.items()
        }
        state.descriptors = {
            number: again.get(descriptor, descriptor)
            for number, descriptor in self._descriptors.items()
            if descriptor.stream is None or descriptor.users
        }
        for descriptor in again.values():
            descriptor.users.add(state)
        state.stdin, state.out, state.err = self._streams
        for number in STANDARD_DESCRIPTORS:
            if state.descriptors.get(number) is not self._descriptors.get(number):
                refresh_stream(state, number)
        kept = set(state.descriptors.values())
        release_streams(
            state, [one for one in left.values() if one not in kept and one not in again]
        )


def offset_of(descriptor: Descriptor, stream: SqliteStream) -> int:
    """Return the offset of what a script reads or writes next."""
    reader = descriptor.reader
    unread = 0 if reader is None else len(bytes_of_text(reader.unread_text()))
    return stream.tell() - unread


def descriptor_again(descriptor: Descriptor, offset: int) -> Descriptor:
    """Return a descriptor of the same open file, with the same users, at an offset."""
    stream = descriptor.stream
    assert stream is not None
    stream.seek(offset)
    reads, writes = descriptor.reader is not None, descriptor.writer is not None
    again = file_descriptor(stream, reads=reads, writes=writes)
    again.users = descriptor.users
    return again
