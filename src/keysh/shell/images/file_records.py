"""Trees of files in an image: directories, files, links and named pipes, by value.

Each record is a list: the kind, the path, and what the kind has. Times are in nanoseconds after the
record before, which makes them short; the first one counts from 1970.

    ["d", path, mode, time]              ["f", path, mode, time, content]
    ["l", path, target, time]            ["h", path, the path that it is another name of]
    ["p", path, mode, time]

A content is text, or bytes as `{"$": index of a blob}` where they are many or no text.
"""

from __future__ import annotations

import stat as kinds
from functools import partial

from keysh.diagnostics.exceptions import ImageError
from keysh.shell.images.container import MIN_BLOB_BYTES
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.memory.whole_files import add_file
from keysh.vfs.paths import join
from keysh.vfs.stream import complete_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.shell.images.container import BlobStore
    from keysh.vfs.api import FileSystem, Stat

PERMISSION_BITS = 0o7777


class TreeRecorder:
    """Makes the records of one tree."""

    __slots__ = ("_blobs", "_first_names", "_fs", "_time", "records")

    def __init__(self, fs: FileSystem, blobs: BlobStore) -> None:
        self._fs, self._blobs = fs, blobs
        self._first_names: dict[int, str] = {}  # by inode, of files with several names
        self._time = 0
        self.records: list[list[Any]] = []

    def add_tree(self, path: str) -> None:
        """Add a directory and everything below it."""
        self.add(path, self._fs.stat(path))
        pending = [path]
        while pending:
            directory = pending.pop()
            for entry in self._fs.list(directory):  # in the order in which they are listed later
                below = join(directory, entry.name)
                stat = self._fs.stat(below)
                self.add(below, stat)
                if stat.is_directory:
                    pending.append(below)

    def add(self, path: str, stat: Stat) -> None:
        """Add one path."""
        if stat.is_link:
            target = self._fs.read_link(path)
            self.records.append(["l", path, target, self._later(stat.modified)])
            return
        mode = stat.mode & PERMISSION_BITS
        if stat.is_directory:
            self.records.append(["d", path, mode, self._later(stat.modified)])
            return
        if kinds.S_ISFIFO(stat.mode):
            self.records.append(["p", path, mode, self._later(stat.modified)])
            return
        if not stat.is_file:
            raise ImageError(
                f"an image cannot hold {path}, which is no file, directory, link or pipe"
            )
        if stat.links > 1:
            first = self._first_names.setdefault(stat.inode, path)
            if first != path:
                self.records.append(["h", path, first])
                return
        with complete_stream(self._fs.open(path, "r")) as stream:
            content = stream.read()
        self.records.append(["f", path, mode, self._later(stat.modified), self._content(content)])

    def _later(self, time: int) -> int:
        """Return a time relative to that of the record before."""
        difference, self._time = time - self._time, time
        return difference

    def _content(self, content: bytes) -> Any:
        if len(content) < MIN_BLOB_BYTES:
            try:
                return content.decode()
            except UnicodeDecodeError:
                pass
        return {"$": self._blobs.add(content)}


def make_tree(fs: FileSystem, records: Sequence[Any], blobs: Sequence[bytes]) -> None:
    """Make what the records say in a file system that has only its root, or lacks these paths.

    Times and modes of directories are set last, when nothing is made in them any more.
    """
    time = 0
    directories: list[tuple[str, int, int]] = []
    make_file = partial(add_file, fs) if isinstance(fs, MemoryFS) else partial(write_file, fs)
    for record in records:
        match record:
            case ["f", str(path), int(mode), int(later), content]:  # most are files
                time += later
                make_file(path, bytes_of_content(content, blobs), mode & PERMISSION_BITS, time)
            case ["d", str(path), int(mode), int(later)]:
                time += later
                if path != "/" and not is_directory(fs, path):
                    fs.make_directory(path, 0o777)
                directories.append((path, mode & PERMISSION_BITS, time))
            case ["l", str(path), str(target), int(later)]:
                time += later
                fs.make_link(target, path)
                fs.set_times(path, time, time)
            case ["p", str(path), int(mode), int(later)]:
                time += later
                fs.make_fifo(path, mode & PERMISSION_BITS)
                fs.set_mode(path, mode & PERMISSION_BITS)
                fs.set_times(path, time, time)
            case ["h", str(path), str(first)]:
                fs.link(first, path)
            case _:
                raise ImageError("the image is damaged: a file is described by no record")
    for path, mode, time in reversed(directories):
        fs.set_mode(path, mode)
        fs.set_times(path, time, time)


def write_file(fs: FileSystem, path: str, content: bytes, mode: int, time: int) -> None:
    """Make a file with its content, mode and time."""
    with complete_stream(fs.open(path, "x", mode)) as stream:
        stream.write(content)
    fs.set_mode(path, mode)
    fs.set_times(path, time, time)


def is_directory(fs: FileSystem, path: str) -> bool:
    """Whether there is a directory already, as below an overlay."""
    try:
        return fs.stat(path).is_directory
    except OSError:
        return False


def bytes_of_content(content: Any, blobs: Sequence[bytes]) -> bytes:
    """Return the bytes of a content."""
    match content:
        case str():
            try:
                return content.encode()
            except UnicodeEncodeError:
                pass
        case {"$": int(index)} if 0 <= index < len(blobs):
            return blobs[index]
    raise ImageError("the image is damaged: a file has no content")
