"""FileMerge: which paths of a fork its shell takes over, and where that is not possible.

Each path has three versions: at the fork's beginning, in the fork, and in the shell. What only one
side has changed is taken from that side. What both have made alike is no conflict, anything else
is. Times never are: if both sides have set them, the later stay, so that the order in which several
forks are merged does not matter.
"""

from __future__ import annotations

import stat as kinds

from keysh.shell.history.fork_mounts import without_owner
from keysh.vfs.journal.version import FileIdentity
from keysh.vfs.paths import parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.shell.history.fork_mounts import ForkMount
    from keysh.vfs.journal.version import FileVersion

SAME, TIMES, DIFFERENT = range(3)  # how much two versions differ
NEW_DEVICE = -1  # of files that are made anew


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
        self._files: dict[FileIdentity, FileIdentity] = {}  # those to be made, by the fork's
        for inner in mount.changed_paths():
            self._decide(inner)
        for inner, version in self.target.items():
            self._check_place(inner, version)

    def _decide(self, inner: str) -> None:
        mount = self.mount
        base, fork, own = (
            mount.base_version(inner), mount.fork_version(inner), mount.own_version(inner),
        )  # fmt: skip
        base_names = names_or_none(mount.base_names, inner, base)
        fork_names = names_or_none(mount.fork_names, inner, fork)
        own_names = names_or_none(mount.own_names, inner, own)
        theirs = difference(base, fork) if base_names == fork_names else DIFFERENT
        ours = difference(base, own) if base_names == own_names else DIFFERENT
        if theirs == SAME:
            return
        if theirs == TIMES:
            if own is not None and (ours != DIFFERENT or is_same_kind(base, own)):
                self._take_times(inner, base, fork, own)
        elif ours == DIFFERENT:
            is_alike = difference(fork, own) != DIFFERENT and fork_names == own_names
            if not is_alike:
                self.conflicts.add(inner)
            elif own is not None:
                self._take_times(inner, base, fork, own)
        else:
            # A file that has names outside must not change there.
            is_in_place = (
                own is not None
                and is_same_kind(fork, own)
                and fork_names == own_names
                and (own.is_directory or own.links == len(mount.own_names(inner, own)))
            )
            self._take(inner, base, fork, own, is_in_place=is_in_place)

    def _take_times(
        self, inner: str, base: FileVersion | None, fork: FileVersion | None, own: FileVersion
    ) -> None:
        """Leave a path as it is, but for its times."""
        assert fork is not None
        # A directory even if they are the same: a new entry would set them.
        version = own.copy(own.file)
        set_merged_times(version, base, fork, own)
        self.target[inner], self.expected[inner] = version, own

    def _take(
        self,
        inner: str,
        base: FileVersion | None,
        fork: FileVersion | None,
        own: FileVersion | None,
        *,
        is_in_place: bool,
    ) -> None:
        """Take over what the fork has at a path."""
        self.expected[inner] = own
        if fork is None:
            self.target[inner] = None
            return
        if is_in_place and own is not None and not own.is_directory:
            version = fork.copy(own.file)
            if is_same_content(fork, own):
                version.content = own.content
        else:
            version = fork.copy(self._new_file(fork))
        version.links = len(self.mount.fork_names(inner, fork))
        without_owner(version, own)
        if own is not None:
            set_merged_times(version, base, fork, own)
        self.target[inner] = version

    def _new_file(self, fork: FileVersion) -> FileIdentity:
        """Return the identity of a file to be made, the same for all names of one file."""
        if fork.is_directory:
            return FileIdentity(NEW_DEVICE, 0)
        file = self._files.get(fork.file)
        if file is None:
            file = self._files[fork.file] = FileIdentity(NEW_DEVICE, len(self._files) + 1)
        return file

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


def names_or_none(names: object, inner: str, version: FileVersion | None) -> object:
    """Return all names of a file; None if it does not exist."""
    return None if version is None else names(inner, version)  # type: ignore[operator]


def difference(one: FileVersion | None, other: FileVersion | None) -> int:
    """Return how much two versions differ. Owners are not compared."""
    if one is None or other is None:
        return SAME if one is other else DIFFERENT
    if one.mode != other.mode or one.target != other.target or not is_same_content(one, other):
        return DIFFERENT
    is_same_time = (one.modified, one.accessed) == (other.modified, other.accessed)
    return SAME if is_same_time else TIMES


def is_same_content(one: FileVersion, other: FileVersion) -> bool:
    """Whether two files have the same content; if one is lost, whether their times are the same."""
    if one.content is None or other.content is None:
        return one.content is other.content
    is_same = one.size == other.size and one.content.is_same(other.content)
    return one.modified == other.modified if is_same is None else is_same


def is_same_kind(one: FileVersion | None, other: FileVersion | None) -> bool:
    """Whether both exist, and are both files, directories or links."""
    return (
        one is not None and other is not None and kinds.S_IFMT(one.mode) == kinds.S_IFMT(other.mode)
    )


def set_merged_times(
    version: FileVersion, base: FileVersion | None, fork: FileVersion, own: FileVersion
) -> None:
    """Set the times that only one side has set, or the later ones."""
    for name in ("modified", "accessed"):
        was = None if base is None else getattr(base, name)
        theirs, ours = getattr(fork, name), getattr(own, name)
        merged = theirs if ours == was else ours if theirs == was else max(theirs, ours)
        setattr(version, name, merged)
