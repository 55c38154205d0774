"""OverlayJournal: what runs change in an OverlayFS whose upper file system is in memory.

    begin     a snapshot of the upper
    the run   what the lower showed at a path that is covered for the first time: the copy in the
              upper, as it came, or if there is none, a version whose content is kept at once
    end       the difference of two snapshots; a path that was covered had the noted state before

What the upper had already costs nothing, as in a MemoryFS, and a file that is only moved is copied
by the overlay, not again by the journal.
"""

from __future__ import annotations

from keysh.vfs.journal.content import FileContent, fingerprint_of
from keysh.vfs.journal.content_store import KeptInode
from keysh.vfs.journal.memory_journal import MemoryJournal
from keysh.vfs.journal.version import NO_OWNER, FileVersion
from keysh.vfs.memory.difference import differing_inodes
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.memory.held_inode import held_inode
from keysh.vfs.memory.inodes import DirectoryInode, FileInode
from keysh.vfs.overlay.identity import with_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat
    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.journal.memory_journal import UnreadVersions, VersionPair
    from keysh.vfs.memory.inodes import Inode
    from keysh.vfs.overlay.filesystem import OverlayFS


class OverlayJournal(MemoryJournal):
    """The snapshot of the upper before a run, and what the run has covered since."""

    __slots__ = ("_notes", "_overlay")

    def __init__(self, overlay: OverlayFS, upper: MemoryFS, point: str) -> None:
        super().__init__(upper, point)
        self._overlay = overlay
        self._notes: dict[str, Inode | FileVersion | None] = {}

    def begin(self, contents: ContentStore) -> None:
        with self._overlay._lock:
            super().begin(contents)
            self.reasons = {}
            self._notes = {}
            self._overlay._observers.add(self)

    def end(self) -> UnreadVersions | None:
        with self._overlay._lock:
            self._overlay._observers.remove(self)
            return super().end()

    def note_copy(self, path: str) -> None:
        """Note what was copied to the upper: that is how the path was.

        A file with several names below was separated from the others; its version is of the lower
        file, so that an undo links the names again.
        """
        node = held_inode(self.fs, path)
        if node is None or path in self._notes:
            return
        self._notes[path] = node
        if not isinstance(node, DirectoryInode):
            stat = self._overlay.lower.stat(path)
            if stat.links > 1:
                version = self._notes[path] = self._lower_version(path, stat)
                if isinstance(node, FileInode):
                    version.content = FileContent(kept=KeptInode(node))

    def note_loss(self, path: str, stat: Stat) -> None:
        """Note what the lower has at a path, and keep its content: others may change it."""
        if path not in self._notes:
            version = self._notes[path] = self._lower_version(path, stat)
            if version.content is not None:
                version.content.keep(self._contents)

    def note_reset(self) -> None:
        """Note what the run has changed so far: the upper is about to be emptied."""
        if self._snapshot is not None:
            for path, node, _ in differing_inodes(self._snapshot, self.fs):
                self._notes.setdefault(path, node)

    def _pairs(self, earlier: MemoryFS, later: MemoryFS) -> list[VersionPair]:
        notes, self._notes = self._notes, {}
        pairs: list[VersionPair] = []
        for path, node, new in differing_inodes(earlier, later):
            note = notes.pop(path, None)
            pairs.append((path, node or note, new or self._seen_below(path)))
        for path, note in notes.items():
            before = earlier._tree.find_or_none(path) or note
            after = later._tree.find_or_none(path) or self._seen_below(path)
            if before is not None or after is not None:
                pairs.append((path, before, after))
        return pairs

    def _seen_below(self, path: str) -> FileVersion | None:
        """Return what the overlay shows at a path that the upper does not have."""
        try:
            stat = self._overlay._visible_lower(path)
        except OSError as error:
            self.reasons[f"{self._point}{path} could not be read: {error.strerror}"] = None
            return None
        if stat is None:
            return None
        version = self._lower_version(path, stat)
        version.is_recent = True
        version.digest()  # the overlay was committed or emptied: nobody holds the file
        return version

    def _lower_version(self, path: str, stat: Stat) -> FileVersion:
        lower = self._overlay.lower
        seen = with_identity(stat, stat.device, stat.inode * 2)
        content, target = None, ""
        if stat.is_file:
            content = FileContent((lower, path, fingerprint_of(stat)))
        elif stat.is_link:
            target = lower.read_link(path)
        file = self._identities.of(seen)
        file.update(seen)
        version = FileVersion(seen, file, content, target)
        version.owner = version.group = NO_OWNER
        return version

    def _stat_of(self, node: Inode) -> Stat:
        return with_identity(node.stat(), self._overlay._device, node.number * 2 + 1)

    def _version_of(self, node: Inode | FileVersion) -> FileVersion:
        version = super()._version_of(node)
        version.owner = version.group = NO_OWNER
        return version
