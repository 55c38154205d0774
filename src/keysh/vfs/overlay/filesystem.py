"""OverlayFS: changes kept apart from a file system until they are committed or dropped.

    upper    /a (new)      /b (changed)                  what was made or changed
    hidden                            /c                 what no longer shows through
    lower                  /b         /c       /d        unchanged until `commit`
    ------------------------------------------------
    seen     /a            /b                  /d

Everything below a hidden path is hidden too. So the path of a new directory is hidden, and a
directory of the upper that is not hidden shows the entries of both.
"""

from __future__ import annotations

import errno
import threading
from weakref import WeakSet

from keysh.diagnostics.exceptions import OverlayConflict
from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.mounts import ErrorPaths
from keysh.vfs.overlay.changes import stat_or_none, tree_changes
from keysh.vfs.overlay.commit import Commit
from keysh.vfs.overlay.identity import is_same_file, with_identity
from keysh.vfs.overlay.observers import OverlayObservers
from keysh.vfs.overlay.original_state import OriginalState, changed_since
from keysh.vfs.overlay.stream import LowerStream
from keysh.vfs.paths import join, parent
from keysh.vfs.transfer import (
    check_rename,
    copy_attributes,
    copy_node,
    refuse_link,
    refuse_writing,
    remove_contents,
    require_parent,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    from keysh.vfs.api import Access, OpenFifo
    from keysh.vfs.overlay.changes import Change
    from keysh.vfs.stream import Stream


class OverlayFS(FileSystem):
    """A view of `lower` that can be changed; `lower` itself changes only at `commit`.

    `upper` keeps the changes and must be empty; by default it is in memory. A file is copied there
    when it is first written to; streams open for reading follow. Renaming a directory copies
    everything below it. A file with several names in `lower` is separated from the other names by
    its first change; names linked in the overlay stay one file. Owners are not kept.

    `commit` refuses if a path that it would change was changed in `lower` meanwhile. It compares
    size, time, mode and inode, and the contents if the time is missing or less than two seconds
    older than the first change. With `by_content` it always compares contents, for a `lower` whose
    clock stands still; that costs a read of each file that is removed or emptied.

    Programs of the machine cannot use the files: `real_path` is always None.
    """

    __module__ = "keysh"
    confines = True

    def __init__(
        self, lower: FileSystem, upper: FileSystem | None = None, *, by_content: bool = False
    ) -> None:
        self._lower = lower
        self._upper = MemoryFS() if upper is None else upper
        self._by_content = by_content
        self._hidden: set[str] = set()
        # What was below when a path was first changed.
        self._originals: dict[str, OriginalState] = {}
        self._begin_anew()
        self._mirror_root()

    @property
    def lower(self) -> FileSystem:
        """The lower file system."""
        return self._lower

    def snapshot(self) -> Self:
        """Return an independent overlay over the same lower file system, with the same changes.

        The upper must have snapshots, as a MemoryFS has. Open streams stay with the original.
        """
        copy = self._bare_copy()
        with self._lock:
            copy._upper = self._upper.snapshot()
            copy._hidden, copy._originals = self._hidden.copy(), self._originals.copy()
        copy._begin_anew()
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for `pickle`: both file systems by their own rules."""
        state = self.snapshot().__dict__
        del state["_lock"], state["_streams"], state["_observers"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin_anew()
        self._device = self._lower.stat("/").device  # another one on another machine

    def _begin_anew(self) -> None:
        """Have what a copy does not share with its original."""
        self._lock = threading.RLock()
        self._streams: WeakSet[LowerStream] = WeakSet()
        self._observers = OverlayObservers()

    def diff(self) -> list[Change]:
        """Return all changes, sorted by path."""
        with self._lock:
            return tree_changes(self._upper, self._lower, self._hidden)

    def commit(self) -> list[Change]:
        """Write all changes to the lower file system and return them; the overlay is then empty.

        Raises OverlayConflict, with nothing changed, if the lower file system has changed at a path
        that would be written. Close writing streams before. `vfs.overlay.commit` describes the
        state after an interruption.
        """
        with self._lock:
            changes = self.diff()
            paths = {change.path for change in changes}
            if conflicts := changed_since(self._lower, self._originals, paths):
                raise OverlayConflict(conflicts)
            modified = {path: original.modified for path, original in self._originals.items()}
            commit = Commit(self._upper, self._lower, changes, modified)
            try:
                commit.run()
            except BaseException:
                # Its own changes are no conflict for the next attempt.
                for path in commit.done:
                    self._originals.pop(path, None)
                    if stat_or_none(self._lower, path):
                        self._record_original(path)
                raise
            self.reset()
        return changes

    def reset(self) -> None:
        """Drop all changes."""
        with self._lock:
            self._observers.note_reset()
            remove_contents(self._upper, "/")
            self._hidden.clear()
            self._originals.clear()
            self._mirror_root()

    def stat(self, path: str) -> Stat:
        with self._lock:
            stat, is_upper = self._find(path)
            if not is_upper:
                return with_identity(stat, stat.device, stat.inode * 2)
            seen = with_identity(stat, self._device, stat.inode * 2 + 1)
            if stat.is_directory and self._visible_lower(path):
                seen.links = 1  # as Linux shows an unknown number of subdirectories
            return seen

    def list(self, path: str) -> Iterator[Entry]:
        with self._lock:
            stat, is_upper = self._find(path)
            if not stat.is_directory:
                refuse_link(self, path, stat)
                raise failure(errno.ENOTDIR, path)
            entries = [*self._upper.list(path)] if is_upper else []
            below = self._visible_lower(path)
            if below and below.is_directory:
                names = {entry.name for entry in entries}
                entries += [
                    entry
                    for entry in self._lower.list(path)
                    if entry.name not in names and join(path, entry.name) not in self._hidden
                ]
        return iter(entries)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        with self._lock:
            try:
                stat, is_upper = self._find(path)
            except FileNotFoundError:
                if access == "r":
                    raise
                self._prepare_parent(path)
                return self._upper.open(path, access, permissions)
            if is_upper:
                return self._upper.open(path, access, permissions)
            if access == "x":
                raise failure(errno.EEXIST, path)
            if access != "r":
                refuse_writing(self, path, stat)
            if access == "w":
                self._copy_up(path, is_emptied=True)
                return self._upper.open(path, access)
            stream = LowerStream(self._lower, path, access, self._lock, self._copy_up)
            self._streams.add(stream)
            return stream

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        with self._lock:
            self._prepare_new(path)
            self._upper.make_directory(path, permissions)
            self._hidden.add(path)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        with self._lock:
            self._prepare_new(path)
            self._upper.make_fifo(path, permissions)

    def open_fifo(self, path: str, access: Access) -> OpenFifo:
        with self._lock:
            _, is_upper = self._find(path)
            if not is_upper:  # writing to it would be a change that `commit` could not hold back
                raise failure(errno.EACCES, path)
            return self._upper.open_fifo(path, access)

    def make_link(self, target: str, path: str) -> None:
        with self._lock:
            self._prepare_new(path)
            self._upper.make_link(target, path)

    def link(self, existing: str, path: str) -> None:
        with self._lock, ErrorPaths(existing, path):
            stat, _ = self._find(existing)
            self._prepare_new(path)
            if stat.is_directory:
                raise failure(errno.EPERM, path)
            self._copy_up(existing)
            self._upper.link(existing, path)

    def remove(self, path: str) -> None:
        with self._lock:
            stat, is_upper = self._find(path)
            if stat.is_directory:
                raise failure(errno.EISDIR, path)
            if not is_upper:
                self._detach_streams(path)
                self._prepare_parent(path)
                self._observers.note_loss(path, stat)
            if not stat_or_none(self._upper, path):
                # Creating and removing a name sets the directory's times by the upper's clock.
                self._upper.open(path, "x").close()
            self._hide(path)
            self._upper.remove(path)

    def remove_directory(self, path: str) -> None:
        with self._lock:
            if path == "/":
                raise failure(errno.EBUSY, path)
            stat, is_upper = self._find(path)
            if not stat.is_directory:
                raise failure(errno.ENOTDIR, path)
            if any(True for _ in self.list(path)):
                raise failure(errno.ENOTEMPTY, path)
            if not is_upper:
                self._prepare_parent(path)
                self._observers.note_loss(path, stat)
                self._upper.make_directory(path)
            self._hide(path)
            self._upper.remove_directory(path)

    def rename(self, old: str, new: str) -> None:
        with self._lock, ErrorPaths(old, new):
            source, replaced = check_rename(self, old, new)
            if old == new or (replaced and is_same_file(source, replaced)):
                return
            self._copy_tree(old)
            self._prepare_parent(new)
            self._detach_streams(new)
            if below := self._visible_lower(new):
                self._record_original(new)
                if not stat_or_none(self._upper, new):
                    self._observers.note_loss(new, below)
            self._upper.rename(old, new)
            if source.is_directory:
                self._hidden.add(new)
            self._hide(old)

    def read_link(self, path: str) -> str:
        with self._lock:
            _, is_upper = self._find(path)
            return (self._upper if is_upper else self._lower).read_link(path)

    def set_mode(self, path: str, mode: int) -> None:
        with self._lock:
            stat, _ = self._find(path)
            refuse_link(self, path, stat)
            self._copy_up(path)
            self._upper.set_mode(path, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        with self._lock:
            self._find(path)
            self._copy_up(path)
            self._upper.set_times(path, accessed, modified)

    # The methods below are called with the lock held.

    def _find(self, path: str) -> tuple[Stat, bool]:
        """Return the Stat of a path, and whether it is in the upper."""
        try:
            return self._upper.stat(path), True
        except FileNotFoundError:
            if self._is_hidden(path):
                raise
        return self._lower.stat(path), False

    def _visible_lower(self, path: str) -> Stat | None:
        """Return the Stat of a path in the lower file system, unless it is hidden or missing."""
        if self._is_hidden(path):
            return None
        try:
            return self._lower.stat(path)
        except (FileNotFoundError, NotADirectoryError, LinkInPath):
            return None

    def _is_hidden(self, path: str) -> bool:
        hidden = self._hidden
        while hidden and path != "/" and path not in hidden:
            path = parent(path)
        return path in hidden

    def _hide(self, path: str) -> None:
        """Hide the lower path of a name that is about to be removed from the upper."""
        self._hidden.discard(path)
        if self._visible_lower(path):
            self._record_original(path)
            self._hidden.add(path)

    def _record_original(self, path: str) -> None:
        if path not in self._originals:
            self._originals[path] = OriginalState(self._lower, path, self._by_content)

    def _mirror_root(self) -> None:
        stat = self._lower.stat("/")
        self._device = stat.device
        copy_attributes(stat, self._upper, "/")
        self._record_original("/")

    def _prepare_parent(self, path: str) -> None:
        """Copy the parent directory of a path to the upper."""
        require_parent(self, path)
        self._copy_up(parent(path))

    def _prepare_new(self, path: str) -> None:
        try:
            self._find(path)
        except FileNotFoundError:
            self._prepare_parent(path)
        else:
            raise failure(errno.EEXIST, path)

    def _copy_up(self, path: str, *, is_emptied: bool = False) -> None:
        """Copy a path to the upper, with the directories above it, unless it is there already."""
        missing = []
        while not stat_or_none(self._upper, path):
            missing.append(path)
            path = parent(path)
        for missing_path in reversed(missing):
            self._record_original(missing_path)
            above = self._upper.stat(parent(missing_path))
            if is_emptied and missing_path == missing[0]:
                below = self._lower.stat(missing_path)
                self._observers.note_loss(missing_path, below)
                self._upper.open(missing_path, "x").close()
                self._upper.set_mode(missing_path, below.mode & 0o7777)
            else:
                copy_node(self._lower, missing_path, self._upper, missing_path)
                self._observers.note_copy(missing_path)
            # A copy is no change, so the directory's times are restored.
            self._upper.set_times(parent(missing_path), above.accessed, above.modified)
            for stream in self._streams_of(missing_path):
                stream.move_to_upper(self._upper)

    def _copy_tree(self, path: str) -> None:
        pending = [path]
        while pending:
            copied = pending.pop()
            self._copy_up(copied)
            if self._upper.stat(copied).is_directory:
                pending += [join(copied, entry.name) for entry in self.list(copied)]

    def _streams_of(self, path: str) -> Iterator[LowerStream]:
        """Yield the streams that read a lower file, and stop tracking them."""
        for stream in [*self._streams]:
            if stream.path == path:
                self._streams.discard(stream)
                yield stream

    def _detach_streams(self, path: str) -> None:
        """Let the streams of a lower file continue without its name."""
        if any(stream.path == path and stream.can_write for stream in self._streams):
            self._copy_up(path)
        for stream in self._streams_of(path):
            stream.stay_in_lower()
