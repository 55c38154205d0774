"""FileRestoration: makes the paths of one file system what they were.

Files are told apart by their inodes, since a path may have had several and an inode several paths.
All paths that are to have one inode form a group:

    now      /a: 5   /b: 6   /c: 5        wanted    /a: 6   /b: 5   /d: 5

    1. set aside    an inode that a group needs, and that is elsewhere: 6 at /b gets another name
    2. remove       what is to go, entries before their directory: /c
    3. make         directories, outermost first; then each group: the inode that was set aside is
                    renamed (6 to /a), one that is in place stays, any other is made anew; further
                    names are links to it
    4. write        contents, into the inode, unless it has kept them; then owners, modes and
                    times, those of directories last

A file that is made anew never goes through an existing name, which may be a link to another file.
"""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.vfs.api import LinkInPath
from keysh.vfs.journal.content import fingerprint_of
from keysh.vfs.journal.inode_groups import InodeGroup, RestoredPath, inode_groups, outside_name
from keysh.vfs.journal.recent import has_bytes, mark_recent
from keysh.vfs.journal.version import NO_OWNER
from keysh.vfs.paths import join, parent
from keysh.vfs.stream import complete_stream
from keysh.vfs.transfer import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Access, FileSystem, Stat
    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.journal.version import FileIdentity, FileVersion

# The errors of a file system that does not keep an attribute.
NO_ATTRIBUTE_ERRNOS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP)
# The errors of a file system without hard links, and of a file that has too many.
NO_LINK_ERRNOS = (errno.EPERM, errno.EROFS, errno.EMLINK, errno.EOPNOTSUPP, errno.EXDEV)
OWNER_MAY_CHANGE = 0o300  # what a directory's owner needs to change its entries
MAKEABLE_KINDS = (kinds.S_IFREG, kinds.S_IFDIR, kinds.S_IFLNK, kinds.S_IFIFO)


class FileRestoration:
    """One restoration in one file system. `paths` has the paths inside it."""

    def __init__(self, fs: FileSystem, contents: ContentStore) -> None:
        self.fs = fs
        self.paths: dict[str, RestoredPath] = {}
        self._contents = contents
        self._groups: list[InodeGroup] = []
        self._in_place: set[str] = set()
        self._parents: dict[str, Stat] = {}  # directories that are not among the paths
        self._aside: dict[str, str] = {}  # by the path where it was
        self._recovers = False
        self._prefix = f".keysh-undo-{os.urandom(4).hex()}-"

    # ---------------------------------------------------------------- check

    def check(self, conflicts: list[str], lost: dict[str, str]) -> None:
        """Compare everything with what is expected, and see whether it can be done."""
        for inner, item in self.paths.items():
            if not self._is_as_expected(inner, item) or not self._has_place(inner, item):
                conflicts.append(item.path)
            elif item.found is not None and item.found.is_directory:
                self._check_entries(inner, item, conflicts)
        if conflicts:
            return
        self._groups, self._in_place = inode_groups(self.fs, self.paths)
        for group in self._groups:
            version = group.version
            content = version.content
            if group.is_outside and not has_bytes(self.fs, group.anchor, version):
                conflicts += [self.paths[inner].path for inner in group.paths]
            elif content is not None and not group.is_outside and not content.is_at_hand:
                reason = content.lost or "it is no longer there"
                lost.update((self.paths[inner].path, reason) for inner in group.paths)
            elif kinds.S_IFMT(version.mode) not in MAKEABLE_KINDS and not group.anchor:
                reason = "a file of its kind cannot be made"
                lost.update((self.paths[inner].path, reason) for inner in group.paths)

    def _is_as_expected(self, inner: str, item: RestoredPath) -> bool:
        """Whether a path is what the run has left."""
        expected = item.expected
        try:
            found = item.found = self.fs.stat(inner)
        except (FileNotFoundError, NotADirectoryError, LinkInPath):
            return expected is None
        except OSError:
            return False
        if expected is None or not expected.is_incarnated_as(found):
            return False
        if found.is_link:
            return self.fs.read_link(inner) == expected.target
        return not expected.is_recent or has_bytes(self.fs, inner, expected)

    def _has_place(self, inner: str, item: RestoredPath) -> bool:
        """Whether the directory of a path is there, or will be."""
        if item.target is None or inner == "/":
            return True
        above = parent(inner)
        if above in self.paths:
            return True
        try:
            return self.fs.stat(above).is_directory
        except (LinkInPath, OSError):
            return False

    def _check_entries(self, inner: str, item: RestoredPath, conflicts: list[str]) -> None:
        """Find entries that nobody expects in a directory that is to go."""
        if item.target is not None and item.target.is_directory:
            return
        conflicts += [
            join(item.path, entry.name)
            for entry in self.fs.list(inner)
            if join(inner, entry.name) not in self.paths
        ]

    # ---------------------------------------------------------------- prepare

    def prepare(self, lost: dict[str, str]) -> None:
        """Keep contents that this restoration is going to overwrite or remove."""
        surviving = {id(group.version.content) for group in self._groups}
        for inner, item in self.paths.items():
            expected, found = item.expected, item.found
            if expected is None or expected.content is None or found is None:
                continue
            if id(expected.content) not in surviving:
                expected.content.live = (self.fs, inner, fingerprint_of(found))
                expected.content.keep(self._contents)
        for group in self._groups:
            content = group.version.content
            if content is None or self._has_content(group) or group.is_outside:
                continue
            if not content.keep(self._contents):
                lost.update((self.paths[inner].path, content.lost) for inner in group.paths)

    def _has_content(self, group: InodeGroup) -> bool:
        """Whether the group's inode has its content already."""
        expected = self.paths[group.anchor].expected if group.anchor in self.paths else None
        content = group.version.content
        return (
            content is not None
            and expected is not None
            and expected.content is not None
            and content.is_identical(expected.content)
        )

    # ---------------------------------------------------------------- apply

    def apply_through(self, fs: FileSystem) -> None:
        """Change everything by the verbs of another object that stands for the file system."""
        plain, self.fs = self.fs, fs
        try:
            self.apply()
        finally:
            self.fs = plain

    def apply(self) -> None:
        """Change names, contents and attributes."""
        self._unlock_directories()
        self._set_inodes_aside()
        self._remove_paths()
        for inner in sorted(self.paths):
            item = self.paths[inner]
            if item.target is None or not item.target.is_directory:
                continue
            if item.found is None or not item.found.is_directory:
                self.fs.make_directory(inner, 0o700)
        for group in self._groups:
            self._make_names(group)
        for group in self._groups:
            self._set_attributes(group.paths[0], group.version)
        for inner in sorted(self.paths, reverse=True):
            item = self.paths[inner]
            if item.target is not None and item.target.is_directory:
                self._set_attributes(inner, item.target, has_times=self._has_old_times(item))
        for inner, stat in self._parents.items():
            self._restore_parent(inner, stat)

    def _unlock_directories(self) -> None:
        """Let the owner change the entries of all directories concerned."""
        for inner in {parent(inner) for inner in self.paths} | {*self.paths}:
            try:
                stat = self.fs.stat(inner)
            except (OSError, LinkInPath):
                continue
            if not stat.is_directory:
                continue
            if inner not in self.paths:
                self._parents[inner] = stat
            if stat.mode & OWNER_MAY_CHANGE != OWNER_MAY_CHANGE:
                self.fs.set_mode(inner, kinds.S_IMODE(stat.mode) | 0o700)

    def _restore_parent(self, inner: str, stat: Stat) -> None:
        """Give a directory that the run has not changed the attributes that it had."""
        found = self.fs.stat(inner)
        try:
            if found.mode != stat.mode:
                self.fs.set_mode(inner, kinds.S_IMODE(stat.mode))
            if found.modified != stat.modified:
                self.fs.set_times(inner, stat.accessed, stat.modified)
        except OSError as error:
            if error.errno not in NO_ATTRIBUTE_ERRNOS:
                raise

    def _set_inodes_aside(self) -> None:
        for group in self._groups:
            anchor = group.anchor
            if not anchor or group.is_outside or anchor in self._in_place:
                continue
            above = parent(anchor)
            while above in self.paths and not self._stays_directory(above):
                above = parent(above)
            aside = join(above, f"{self._prefix}{len(self._aside)}")
            self.fs.rename(anchor, aside)
            self._aside[anchor] = aside

    def _stays_directory(self, inner: str) -> bool:
        item = self.paths[inner]
        return bool(
            item.target is not None
            and item.target.is_directory
            and item.found is not None
            and item.found.is_directory
        )

    def _remove_paths(self) -> None:
        for inner in sorted(self.paths, reverse=True):
            item = self.paths[inner]
            if item.found is None or inner in self._in_place or inner in self._aside:
                continue
            if not item.found.is_directory:
                self.fs.remove(inner)
            elif item.target is None or not item.target.is_directory:
                self.fs.remove_directory(inner)

    def _make_names(self, group: InodeGroup) -> None:
        """Make all names of a file, and give it its content."""
        version = group.version
        anchor = group.anchor
        is_new = not anchor
        if anchor in self._aside:
            self.fs.rename(self._aside.pop(anchor), group.paths[0])
            anchor = group.paths[0]
        elif is_new:
            anchor = group.paths[0]
            self._make_file(anchor, version)
        content = version.content
        # A content that is not kept is one that the inode has never lost.
        is_kept = content is not None and content.kept is not None
        if is_kept and not is_new and not group.is_outside and not self._has_content(group):
            self.fs.set_mode(anchor, 0o600)
            self._write(anchor, version, "w")
        for inner in group.paths:
            if inner == anchor or inner in self._in_place:
                continue
            try:
                self.fs.link(anchor, inner)
            except OSError as error:
                if error.errno not in NO_LINK_ERRNOS:
                    raise
                self._make_file(inner, version)
                self._set_attributes(inner, version)

    def _make_file(self, inner: str, version: FileVersion) -> None:
        if version.is_link:
            self.fs.make_link(version.target, inner)
        elif version.is_file:
            self._write(inner, version, "x")
        else:
            self.fs.make_fifo(inner, 0o600)

    def _write(self, inner: str, version: FileVersion, access: Access) -> None:
        assert version.content is not None
        with complete_stream(self.fs.open(inner, access, 0o600)) as stream:
            for piece in version.content.chunks():
                write_all(stream, piece)

    def _set_attributes(self, inner: str, version: FileVersion, *, has_times: bool = True) -> None:
        """Set owner, mode and times, as far as the file system keeps them."""
        found = self.fs.stat(inner)
        try:
            if self._set_owner(inner, version, found):
                found = self.fs.stat(inner)  # that may have changed the mode
            if found.mode != version.mode and not version.is_link:
                self.fs.set_mode(inner, version.permissions)
            if has_times and (found.accessed, found.modified) != (
                version.accessed, version.modified
            ):  # fmt: skip
                self.fs.set_times(inner, version.accessed, version.modified)
        except OSError as error:
            if error.errno not in NO_ATTRIBUTE_ERRNOS:
                raise

    def _set_owner(self, inner: str, version: FileVersion, found: Stat) -> bool:
        """Set the owner if it is another one and may be set; return whether it was."""
        owner = (version.owner, version.group)
        if version.owner == NO_OWNER or owner == (found.owner, found.group):
            return False
        try:
            self.fs.set_owner(inner, *owner)
        except PermissionError:  # of files that belong to somebody else; mode and times follow
            return False
        return True

    def _has_old_times(self, item: RestoredPath) -> bool:
        """Whether a directory's times are ours: nobody else has changed its entries."""
        found, expected = item.found, item.expected
        if self._recovers or found is None or expected is None or not found.is_directory:
            return True
        return found.modified == expected.modified

    # ---------------------------------------------------------------- after it

    def adopt_versions(self) -> None:
        """Let the versions that were restored recognise themselves later."""
        restored = []
        for inner, item in self.paths.items():
            version = item.target
            if version is None:
                continue
            stat = self.fs.stat(inner)
            version.adopt(stat)
            if version.content is not None:
                version.content.live = (self.fs, inner, fingerprint_of(stat))
                version.content.file = version.file
                version.file.content = version.content
                restored.append(version)
        mark_recent(self.fs, restored)
        self._adopt_outside_names()

    def _adopt_outside_names(self) -> None:
        """Note that inodes changed which lost a name here and still have one elsewhere."""
        names: dict[FileIdentity, int] = {}
        lost: dict[FileIdentity, RestoredPath] = {}
        for item in self.paths.values():
            if item.expected is not None and item.found is not None and item.found.links > 1:
                file = item.expected.file
                names[file] = names.get(file, 0) + 1
                if not item.found.is_directory and item.target is not item.expected:
                    lost[file] = item
        for file, item in lost.items():
            if item.found is not None and item.expected is not None:
                is_outside = names[file] < item.found.links
                name = outside_name(self.fs, self.paths, item.expected) if is_outside else ""
                if name:
                    file.update(self.fs.stat(name))

    def take_back(self) -> None:
        """After a failure, make everything what it was when it began, as far as possible."""
        back = FileRestoration(self.fs, self._contents)
        for inner, item in self.paths.items():
            back.paths[inner] = RestoredPath(item.path, item.expected, item.target)
        for aside in self._aside.values():
            back.paths[aside] = RestoredPath(aside, None, None)
        back.recover()
        back.adopt_versions()

    def recover(self) -> None:
        """Apply without a check: whatever is there was left by a failure."""
        self._recovers = True
        for inner, item in self.paths.items():
            try:
                item.found = self.fs.stat(inner)
            except (OSError, LinkInPath):
                item.found = None
        self._groups, self._in_place = inode_groups(self.fs, self.paths)
        self.apply()
