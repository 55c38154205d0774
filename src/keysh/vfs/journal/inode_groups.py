"""Inode groups: which paths are to be names of one file, and where its inode is now."""

from __future__ import annotations

import stat as kinds

from keysh.vfs.api import identity
from keysh.vfs.journal.linked_names import walk_readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.api import FileSystem, Identity, Stat
    from keysh.vfs.journal.version import FileIdentity, FileVersion


class RestoredPath:
    """A path as the router shows it, what it is to be, what it should be, and what is there."""

    __slots__ = ("expected", "found", "path", "target")

    def __init__(self, path: str, target: FileVersion | None, expected: FileVersion | None) -> None:
        self.path, self.target, self.expected = path, target, expected
        self.found: Stat | None = None


class InodeGroup:
    """The paths that are to be names of one file, and where its inode is now.

    `anchor` is a path that has the inode, "" if it has to be made; `is_in_place` says that the path
    is one of the group's, `is_outside` that it is a name that the run has not touched.
    """

    __slots__ = ("anchor", "is_outside", "paths", "version")

    def __init__(self, version: FileVersion) -> None:
        self.version = version
        self.paths: list[str] = []
        self.anchor = ""
        self.is_outside = False


def inode_groups(
    fs: FileSystem, paths: Mapping[str, RestoredPath]
) -> tuple[list[InodeGroup], set[str]]:
    """Return the groups of the paths inside a file system, and the paths that stay as they are."""
    places: dict[FileIdentity | Identity, list[str]] = {}
    groups: dict[object, InodeGroup] = {}
    for inner, item in paths.items():
        if item.found is not None and not item.found.is_directory:
            number = identity(item.found)
            places.setdefault(number, []).append(inner)
            if item.expected is not None and item.expected.identity == number:
                places.setdefault(item.expected.file, []).append(inner)
        target = item.target
        if target is not None and not target.is_directory:
            key = (target.file, kinds.S_IFMT(target.mode)) if target.file.inode else inner
            group = groups.get(key)
            if group is None:
                group = groups[key] = InodeGroup(target)
            group.paths.append(inner)
    finder = InodeFinder(fs, paths)
    for group in groups.values():
        finder.find(group, places.get(group.version.file, []))
    # The number of a file that is gone may be that of another one now, which can become it.
    for group in groups.values():
        finder.find(group, places.get(group.version.identity, []))
        version = group.version
        if not group.anchor and version.links > len(group.paths) and version.file.inode:
            group.anchor = outside_name(fs, paths, version)
            group.is_outside = bool(group.anchor)
    return [*groups.values()], finder.in_place


class InodeFinder:
    """Gives each group an inode that is at one of the paths now; no inode to two of them."""

    __slots__ = ("_fs", "_paths", "_taken", "in_place")

    def __init__(self, fs: FileSystem, paths: Mapping[str, RestoredPath]) -> None:
        self._fs, self._paths = fs, paths
        self._taken: set[str] = set()
        self.in_place: set[str] = set()

    def find(self, group: InodeGroup, places: list[str]) -> None:
        """Take the inode at some places for a group that has none."""
        if group.anchor or not self._taken.isdisjoint(places):
            return
        usable = [place for place in places if self._can_become(place, group.version)]
        own = [place for place in usable if place in group.paths]
        if usable:
            self._taken.update(places)
            group.anchor = (own or usable)[0]
            self.in_place.update(own)

    def _can_become(self, place: str, version: FileVersion) -> bool:
        """Whether the inode at a path can be made this version."""
        found = self._paths[place].found
        if found is None or kinds.S_IFMT(found.mode) != kinds.S_IFMT(version.mode):
            return False
        return not version.is_link or self._fs.read_link(place) == version.target


def outside_name(fs: FileSystem, paths: Mapping[str, RestoredPath], version: FileVersion) -> str:
    """Return a name of a file that is not among the paths; "" if none is found."""
    for inner, stat in walk_readable(fs):
        if identity(stat) == version.identity and inner not in paths:
            return inner
    return ""
