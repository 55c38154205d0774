"""ForkMount: one file system of a fork, beside what it was and beside that of the fork's shell."""

from __future__ import annotations

import stat as kinds

from keysh.shell.history.version_difference import DIFFERENT, difference
from keysh.vfs.api import LinkInPath, Stat
from keysh.vfs.journal.content import FileContent, fingerprint_of
from keysh.vfs.journal.memory_journal import version_of_inode
from keysh.vfs.journal.version import NO_OWNER, FileIdentities, FileVersion
from keysh.vfs.memory.difference import differing_paths
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.difference import (
    diverging_paths,
    has_open_changes,
    original_of,
    paths_changed_above,
    renew_original,
)
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.paths import join
from keysh.vfs.transfer import walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keysh.shell.history.fork_base import ForkBase, ForkOrigin
    from keysh.vfs.api import FileSystem, Identity

CHANGED_UNDERNEATH = "it was changed underneath"


class ForkMount:
    """Three sides of one file system: `base`, what it was; `fork`, what the fork has now; and
    `own`, what its shell has now. All are views that nothing changes, if they can be.

    `own_fs` is the file system of the shell itself, and `point` its mount point.
    """

    def __init__(
        self, point: str, base: FileSystem, fork: FileSystem, own: FileSystem, own_fs: FileSystem
    ) -> None:
        self.point, self.own_fs = point, own_fs
        self.base, self.fork, self.own = base, fork, own
        self._identities = {id(view): FileIdentities() for view in (base, fork, own)}
        self._names: dict[int, dict[Identity, frozenset[str]]] = {}

    def path(self, inner: str) -> str:
        """Return a path as the router shows it."""
        return join(self.point, inner[1:]) if inner != "/" else self.point

    def changed_paths(self) -> list[str]:
        """Return the paths that the fork has changed, and perhaps more, sorted."""
        raise NotImplementedError

    def base_version(self, inner: str) -> FileVersion | None:
        return self._version(self.base, inner)

    def fork_version(self, inner: str) -> FileVersion | None:
        return self._version(self.fork, inner)

    def own_version(self, inner: str) -> FileVersion | None:
        return self._version(self.own, inner)

    def base_names(self, inner: str, version: FileVersion) -> frozenset[str]:
        """Return all names of a file, of which one is given."""
        return self._names_in(self.base, inner, version)

    def fork_names(self, inner: str, version: FileVersion) -> frozenset[str]:
        return self._names_in(self.fork, inner, version)

    def own_names(self, inner: str, version: FileVersion) -> frozenset[str]:
        return self._names_in(self.own, inner, version)

    def own_entries(self, inner: str) -> list[str]:
        """Return the paths of the entries of a directory of the shell."""
        return [join(inner, entry.name) for entry in self.own.list(inner)]

    def has_open_files(self) -> bool:
        """Whether the fork has files open that would not be written to any more after a merge."""
        return False

    def recognise_taken_back(self, expected: Mapping[str, FileVersion | None]) -> None:
        """After a merge that failed: know the files that were removed and made again."""

    def _version(self, view: FileSystem, inner: str) -> FileVersion | None:
        identities = self._identities[id(view)]
        if isinstance(view, MemoryFS):
            node = view._tree.find_or_none(inner)
            if node is None:
                return None
            stat = node.stat()
            return version_of_inode(node, stat, identities.of(stat))
        return version_at(view, inner, identities)

    def _names_in(self, view: FileSystem, inner: str, version: FileVersion) -> frozenset[str]:
        if version.links == 1 or version.is_directory:
            return frozenset([inner])
        names = self._names.get(id(view))
        if names is None:
            names = self._names[id(view)] = names_by_identity(view)
        return names.get(version.identity, frozenset([inner]))


class SnapshotMount(ForkMount):
    """One that has snapshots, so that all three sides stand still: memory, an overlay, a store."""

    def __init__(self, point: str, base: FileSystem, fork: FileSystem, own_fs: FileSystem) -> None:
        # Nobody else writes to a store meanwhile.
        own = own_fs if own_fs.is_in_images else own_fs.snapshot()
        super().__init__(point, base, fork.snapshot(), own, own_fs)

    def changed_paths(self) -> list[str]:
        if isinstance(self.base, OverlayFS) and isinstance(self.fork, OverlayFS):
            return diverging_paths(self.base, self.fork)
        assert isinstance(self.base, MemoryFS)
        assert isinstance(self.fork, MemoryFS)
        return differing_paths(self.base, self.fork)


class OverlaidMount(ForkMount):
    """One that the fork has overlaid, such as a directory of the machine.

    What it was is known where the overlay has changed something. A file that the shell has linked
    to other names is separated from them, as the overlay does it.
    """

    fork: OverlayFS

    def __init__(self, point: str, overlay: OverlayFS) -> None:
        self._overlay = overlay
        lower = overlay.lower
        super().__init__(point, lower, overlay.snapshot(), lower, lower)

    def changed_paths(self) -> list[str]:
        return paths_changed_above(self.fork)

    def base_version(self, inner: str) -> FileVersion | None:
        original = original_of(self.fork, inner)
        if original is None:
            return None
        if kinds.S_ISDIR(original.mode) or not original.is_unchanged(self.own_fs, inner):
            found = Stat(original.mode, original.size, original.modified)
            version = FileVersion(found, self._identities[id(self.fork)].of(found))
            if kinds.S_ISREG(original.mode):
                version.content = FileContent()
                version.content.lost = CHANGED_UNDERNEATH
        else:
            present = self._version(self.own_fs, inner)
            assert present is not None
            version = present
        # Reading sets this time, also in an overlay.
        fork = self.fork_version(inner)
        if fork is not None:
            version.accessed = fork.accessed
        return version

    def base_names(self, inner: str, version: FileVersion) -> frozenset[str]:
        return frozenset([inner])

    def own_names(self, inner: str, version: FileVersion) -> frozenset[str]:
        return frozenset([inner])

    def has_open_files(self) -> bool:
        return has_open_changes(self._overlay)

    def recognise_taken_back(self, expected: Mapping[str, FileVersion | None]) -> None:
        for inner, version in expected.items():
            present = self.own_version(inner)
            # Reading sets a time, too.
            if (
                version is not None
                and present is not None
                and version.modified == present.modified
                and difference(version, present) != DIFFERENT
            ):
                renew_original(self._overlay, inner)


def version_at(fs: FileSystem, inner: str, identities: FileIdentities) -> FileVersion | None:
    """Return what a file system has at a path; its content is read when it is needed."""
    try:
        stat = fs.stat(inner)
        target = fs.read_link(inner) if stat.is_link else ""
    except (FileNotFoundError, NotADirectoryError, LinkInPath):
        return None
    content = FileContent((fs, inner, fingerprint_of(stat))) if stat.is_file else None
    return FileVersion(stat, identities.of(stat), content, target)


def names_by_identity(fs: FileSystem) -> dict[Identity, frozenset[str]]:
    """Return the names of each file that has several."""
    names: dict[Identity, list[str]] = {}
    for inner, stat in walk_tree(fs, "/"):
        if stat.links > 1 and not stat.is_directory:
            names.setdefault((stat.device, stat.inode), []).append(inner)
    return {identity: frozenset(paths) for identity, paths in names.items()}


def without_owner(version: FileVersion, other: FileVersion | None) -> None:
    """Give a version the owner of the other one, or none: an overlay keeps no owners."""
    owners = (NO_OWNER, NO_OWNER) if other is None else (other.owner, other.group)
    version.owner, version.group = owners


def mounts_of_fork(
    origin: ForkOrigin, points: dict[str, FileSystem], own_points: dict[str, FileSystem]
) -> Iterator[ForkMount]:
    """Yield the file systems that a fork may have changed, each once.

    ValueError if the host has mounted something else since, on either side.
    """
    base: ForkBase = origin.base
    done = set()
    for point, fs in (origin.mounts or {}).items():
        mount = base.mounts[point]
        if points.get(point) is not fs or own_points.get(point) is not mount.fs:
            raise ValueError(f"what is mounted at {point} is not what was there at the fork")
        if id(fs) in done:
            continue
        done.add(id(fs))
        if isinstance(mount.fs, MemoryFS | OverlayFS) or mount.fs.is_in_images:
            yield SnapshotMount(point, mount.view, fs, mount.fs)
        elif isinstance(fs, OverlayFS):
            yield OverlaidMount(point, fs)
