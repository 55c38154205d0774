"""OverlayFS: changes kept beside a file system until they are committed to it, or dropped.

    upper    /a (new)      /b (changed)                  what was made or changed
    hidden                            /c                 what does not show through any more
    lower                  /b         /c       /d        never touched before `commit`
    ------------------------------------------------
    seen     /a            /b                  /d

All that is below a hidden path is hidden too. So a directory that is made here is hidden below,
and a directory of the upper that is not hidden shows the entries of both.
"""

from __future__ import annotations

import errno
import threading
from weakref import WeakSet

from keysh.diagnostics.errors import OverlayConflict
from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.mounts import ErrorPaths
from keysh.vfs.overlay.basis import OriginalState
from keysh.vfs.overlay.changes import stat_or_none, tree_changes
from keysh.vfs.overlay.commit import Commit
from keysh.vfs.overlay.stream import LowerStream
from keysh.vfs.paths import join, parent
from keysh.vfs.transfer import (
    check_rename,
    copy_attributes,
    copy_node,
    remove_contents,
    require_parent,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Access, Stream
    from keysh.vfs.overlay.changes import Change


class OverlayFS(FileSystem):
    """A view of `lower` in which everything can be changed, and nothing is until `commit`.

    `upper` keeps the changes and must be empty; one in memory is made if none is given. A file is
    copied there when it is first written to; streams that are open for reading follow. Renaming a
    directory copies all that is below it, contents too. A file that has several names in `lower`
    is separated from the others by its first change; names linked in the overlay stay one file.
    Owners are not kept.

    `commit` refuses if what it would change was changed underneath since. It knows by size, time,
    mode and inode, and by the contents where the time says nothing: there is none, or the file was
    changed less than two seconds before. With `by_content` it always knows by the contents, which
    costs a read of each file that is removed or emptied: for a `lower` whose clock stands still.

    Programs of the machine cannot use the files: `real_path` is None everywhere.
    """

    confines = True

    def __init__(
        self, lower: FileSystem, upper: FileSystem | None = None, *, by_content: bool = False
    ) -> None:
        self._lower = lower
        self._upper = MemoryFS() if upper is None else upper
        self._by_content = by_content
        self._lock = threading.RLock()
        self._hidden: set[str] = set()
        self._originals: dict[
            str, OriginalState
        ] = {}  # what was below when a path was first changed
        self._streams: WeakSet[LowerStream] = WeakSet()
        self._mirror_root()

    @property
    def lower(self) -> FileSystem:
        """What lies beneath."""
        return self._lower

    def diff(self) -> list[Change]:
        """All changes, sorted by path."""
        with self._lock:
            return tree_changes(self._upper, self._lower, self._hidden)

    def commit(self) -> list[Change]:
        """Write all changes to the lower file system, and answer them; the overlay is empty then.

        OverlayConflict, with nothing changed, where the lower file system has changed meanwhile at
        a path that would be changed. Streams that write should be closed before.
        `vfs.overlay.commit` tells what holds when the writing is interrupted.
        """
        with self._lock:
            changes = self.diff()
            conflicts = {change.path for change in changes if not self._is_unchanged(change.path)}
            if conflicts:
                raise OverlayConflict(sorted(conflicts))
            modified = {path: basis.modified for path, basis in self._originals.items()}
            commit = Commit(self._upper, self._lower, changes, modified)
            try:
                commit.run()
            except BaseException:
                # What it has done itself is no conflict for the next attempt.
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
            remove_contents(self._upper, "/")
            self._hidden.clear()
            self._originals.clear()
            self._mirror_root()

    def stat(self, path: str) -> Stat:
        with self._lock:
            found, is_upper = self._find(path)
            if not is_upper:
                return with_identity(found, found.device, found.inode * 2)
            seen = with_identity(found, self._device, found.inode * 2 + 1)
            if found.is_directory and self._visible_lower(path):
                seen.links = 1  # as Linux has it where the number of subdirectories is not known
            return seen

    def list(self, path: str) -> Iterator[Entry]:
        with self._lock:
            found, is_upper = self._find(path)
            if not found.is_directory:
                self._refuse_link(path, found)
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
                found, is_upper = self._find(path)
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
                self._refuse_writing(path, found)
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

    def make_link(self, target: str, path: str) -> None:
        with self._lock:
            self._prepare_new(path)
            self._upper.make_link(target, path)

    def link(self, existing: str, path: str) -> None:
        with self._lock, ErrorPaths(existing, path):
            found, _ = self._find(existing)
            self._prepare_new(path)
            if found.is_directory:
                raise failure(errno.EPERM, path)
            self._copy_up(existing)
            self._upper.link(existing, path)

    def remove(self, path: str) -> None:
        with self._lock:
            found, is_upper = self._find(path)
            if found.is_directory:
                raise failure(errno.EISDIR, path)
            if not is_upper:
                self._detach_streams(path)
                self._prepare_parent(path)
            if not stat_or_none(self._upper, path):
                # A name comes and goes: the directory's times change as the upper's clock says.
                self._upper.open(path, "x").close()
            self._hide(path)
            self._upper.remove(path)

    def remove_directory(self, path: str) -> None:
        with self._lock:
            if path == "/":
                raise failure(errno.EBUSY, path)
            found, is_upper = self._find(path)
            if not found.is_directory:
                raise failure(errno.ENOTDIR, path)
            if any(True for _ in self.list(path)):
                raise failure(errno.ENOTEMPTY, path)
            if not is_upper:
                self._prepare_parent(path)
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
            if self._visible_lower(new):
                self._record_original(new)
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
            found, _ = self._find(path)
            self._refuse_link(path, found)
            self._copy_up(path)
            self._upper.set_mode(path, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        with self._lock:
            self._find(path)
            self._copy_up(path)
            self._upper.set_times(path, accessed, modified)

    # All that follows is called with the lock held.

    def _find(self, path: str) -> tuple[Stat, bool]:
        """What is seen at a path, and whether it is in the upper."""
        try:
            return self._upper.stat(path), True
        except FileNotFoundError:
            if self._is_hidden(path):
                raise
        return self._lower.stat(path), False

    def _visible_lower(self, path: str) -> Stat | None:
        """What of the lower file system is not hidden at a path."""
        if self._is_hidden(path):
            return None
        try:
            return self._lower.stat(path)
        except (FileNotFoundError, NotADirectoryError, LinkInPath):
            return None

    def _is_hidden(self, path: str) -> bool:
        hidden = self._hidden
        while hidden:
            if path in hidden:
                return True
            if path == "/":
                break
            path = parent(path)
        return False

    def _hide(self, path: str) -> None:
        """Let nothing show through where a name of the upper is about to go."""
        self._hidden.discard(path)
        if self._visible_lower(path):
            self._record_original(path)
            self._hidden.add(path)

    def _record_original(self, path: str) -> None:
        if path not in self._originals:
            self._originals[path] = OriginalState(self._lower, path, self._by_content)

    def _is_unchanged(self, path: str) -> bool:
        """Whether the lower file system has at a path what it had before the first change."""
        basis = self._originals.get(path)
        if basis:
            return basis.is_unchanged(self._lower, path)
        try:
            self._lower.stat(path)
        except (FileNotFoundError, NotADirectoryError, LinkInPath):
            return True
        return False

    def _mirror_root(self) -> None:
        found = self._lower.stat("/")
        self._device = found.device
        copy_attributes(found, self._upper, "/")
        self._record_original("/")

    def _prepare_parent(self, path: str) -> None:
        """See that the upper has the directory in which a name is to be made or removed."""
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
        """Copy what is at a path to the upper if it is not there, and the directories above it."""
        missing = []
        while not stat_or_none(self._upper, path):
            missing.append(path)
            path = parent(path)
        for at in reversed(missing):
            self._record_original(at)
            above = self._upper.stat(parent(at))
            if is_emptied and at == missing[0]:
                self._upper.open(at, "x").close()
                self._upper.set_mode(at, self._lower.stat(at).mode & 0o7777)
            else:
                copy_node(self._lower, at, self._upper, at)
            # To be copied is no change, so it does not show in the directory's times.
            self._upper.set_times(parent(at), above.accessed, above.modified)
            for stream in self._streams_of(at):
                stream.move_to_upper(self._upper)

    def _copy_tree(self, path: str) -> None:
        pending = [path]
        while pending:
            at = pending.pop()
            self._copy_up(at)
            if self._upper.stat(at).is_directory:
                pending += [join(at, entry.name) for entry in self.list(at)]

    def _streams_of(self, path: str) -> Iterator[LowerStream]:
        """The streams that have been reading a lower file; they are no longer watched."""
        for stream in [*self._streams]:
            if stream.path == path:
                self._streams.discard(stream)
                yield stream

    def _detach_streams(self, path: str) -> None:
        """Let the streams of a lower file go on without its name, which goes."""
        if any(stream.path == path and stream.can_write for stream in self._streams):
            self._copy_up(path)
        for stream in self._streams_of(path):
            stream.stay_in_lower()

    def _refuse_link(self, path: str, found: Stat) -> None:
        if found.is_link:
            raise LinkInPath(path, self.read_link(path), "")

    def _refuse_writing(self, path: str, found: Stat) -> None:
        self._refuse_link(path, found)
        if not found.is_file:
            raise failure(errno.EISDIR if found.is_directory else errno.EACCES, path)


def with_identity(found: Stat, device: int, inode: int) -> Stat:
    """The same with another identity. Both sides share a device, so their inodes must not meet."""
    return Stat(
        found.mode,
        found.size,
        found.modified,
        accessed=found.accessed,
        changed=found.changed,
        inode=inode,
        device=device,
        links=found.links,
        owner=found.owner,
        group=found.group,
        special=found.special,
    )


def is_same_file(one: Stat, other: Stat) -> bool:
    """Whether two paths are names of one file."""
    return one.inode == other.inode != 0 and one.device == other.device
