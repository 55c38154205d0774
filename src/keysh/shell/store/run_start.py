"""RunStart: what a shell was when a run began, for a run that cannot be stored.

It is a twin of the state, as a fork has one. Like a process that was forked, the twin keeps the
files of the store open that the run closes. Pipes and other streams are not kept: whoever waits for
their end would wait for the end of the run.
"""

from __future__ import annotations

from keysh.interp.streams.descriptor_table import refresh_stream
from keysh.interp.streams.descriptors import file_descriptor, release_streams
from keysh.shell.history.forks import copy_state
from keysh.text.chunks import bytes_of_text
from keysh.vfs.sqlite.stream import SqliteStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.interp.streams.descriptors import Descriptor

STANDARD_DESCRIPTORS = (0, 1, 2)


class RunStart:
    """A state before a run."""

    __slots__ = ("_files", "_random", "_traps", "_twin")

    def __init__(self, state: State) -> None:
        self._twin = twin = state.fork_concurrent()
        self._traps = state.traps.copy()
        self._random = None if state.own_random is None else state.own_random.getstate()
        # The open files of the store, with the offset up to which a script has read or written.
        self._files: dict[Descriptor, int] = {}
        for descriptor in twin.descriptors.values():
            if isinstance(descriptor.stream, SqliteStream):
                descriptor.users.add(twin)
                self._files[descriptor] = offset_of(descriptor, descriptor.stream)

    def forget(self) -> None:
        """Close what the run has closed: it was stored."""
        release_streams(self._twin, self._files)

    def restore(self, state: State) -> None:
        """Make a state what it was, once the files of the store are what they were."""
        copy_state(self._twin, state)
        state.traps, state.background_job = self._traps, self._twin.background_job
        if self._random is not None:
            from random import Random  # noqa: PLC0415 - few scripts seed one

            state.own_random = Random()
            state.own_random.setstate(self._random)
        left = state.descriptors
        again = {
            descriptor: descriptor_again(descriptor, offset)
            for descriptor, offset in self._files.items()
        }
        state.descriptors = {
            number: again.get(descriptor, descriptor)
            for number, descriptor in self._twin.descriptors.items()
            if descriptor.stream is None or descriptor.users
        }
        for descriptor in again.values():
            descriptor.users.add(state)
        state.stdin, state.out, state.err = self._twin.stdin, self._twin.out, self._twin.err
        for number in STANDARD_DESCRIPTORS:
            if state.descriptors.get(number) is not self._twin.descriptors.get(number):
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
