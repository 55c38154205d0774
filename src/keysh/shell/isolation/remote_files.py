"""RemoteFS: a file system on the other side of the pipe, each verb a request.

A shell in a worker sees the file systems of its host through it, and a host sees the files of an
isolated shell.
"""

from __future__ import annotations

import errno

from keysh.shell.isolation.file_calls import STAT_FIELDS
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.vfs.api import Entry, FileSystem, Stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from keysh.vfs.api import Access

    # Takes a verb, its arguments and data; returns a value and data.
    FileRequest: TypeAlias = Callable[[str, list[Any], bytes], tuple[Any, bytes]]


MAX_WHOLE_BYTES = 1 << 30  # that are read at once: the other side may send without end


class RemoteFS(FileSystem):
    """The verbs of a file system as requests."""

    __slots__ = ("_place", "_request", "_title")

    def __init__(self, request: FileRequest, title: str, place: str | None = None) -> None:
        """`place` is where the other side has it in a tree (`tree_place`)."""
        self._request, self._title, self._place = request, title, place

    def reference(self) -> dict[str, object]:
        return {"name": self._title, "place": None}

    def tree_place(self) -> str | None:
        return self._place

    def _call(self, verb: str, *words: Any) -> Any:
        return self._request(verb, [*words], b"")[0]

    def stat(self, path: str) -> Stat:
        return stat_of_record(self._call("stat", path))

    def list(self, path: str) -> Iterator[Entry]:
        entries = self._call("list", path)
        if entries.__class__ is not list:
            raise FrameError("no list of entries")
        return iter([entry_of_record(entry) for entry in entries])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> RemoteStream:
        number = self._call("open", path, access, permissions)
        return RemoteStream(self._request, checked_integer(number))

    def read_link(self, path: str) -> str:
        target = self._call("read_link", path)
        if target.__class__ is not str:
            raise FrameError("no target of a link")
        return str(target)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self._call("make_directory", path, permissions)

    def remove_directory(self, path: str) -> None:
        self._call("remove_directory", path)

    def remove(self, path: str) -> None:
        self._call("remove", path)

    def rename(self, old: str, new: str) -> None:
        self._call("rename", old, new)

    def link(self, existing: str, path: str) -> None:
        self._call("link", existing, path)

    def make_link(self, target: str, path: str) -> None:
        self._call("make_link", target, path)

    def set_mode(self, path: str, mode: int) -> None:
        self._call("set_mode", path, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self._call("set_times", path, accessed, modified)

    def set_owner(self, path: str, owner: int, group: int) -> None:
        self._call("set_owner", path, owner, group)


class RemoteStream:
    """An open file on the other side of the pipe."""

    __slots__ = ("_is_closed", "_number", "_request")

    def __init__(self, request: FileRequest, number: int) -> None:
        self._request, self._number, self._is_closed = request, number, False

    def read(self, size: int = -1, /) -> bytes:
        if size >= 0:
            return self._piece(min(size, MAX_PIECE_BYTES))
        pieces, total = [], 0
        while piece := self._piece(MAX_PIECE_BYTES):
            total += len(piece)
            if total > MAX_WHOLE_BYTES:
                raise OSError(errno.EFBIG, "File too large")
            pieces.append(piece)
        return b"".join(pieces)

    def _piece(self, size: int) -> bytes:
        _, data = self._request("read", [self._number, size], b"")
        if len(data) > size:
            raise FrameError("more than was read")
        return data

    def write(self, data: bytes, /) -> int:
        view, written = memoryview(data), 0
        while written < len(view):
            piece = bytes(view[written : written + MAX_PIECE_BYTES])
            count = checked_integer(self._request("write", [self._number], piece)[0])
            if not 0 < count <= len(piece):
                raise OSError(errno.EIO, "Input/output error")
            written += count
        return written

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return checked_integer(self._request("seek", [self._number, offset, whence], b"")[0])

    def tell(self) -> int:
        return self.seek(0, 1)

    def truncate(self, size: int | None = None, /) -> int:
        return checked_integer(self._request("truncate", [self._number, size], b"")[0])

    def flush(self) -> None:
        self._request("flush", [self._number], b"")

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._request("close", [self._number], b"")

    def __enter__(self) -> RemoteStream:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()


def stat_of_record(record: Any) -> Stat:
    """Return the attributes of a record; raise FrameError for anything else."""
    match record:
        case [int(mode), int(size), int(modified), *others] if len(others) == len(STAT_FIELDS) - 3:
            *numbers, blocks, special = others
            if all(number.__class__ is int for number in (*numbers, special)) and (
                blocks is None or blocks.__class__ is int
            ):
                return Stat(mode, size, modified, **dict(zip(STAT_FIELDS[3:], others, strict=True)))
    raise FrameError("no attributes of a file")


def entry_of_record(record: Any) -> Entry:
    match record:
        case [str(name), int(kind)] if name and "/" not in name and "\0" not in name:
            return Entry(name, kind)
    raise FrameError("no entry of a directory")


def checked_integer(value: Any) -> int:
    if value.__class__ is not int:
        raise FrameError("no number")
    return int(value)
