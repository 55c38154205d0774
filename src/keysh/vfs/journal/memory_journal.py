"""MemoryJournal: what runs change in a MemoryFS, which has snapshots in constant time."""

from __future__ import annotations

from weakref import WeakValueDictionary

from keysh.vfs.journal.content import FileContent
from keysh.vfs.journal.content_store import KeptInode
from keysh.vfs.journal.version import FileVersion, fingerprint_of
from keysh.vfs.memory.difference import differing_paths
from keysh.vfs.memory.inodes import FileInode, LinkInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.memory.filesystem import MemoryFS


class MemoryJournal:
    """The snapshot before a run, and the versions that runs have left.

    No verb pays for it: the first change of a file after a snapshot copies its inode anyway, and
    the old one is the version before. `point` is the mount point; the root's is "".
    """

    __slots__ = ("_latest", "_point", "_snapshot", "fs")

    def __init__(self, fs: MemoryFS, point: str) -> None:
        self.fs = fs
        self._point = "" if point == "/" else point
        self._snapshot: MemoryFS | None = None
        self._latest: WeakValueDictionary[str, FileVersion] = WeakValueDictionary()

    def begin(self) -> None:
        """Take a snapshot, unless nothing has changed since the last one."""
        if self._snapshot is None or not self.fs._tree.is_same_as(self._snapshot._tree):
            self._snapshot = self.fs.snapshot()

    def end(
        self,
        contents: ContentStore,
        before: dict[str, FileVersion | None],
        after: dict[str, FileVersion | None],
    ) -> None:
        """Add the versions of all paths that have changed since `begin`."""
        earlier = self._snapshot
        if earlier is None or self.fs._tree.is_same_as(earlier._tree):
            return
        later = self._snapshot = self.fs.snapshot()
        for inner in differing_paths(earlier, later):
            path = self._point + inner if inner != "/" else self._point or "/"
            was, now = version_of(earlier, inner), version_of(later, inner)
            if was is not None:
                was = self._known_version(inner, was)
            if now is not None:
                self._latest[inner] = now
            before[path], after[path] = was, now
            if was is not None and was.content is not None and not has_content_of(now, was):
                was.content.keep(contents)

    def _known_version(self, path: str, version: FileVersion) -> FileVersion:
        """Return the version that the last run left or restored at a path, if it is still there."""
        latest = self._latest.get(path)
        if (
            latest is None
            or latest.fingerprint != version.fingerprint
            or latest.target != version.target
            or latest.accessed != version.accessed
        ):
            return version
        if latest.content is None or version.content is None:
            return latest
        return latest if latest.content.is_same(version.content) else version
