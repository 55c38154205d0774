"""FileMerge: which paths of a fork its shell takes over, and where that is not possible.

Each path has three versions: at the fork's beginning, in the fork, and in the shell. What only one
side has changed is taken from that side. What both have made alike is no conflict, anything else
is. Times never are: if both sides have set them, the later stay, so that the order in which several
forks are merged does not matter.
"""

from __future__ import annotations

from keysh.shell.history.fork_mounts import without_owner
from keysh.shell.history.version_difference import (
    DIFFERENT,
    SAME,
    TIMES,
    difference,
    is_same_content,
    is_same_kind,
)
from keysh.vfs.api import Stat
from keysh.vfs.journal.version import FileIdentity
from keysh.vfs.paths import parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.shell.history.fork_mounts import ForkMount
    from keysh.vfs.journal.version import FileVersion

NEW_DEVICE = -1  # of files that are made anew


class PathSides:
    """What a path was, and is on both sides; and the names that its file had and has there."""

    __slots__ = ("base", "base_names", "fork", "fork_names", "own", "own_names")

    def __init__(self, mount: ForkMount, inner: str) -> None:
        self.base, self.fork, self.own = (
            mount.base_version(inner), mount.fork_version(inner), mount.own_version(inner),
        )  # fmt: skip
        nothing: frozenset[str] = frozenset()
        self.base_names = mount.base_names(inner, self.base) if self.base else nothing
        self.fork_names = mount.fork_names(inner, self.fork) if self.fork else nothing
        self.own_names = mount.own_names(inner, self.own) if self.own else nothing

    def fork_difference(self) -> int:
        """Return how much the fork has changed."""
        is_linked_alike = self.base_names == self.fork_names
        return difference(self.base, self.fork) if is_linked_alike else DIFFERENT

    def own_difference(self) -> int:
        """Return how much the shell has changed."""
        is_linked_alike = self.base_names == self.own_names
        return difference(self.base, self.own) if is_linked_alike else DIFFERENT

    def are_alike(self) -> bool:
        """Whether both sides have the same, but for times."""
        is_linked_alike = self.fork_names == self.own_names
        return is_linked_alike and difference(self.fork, self.own) != DIFFERENT

    def set_merged_times(self, version: FileVersion) -> None:
        """Set the times that only one side has set, or the later ones."""
        if self.fork is None or self.own is None:
            return
        for name in ("modified", "accessed"):
            was = None if self.base is None else getattr(self.base, name)
            theirs, ours = getattr(self.fork, name), getattr(self.own, name)
            merged = theirs if ours == was else ours if theirs == was else max(theirs, ours)
            setattr(version, name, merged)


class FileMerge:
    """The decision for one file system. Paths are those inside it.

    `target` has what paths are to become, and `expected` what is there; `conflicts` has the paths
    that cannot be merged.
    """

    def __init__(self, mount: ForkMount) -> None:
        self.mount = mount
        self.target: dict[str, FileVersion | None] = {}
        self.expected: dict[str, FileVersion | None] = {}
        self.conflicts: set[str] = set()
        self._taken: dict[str, PathSides] = {}
        self._files: dict[FileIdentity, FileIdentity] = {}  # those of the shell, by the fork's
        for inner in mount.changed_paths():
            self._decide(inner)
        for inner in [*self.target]:
            self._check_place(inner, self.target[inner])
        if not self.conflicts:
            self._find_files()
            for inner, sides in self._taken.items():
                self._make_version(inner, sides)

    def _decide(self, inner: str) -> None:
        sides = PathSides(self.mount, inner)
        fork, own = sides.fork_difference(), sides.own_difference()
        if fork == SAME:
            return
        if fork == TIMES:
            is_there = own != DIFFERENT or is_same_kind(sides.base, sides.own)
            if is_there:
                self._take_times(inner, sides)
        elif own != DIFFERENT:
            self.target[inner], self.expected[inner] = sides.fork, sides.own
            self._taken[inner] = sides
        elif sides.are_alike():
            self._take_times(inner, sides)
        else:
            self.conflicts.add(inner)

    def _take_times(self, inner: str, sides: PathSides) -> None:
        """Leave a path as it is, but for its times."""
        if sides.own is not None:
            version = sides.own.copy(sides.own.file)
            sides.set_merged_times(version)
            self.target[inner], self.expected[inner] = version, sides.own

    def _find_files(self) -> None:
        """Find the files of the shell that stay the same files, with new contents or names.

        All names of one are names of the fork's file, or are taken from it.
        """
        used = set()
        for sides in self._taken.values():
            fork, own, names = sides.fork, sides.own, sides.fork_names
            if (
                fork is not None
                and own is not None
                and is_same_kind(fork, own)
                and not own.is_directory
                and own.links == len(sides.own_names)
                and all(name in names or name in self._taken for name in sides.own_names)
                and fork.file not in self._files
                and own.file not in used
            ):
                self._files[fork.file] = own.file
                used.add(own.file)

    def _make_version(self, inner: str, sides: PathSides) -> None:
        """Make the version of the fork one of the shell's file system."""
        fork, own = sides.fork, sides.own
        if fork is None:
            return
        if fork.is_directory:
            version = fork.copy(FileIdentity(Stat(0)))
        else:
            new = FileIdentity(Stat(0, device=NEW_DEVICE, inode=len(self._files) + 1))
            version = fork.copy(self._files.setdefault(fork.file, new))
            if own is not None and version.file is own.file and is_same_content(fork, own):
                version.content = own.content
        version.links = len(sides.fork_names)
        without_owner(version, own)
        sides.set_merged_times(version)
        self.target[inner] = version

    def _check_place(self, inner: str, version: FileVersion | None) -> None:
        """Find what stands in the way: a directory that is gone, or one that has new entries."""
        own = self.expected[inner]
        if own is not None and own.is_directory and (version is None or not version.is_directory):
            for entry in self.mount.own_entries(inner):
                if self.target.get(entry, own) is not None:
                    self.conflicts.add(entry)
        if version is not None and inner != "/":
            above = parent(inner)
            directory = (
                self.target[above] if above in self.target else self.mount.own_version(above)
            )
            if directory is None or not directory.is_directory:
                self.conflicts.add(inner)
