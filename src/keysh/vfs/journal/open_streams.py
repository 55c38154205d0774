"""OpenStreams: files that a run has opened for writing, and that a later one may still write to."""

from __future__ import annotations

import os
from weakref import ref

from keysh.vfs.api import LinkInPath, identity
from keysh.vfs.journal.linked_names import walk_readable
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeGuard

    from keysh.vfs.api import FileSystem, Identity, Stat
    from keysh.vfs.journal.version import FileIdentities, FileIdentity
    from keysh.vfs.local.stream import LocalFile
    from keysh.vfs.stream import Stream

    Reference = Callable[[], Stream | None]

MAX_FOLLOWED_STREAMS = 1000  # then those that are closed are forgotten


class FollowedStream:
    """A stream, the path of its file, and what the file is, once a run has ended."""

    __slots__ = ("file", "path", "stream")

    def __init__(self, stream: Reference, path: str) -> None:
        self.stream, self.path = stream, path
        self.file: FileIdentity | None = None


class OpenStreams:
    """The streams of one file system that write, as long as they are open and their file is there.

    Renames tell where a file is during a run. Between runs others may move it, and so may undo;
    then it is searched for.
    """

    __slots__ = ("_forget_at", "_fs", "_streams")

    def __init__(self, fs: FileSystem) -> None:
        self._fs = fs
        self._streams: list[FollowedStream] = []
        self._forget_at = MAX_FOLLOWED_STREAMS

    def add(self, path: str, stream: Stream) -> None:
        """Follow a stream."""
        try:
            reference: Reference = ref(stream)
        except TypeError:  # a host's own class, whose objects have no weak references
            reference = StrongReference(stream)
        self._streams.append(FollowedStream(reference, path))
        if len(self._streams) > self._forget_at:
            self._forget_closed()
            self._forget_at = max(MAX_FOLLOWED_STREAMS, 2 * len(self._streams))

    def rename(self, old: str, new: str) -> None:
        """Note that a file or a directory has been renamed."""
        for followed in self._streams:
            if is_below(followed.path, old):
                followed.path = new + followed.path[len(old) :]

    def remove(self, path: str, other_names: Iterable[str]) -> None:
        """Note that a name is about to be removed; the file may have others."""
        for followed in self._streams:
            if followed.path == path:
                followed.path = next((name for name in other_names if name != path), "")

    def settle(self, identities: FileIdentities) -> None:
        """Note at the end of a run which files are still open."""
        if not self._streams:
            return
        self._forget_closed()
        for followed in self._streams:
            stat = stat_or_none(self._fs, followed.path)
            followed.file = None if stat is None else identities.of(stat)

    def paths(self, reasons: dict[str, None]) -> Iterator[str]:
        """Yield the paths of the files that are open as a run begins."""
        if not self._streams:
            return
        self._forget_closed()
        for followed in self._streams:
            wanted = self._identity(followed)
            if wanted is None:
                continue
            stat = stat_or_none(self._fs, followed.path)
            if stat is None or identity(stat) != wanted:
                path = self._search(wanted)
                if not path:
                    # Only the machine tells whether it still has a name.
                    if is_of_machine(followed.stream()):
                        reasons["a file that is open for writing was not found"] = None
                    continue
                followed.path = path
            yield followed.path

    def _identity(self, followed: FollowedStream) -> Identity | None:
        """Return what the file of a stream is; None if it has no name any more."""
        stream = followed.stream()
        if is_of_machine(stream):
            status = os.fstat(stream.fileno())
            return (status.st_dev, status.st_ino) if status.st_nlink else None
        file = followed.file
        return None if file is None or not file.inode else (file.device, file.inode)

    def _search(self, wanted: Identity) -> str:
        """Return a path of a file; "" if none is found."""
        for path, stat in walk_readable(self._fs):
            if identity(stat) == wanted:
                return path
        return ""

    def _forget_closed(self) -> None:
        self._streams = [
            followed
            for followed in self._streams
            if (stream := followed.stream()) is not None and is_open(stream)
        ]


def is_of_machine(stream: Stream | None) -> TypeGuard[LocalFile]:
    """Whether a stream has a descriptor of this machine."""
    return hasattr(stream, "fileno")


def stat_or_none(fs: FileSystem, path: str) -> Stat | None:
    """Return the Stat of a regular file; None if there is none."""
    try:
        stat = fs.stat(path) if path else None
    except (OSError, LinkInPath):
        return None
    return stat if stat is not None and stat.is_file else None


class StrongReference:
    """What stands for a weak reference to an object that can have none."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def __call__(self) -> Stream:
        return self._stream


def is_open(stream: Stream) -> bool:
    """Whether a stream of a file is open."""
    try:
        stream.tell()
    except ValueError:
        return False
    except OSError:  # no regular file
        return False
    return True
