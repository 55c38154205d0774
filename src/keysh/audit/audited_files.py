"""AuditedFS: a file system whose changes are recorded, each when it has happened.

The router sends the changing verbs here while there is an audit, as it does for a journal; where
there are both, this stands in front. With digests a file that was written is read again when it is
closed, and one that is opened for reading is read before.
"""

from __future__ import annotations

from hashlib import sha256

from keysh.vfs.api import FileSystem
from keysh.vfs.stream import complete_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    from keysh.vfs.api import Access, Entry, OpenFifo, Stat
    from keysh.vfs.router import Router
    from keysh.vfs.stream import Stream

    class ChangeLog(Protocol):
        """The part of a trail that records what happens to files."""

        def text(self, text: str, /) -> str: ...
        def change(self, action: str, path: str, fields: dict[str, object], /) -> None: ...


ACTIONS = {"w": "write", "x": "create", "a": "append", "rw": "update"}
PIECE_BYTES = 1 << 16


def audit_files(router: Router, trail: ChangeLog, *, digests: bool) -> None:
    """Let a trail see the changes of all file systems that have any of their own."""
    wrapped: dict[int, FileSystem] = {}
    for point, fs in sorted(router.mounts.items(), key=lambda mount: len(mount[0])):
        if fs.is_recorded and id(fs) not in wrapped:
            through = router.for_changes(fs)
            if isinstance(through, AuditedFS):
                through = through.inner
            wrapped[id(fs)] = AuditedFS(
                through, "" if point == "/" else point, trail, digests=digests
            )
    router.record(wrapped, sees_reads=digests)


class AuditedFS(FileSystem):
    """A file system at a mount point, and the trail that records its changes."""

    def __init__(self, fs: FileSystem, point: str, trail: ChangeLog, *, digests: bool) -> None:
        self.inner, self._point, self._trail = fs, point, trail
        self._digests = digests

    def _note(self, action: str, path: str, fields: dict[str, object] | None = None) -> None:
        self._trail.change(action, self._point + path, fields or {})

    # ---------------------------------------------------------------- what changes nothing

    def stat(self, path: str) -> Stat:
        return self.inner.stat(path)

    def list(self, path: str) -> Iterator[Entry]:
        return self.inner.list(path)

    def read_link(self, path: str) -> str:
        return self.inner.read_link(path)

    def real_path(self, path: str) -> str | None:
        return self.inner.real_path(path)

    def open_directory(self, path: str) -> int | None:
        return self.inner.open_directory(path)

    def open_fifo(self, path: str, access: Access) -> OpenFifo:
        return self.inner.open_fifo(path, access)

    # ---------------------------------------------------------------- changes

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if access == "r":
            if self._digests and self.inner.stat(path).is_file:
                self._note("read", path, self.digest(path))
            return self.inner.open(path)
        stream = complete_stream(self.inner.open(path, access, permissions))
        try:
            self._note(ACTIONS[access], path)
        except BaseException:
            stream.close()
            raise
        if self._digests and self.inner.stat(path).is_file:
            return DigestStream(stream, self, path)
        return stream

    def digest(self, path: str) -> dict[str, object]:
        """Return the size and the hash of a file."""
        size, state = 0, sha256()
        with complete_stream(self.inner.open(path)) as stream:
            while piece := stream.read(PIECE_BYTES):
                size += len(piece)
                state.update(piece)
        return {"bytes": size, "sha256": state.hexdigest()}

    def note_written(self, path: str) -> None:
        """Record what a file contains after it was written."""
        try:
            fields = self.digest(path)
        except OSError:  # it has been removed or moved since
            fields = {}
        self._note("written", path, fields)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self.inner.make_directory(path, permissions)
        self._note("make_directory", path)

    def remove_directory(self, path: str) -> None:
        self.inner.remove_directory(path)
        self._note("remove_directory", path)

    def remove(self, path: str) -> None:
        self.inner.remove(path)
        self._note("remove", path)

    def rename(self, old: str, new: str) -> None:
        self.inner.rename(old, new)
        self._note("move", old, {"to": self._trail.text(self._point + new)})

    def link(self, existing: str, path: str) -> None:
        self.inner.link(existing, path)
        self._note("link", path, {"to": self._trail.text(self._point + existing)})

    def make_link(self, target: str, path: str) -> None:
        self.inner.make_link(target, path)
        self._note("symbolic_link", path, {"to": self._trail.text(target)})

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        self.inner.make_fifo(path, permissions)
        self._note("make_fifo", path)

    def set_mode(self, path: str, mode: int) -> None:
        self.inner.set_mode(path, mode)
        self._note("mode", path, {"mode": f"{mode & 0o7777:04o}"})

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self.inner.set_times(path, accessed, modified)
        self._note("times", path)

    def set_owner(self, path: str, owner: int, group: int) -> None:
        self.inner.set_owner(path, owner, group)
        self._note("owner", path, {"owner": owner, "group": group})


class DigestStream:
    """A stream for writing; when it is closed, what the file contains is recorded."""

    __slots__ = ("__weakref__", "_files", "_is_open", "_path", "_stream")

    def __init__(self, stream: Stream, files: AuditedFS, path: str) -> None:
        self._stream, self._files, self._path = stream, files, path
        self._is_open = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        self._stream.close()
        if self._is_open:
            self._is_open = False
            self._files.note_written(self._path)

    def __enter__(self) -> DigestStream:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()
