"""OpenStreams: files that a run has opened for writing, and that a later one may still write to."""

from __future__ import annotations

import os
from weakref import ref

from keysh.vfs.api import LinkInPath, identity, identity_of
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.vfs.api import FileSystem, Stream

    Reference = Callable[[], Stream | None]

MAX_FOLLOWED_STREAMS = 1000  # then those that are closed are forgotten


class OpenStreams:
    """Streams with the paths at which their files are."""

    __slots__ = ("_forget_at", "_fs", "_streams")

    def __init__(self, fs: FileSystem) -> None:
        self._fs = fs
        self._streams: list[tuple[Reference, str]] = []
        self._forget_at = MAX_FOLLOWED_STREAMS

    def add(self, path: str, stream: Stream) -> None:
        """Follow a stream."""
        try:
            reference: Reference = ref(stream)
        except TypeError:  # a host's own class, whose objects have no weak references
            reference = StrongReference(stream)
        self._streams.append((reference, path))
        if len(self._streams) > self._forget_at:
            self.forget_closed()
            self._forget_at = max(MAX_FOLLOWED_STREAMS, 2 * len(self._streams))

    def rename(self, old: str, new: str) -> None:
        """Note that a file or a directory has been renamed."""
        self._streams = [
            (stream, new + path[len(old) :] if is_below(path, old) else path)
            for stream, path in self._streams
        ]

    def forget_closed(self) -> None:
        """Forget the streams that are closed."""
        self._streams = [
            (reference, path)
            for reference, path in self._streams
            if (stream := reference()) is not None and is_open(stream)
        ]

    def paths(self, reasons: dict[str, None]) -> Iterator[str]:
        """Yield the paths of the open files; a file that has another one by now is searched for."""
        if not self._streams:
            return
        self.forget_closed()
        present = []
        for reference, path in self._streams:
            stream = reference()
            at = path if stream is None else self._present_path(stream, path)
            present.append((reference, at or path))
            if at:
                yield at
            elif stream is not None and has_name(stream):
                reasons[f"a file that is open for writing is no longer at {path}"] = None
        self._streams = present

    def _present_path(self, stream: Stream, path: str) -> str:
        """Return where the file of a stream is; "" if it is nowhere to be found."""
        number = descriptor_of(stream)
        wanted = None if number is None else identity_of(number)
        try:
            stat = self._fs.stat(path)
            if stat.is_file and (wanted is None or identity(stat) == wanted):
                return path
        except (OSError, LinkInPath):
            pass
        return ""


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


def descriptor_of(stream: Stream) -> int | None:
    """Return the descriptor of a file of this machine; None for any other stream."""
    number = getattr(stream, "fileno", None)
    return None if number is None else number()


def has_name(stream: Stream) -> bool:
    """Whether a file of this machine still has a name anywhere."""

    number = descriptor_of(stream)
    return number is not None and os.fstat(number).st_nlink > 0
