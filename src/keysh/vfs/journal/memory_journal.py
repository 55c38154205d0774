"""MemoryJournal: what runs change in a MemoryFS, which has snapshots in constant time."""

from __future__ import annotations

from operator import itemgetter
from weakref import WeakValueDictionary

from keysh.vfs.journal.content import FileContent
from keysh.vfs.journal.content_store import ContentStore, KeptInode
from keysh.vfs.journal.version import FileIdentities, FileVersion
from keysh.vfs.memory.difference import differing_inodes
from keysh.vfs.memory.inodes import FileInode, LinkInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from keysh.vfs.api import Stat
    from keysh.vfs.journal.version import FileIdentity
    from keysh.vfs.memory.filesystem import MemoryFS
    from keysh.vfs.memory.inodes import Inode

    # A path, and what was there before a run and after it; most versions are made later.
    VersionPair: TypeAlias = tuple[str, Inode | FileVersion | None, Inode | FileVersion | None]


class MemoryJournal:
    """The snapshot before a run, and the versions that runs have left.

    No verb pays for it: the first change of a file after a snapshot copies its inode anyway, and
    the old one is the version before. `point` is the mount point; the root's is "".
    """

    __slots__ = ("_contents", "_identities", "_latest", "_point", "_snapshot", "fs", "reasons")

    def __init__(self, fs: MemoryFS, point: str) -> None:
        self.fs = fs
        self._point = "" if point == "/" else point
        self._snapshot: MemoryFS | None = None
        self._contents = ContentStore()
        self.reasons: dict[str, None] = {}
        self._identities = FileIdentities()
        self._latest: WeakValueDictionary[str, FileVersion] = WeakValueDictionary()

    def begin(self, contents: ContentStore) -> None:
        """Take a snapshot, unless nothing has changed since the last one."""
        self._contents = contents
        if self._snapshot is None or not self.fs._tree.is_same_as(self._snapshot._tree):
            self._snapshot = self.fs.snapshot()

    def end(self) -> UnreadVersions | None:
        """Return the inodes of all paths that have changed since `begin`; None if none has."""
        earlier = self._snapshot
        if earlier is None:
            return None
        is_same = self.fs._tree.is_same_as(earlier._tree)
        later = self._snapshot = earlier if is_same else self.fs.snapshot()
        pairs = self._pairs(earlier, later)
        return UnreadVersions(self, pairs, self._contents) if pairs else None

    def _pairs(self, earlier: MemoryFS, later: MemoryFS) -> Sequence[VersionPair]:
        """Return what differs between two snapshots."""
        return differing_inodes(earlier, later) if earlier is not later else []

    def add_versions(
        self,
        pairs: Iterable[VersionPair],
        before: dict[str, FileVersion | None],
        after: dict[str, FileVersion | None],
        contents: ContentStore,
    ) -> None:
        """Add the versions of a run; runs that are read later came later."""
        old: list[FileContent] = []
        alive = set()  # contents that files still have, maybe with another name
        for inner, node, new_node in pairs:
            path = self._point + inner if inner != "/" else self._point or "/"
            was = None if node is None else self._known_version(inner, node)
            if was is not None and new_node is not None and self._is_unchanged(was, new_node):
                self._note_latest(inner, was, new_node)
                continue
            now = None if new_node is None else self._version_of(new_node)
            if was is not None and was.content is not None:
                old.append(was.content)
            if now is not None and new_node is not None:
                self._note_latest(inner, now, new_node)
                if now.content is not None and now.content.kept is not None:
                    alive.add(now.content.kept.key())
            before[path], after[path] = was, now
        for content in old:
            if content.kept is not None and content.kept.key() not in alive:
                content.keep(contents)

    def note_restored(self, path: str, version: FileVersion) -> None:
        """Note that a version is at a path inside the file system again."""
        self._latest[path] = version
        self._identities.note(version.file)

    def _note_latest(self, path: str, version: FileVersion, node: Inode | FileVersion) -> None:
        if not isinstance(node, FileVersion):
            version.file.update(self._stat_of(node))
        self._latest[path] = version

    def _known_version(self, path: str, node: Inode | FileVersion) -> FileVersion:
        """Return the version that the last run left or restored, if the inode is still the same."""
        latest = self._latest.get(path)
        if latest is not None and self._is_unchanged(latest, node):
            return latest
        return self._version_of(node)

    def _version_of(self, node: Inode | FileVersion) -> FileVersion:
        if isinstance(node, FileVersion):
            return node
        stat = self._stat_of(node)
        return version_of_inode(node, stat, self._identities.of(stat))

    def _is_unchanged(self, version: FileVersion, node: Inode | FileVersion) -> bool:
        """Whether an inode is what a version was, in all that can be seen."""
        if isinstance(node, FileVersion):
            return version.is_equal(node)
        if not version.is_same_as(self._stat_of(node)):
            return False
        if isinstance(node, FileInode):
            kept = None if version.content is None else version.content.kept
            return isinstance(kept, KeptInode) and kept.has_bytes_of(node)
        return not isinstance(node, LinkInode) or node.target == version.target

    def _stat_of(self, node: Inode) -> Stat:
        return node.stat()


class UnreadVersions:
    """The inodes of a run, of which versions are made when they are first asked for.

    That takes longer than the run's own work on a small file, and most runs are never looked at.
    Until then their contents take room in the store together. `fits` is false if there is none;
    then they are to be read at once, and each content is kept or refused by itself.
    """

    __slots__ = ("_bytes", "_contents", "_journal", "_pairs", "fits")

    def __init__(
        self, journal: MemoryJournal, pairs: Sequence[VersionPair], contents: ContentStore
    ) -> None:
        self._journal, self._pairs, self._contents = journal, pairs, contents
        self._bytes = 0
        size = sum(
            len(node.content)
            for _, node, new in pairs
            if isinstance(node, FileInode)
            and not (isinstance(new, FileInode) and new.content is node.content)
        )
        self.fits = True
        try:
            contents.reserve(size)
        except OSError:
            self.fits = False
        else:
            self._bytes = size

    def __del__(self) -> None:
        self._contents.release(self._bytes)

    def add_to(
        self, before: dict[str, FileVersion | None], after: dict[str, FileVersion | None]
    ) -> None:
        """Make the versions."""
        self._contents.release(self._bytes)
        self._bytes = 0
        self._journal.add_versions(
            sorted(self._pairs, key=itemgetter(0)), before, after, self._contents
        )
        self._pairs = []


def version_of_inode(node: Inode, stat: Stat, file: FileIdentity) -> FileVersion:
    """Return the version that an inode of a snapshot is."""
    if isinstance(node, LinkInode):
        return FileVersion(stat, file, target=node.target)
    content = FileContent(kept=KeptInode(node)) if isinstance(node, FileInode) else None
    version = FileVersion(stat, file, content)
    version.is_recent = True  # the comparison is of two inodes
    return version
