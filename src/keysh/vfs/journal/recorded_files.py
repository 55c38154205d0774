"""RecordedFS: a file system whose recorder learns of each change before it happens.

The router sends the changing verbs here while there is a journal; nobody else sees this object.
"""

from __future__ import annotations

from keysh.vfs.api import FileSystem
from keysh.vfs.stream import complete_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Access, Entry, OpenFifo, Stat
    from keysh.vfs.journal.recorder import FileRecorder
    from keysh.vfs.stream import Stream


class RecordedFS(FileSystem):
    """A file system and its recorder, which takes notes only during a run."""

    def __init__(self, fs: FileSystem, recorder: FileRecorder) -> None:
        self._fs, self._recorder = fs, recorder

    def stat(self, path: str) -> Stat:
        return self._fs.stat(path)

    def list(self, path: str) -> Iterator[Entry]:
        return self._fs.list(path)

    def read_link(self, path: str) -> str:
        return self._fs.read_link(path)

    def real_path(self, path: str) -> str | None:
        return self._fs.real_path(path)

    def open_directory(self, path: str) -> int | None:
        return self._fs.open_directory(path)

    def open_fifo(self, path: str, access: Access) -> OpenFifo:
        return self._fs.open_fifo(path, access)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if access == "r":
            return self._fs.open(path)
        recorder = self._recorder
        if not recorder.is_active:
            stream = complete_stream(self._fs.open(path, access, permissions))
        elif access == "w" and recorder.is_new(path):
            # Most files are new, and this costs less than to look first.
            try:
                stream = complete_stream(self._fs.open(path, "x", permissions))
            except FileExistsError:
                recorder.before_write(path)
                stream = complete_stream(self._fs.open(path, access, permissions))
            else:
                recorder.note_created(path)
        else:
            recorder.before_write(path)
            stream = complete_stream(self._fs.open(path, access, permissions))
        recorder.follow_stream(path, stream)
        return stream

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self._recorder.before_entry(path)
        self._fs.make_directory(path, permissions)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        self._recorder.before_entry(path)
        self._fs.make_fifo(path, permissions)

    def make_link(self, target: str, path: str) -> None:
        self._recorder.before_entry(path)
        self._fs.make_link(target, path)

    def link(self, existing: str, path: str) -> None:
        self._recorder.before_link(existing, path)
        key = self._recorder.key_before(existing)
        self._fs.link(existing, path)
        self._recorder.after_change(existing, key)

    def remove(self, path: str) -> None:
        self._recorder.before_removal(path)
        self._fs.remove(path)
        self._recorder.after_removal(path)

    def remove_directory(self, path: str) -> None:
        self._recorder.before_entry(path)
        self._fs.remove_directory(path)

    def rename(self, old: str, new: str) -> None:
        moved = self._recorder.before_rename(old, new)
        self._fs.rename(old, new)
        self._recorder.after_rename(old, new, moved)

    def set_mode(self, path: str, mode: int) -> None:
        self._recorder.before_attributes(path)
        key = self._recorder.key_before(path)
        self._fs.set_mode(path, mode)
        self._recorder.after_change(path, key)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self._recorder.before_times(path)
        key = self._recorder.key_before(path)
        self._fs.set_times(path, accessed, modified)
        self._recorder.after_change(path, key)

    def set_owner(self, path: str, owner: int, group: int) -> None:
        self._recorder.before_attributes(path)
        key = self._recorder.key_before(path)
        self._fs.set_owner(path, owner, group)
        self._recorder.after_change(path, key)
