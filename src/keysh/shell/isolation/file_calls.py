"""File calls: what a RemoteFS asks for, done on the real file system.

One object serves one file system, and keeps the files that are open by their numbers.
"""

from __future__ import annotations

import errno

from keysh.diagnostics.exceptions import failure
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.vfs.paths import normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.vfs.api import FileSystem, Stat
    from keysh.vfs.stream import Stream

MAX_OPEN_FILES = 256
STAT_FIELDS = (
    "mode", "size", "modified", "accessed", "changed", "inode", "device", "links", "owner",
    "group", "blocks", "special",
)  # fmt: skip
# Verbs of a file system that return nothing, with the types of their arguments.
CHANGES: dict[str, tuple[type, ...]] = {
    "make_directory": (str, int), "remove_directory": (str,), "remove": (str,),
    "rename": (str, str), "link": (str, str), "make_link": (str, str), "set_mode": (str, int),
    "set_times": (str, int, int), "set_owner": (str, int, int),
}  # fmt: skip
ACCESSES = ("r", "w", "a", "x", "rw")


class FileCalls:
    """The files of one file system that the other side of the pipe has open."""

    __slots__ = ("_fs", "_last_number", "_streams")

    def __init__(self, fs: FileSystem) -> None:
        self._fs = fs
        self._streams: dict[int, Stream] = {}
        self._last_number = 0

    def close(self) -> None:
        """Close the files that are still open."""
        for stream in self._streams.values():
            try:
                stream.close()
            except OSError:
                continue  # the disk is full, say; the worker that could be told is gone
        self._streams.clear()

    def serve(self, verb: str, words: Any, data: bytes) -> tuple[Any, bytes]:
        """Do one verb; raise FrameError if its arguments are not what it takes."""
        if words.__class__ is not list:
            raise FrameError("a file call without arguments")
        expected = CHANGES.get(verb)
        if expected is not None:
            self._change(verb, words, expected)
            return None, b""
        match verb, words:
            case "stat", [str(path)]:
                return record_of_stat(self._fs.stat(checked_path(path))), b""
            case "list", [str(path)]:
                entries = self._fs.list(checked_path(path))
                return [[entry.name, entry.kind] for entry in entries], b""
            case "read_link", [str(path)]:
                return self._fs.read_link(checked_path(path)), b""
            case "open", [str(path), str(access), int(mode)] if access in ACCESSES:
                return self._open(checked_path(path), access, mode), b""
            case "read", [int(number), int(size)]:
                return None, self._stream(number).read(checked_size(size))
            case "write", [int(number)]:
                return self._stream(number).write(data), b""
            case "seek", [int(number), int(offset), int(whence)]:
                return self._stream(number).seek(offset, whence), b""
            case "truncate", [int(number), None | int() as size]:
                return self._stream(number).truncate(size), b""
            case "flush", [int(number)]:
                self._stream(number).flush()
                return None, b""
            case "close", [int(number)]:
                stream = self._streams.pop(number, None)
                if stream is not None:
                    stream.close()
                return None, b""
        raise FrameError("an unknown file call")

    def _change(self, verb: str, words: list[Any], expected: tuple[type, ...]) -> None:
        checked_words(words, expected)
        # The text of a link is no path.
        for path in words[1:] if verb == "make_link" else words:
            if isinstance(path, str):
                checked_path(path)
        getattr(self._fs, verb)(*words)

    def _open(self, path: str, access: Any, mode: int) -> int:
        if len(self._streams) >= MAX_OPEN_FILES:
            raise failure(errno.EMFILE, path)
        stream = self._fs.open(path, access, mode & 0o7777)
        self._last_number += 1
        self._streams[self._last_number] = stream
        return self._last_number

    def _stream(self, number: int) -> Stream:
        stream = self._streams.get(number)
        if stream is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        return stream


def checked_words(words: list[Any], expected: tuple[type, ...]) -> None:
    """Raise FrameError for arguments of other types."""
    if len(words) != len(expected):
        raise FrameError("a file call with other arguments")
    for word, kind in zip(words, expected, strict=True):
        if type(word) is not kind:
            raise FrameError("a file call with other arguments")
        if isinstance(word, int) and not -(1 << 63) <= word < 1 << 63:
            raise FrameError("a number that is too large")


def checked_size(size: Any) -> int:
    """Return the size of a piece; FrameError for one that is no piece."""
    if not 0 <= size <= MAX_PIECE_BYTES:
        raise FrameError("a piece of a size that no piece has")
    return int(size)


def checked_path(path: str) -> str:
    """Return a path that is as a file system gets it: absolute, without `.`, `..` and NUL.

    `..` would lead out of a directory of the machine. A router never passes it on, so that only a
    worker that was taken over asks for it.
    """
    if "\0" in path:
        raise failure(errno.EINVAL, path)
    if path[:1] != "/" or normal_path(path) != path:
        raise FrameError("a path that is not normal")
    return path


def record_of_stat(stat: Stat) -> list[int | None]:
    """Return the attributes in the order of `STAT_FIELDS`."""
    return [getattr(stat, name) for name in STAT_FIELDS]
