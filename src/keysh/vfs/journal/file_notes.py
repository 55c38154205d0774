"""FileNotes: how the files were when a run began, of one file system without snapshots."""

from __future__ import annotations

import errno
from _thread import RLock
from contextlib import suppress
from weakref import WeakValueDictionary

from keysh.vfs.api import FileSystem, LinkInPath, identity
from keysh.vfs.journal.content import FileContent, fingerprint_of
from keysh.vfs.journal.linked_names import LinkedNames
from keysh.vfs.journal.open_streams import OpenStreams
from keysh.vfs.journal.program_index import ProgramIndex
from keysh.vfs.journal.recent import has_bytes, has_content
from keysh.vfs.journal.version import NO_OWNER, FileIdentities, FileIdentity, FileVersion
from keysh.vfs.paths import parent
from keysh.vfs.transfer import walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.vfs.api import Stat
    from keysh.vfs.journal.content_store import ContentStore

MAX_RECORDED_PATHS = 200_000  # of one run; each takes up to a kilobyte
# A verb meets the same refusal as the look at its path, and changes nothing.
REFUSED_ERRNOS = (
    errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.ELOOP,
)  # fmt: skip


class FileNotes:
    """The notes of the present run, and the versions that earlier runs have left.

    Its methods are called with the lock held.

    originals  what was at a path when the run began, for each path that it may have changed
    files      the first of these versions of each file, by its inode, or by its path without one
    unchanged  files that nobody else has changed since the last run that the journal knows
    timed      files whose times the run may have set, not only by reading them
    settled    paths whose content is kept, or new in this run: they can be written without a look
    """

    def __init__(self, fs: FileSystem, point: str) -> None:
        self.fs = fs
        self.is_active = False
        self.originals: dict[str, FileVersion | None] = {}
        self.reasons: dict[str, None] = {}
        self._point = "" if point == "/" else point
        self._contents: ContentStore | None = None
        self._lock = RLock()
        self._files: dict[object, FileVersion] = {}
        self._settled: set[str] = set()
        self._unchanged: set[FileIdentity] = set()
        self._timed: set[FileIdentity] = set()
        self._streams = OpenStreams(fs)
        self._names = LinkedNames(fs)
        self._index = ProgramIndex()
        # The copies of an overlay belong to another user than the files below.
        self._keeps_owners = type(fs).set_owner is not FileSystem.set_owner
        self._identities = FileIdentities()
        self._latest: WeakValueDictionary[str, FileVersion] = WeakValueDictionary()

    def _note(self, path: str) -> Stat | None:
        """Return a path's Stat now; if this is the first look, that is how it was."""
        try:
            stat = self.fs.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            self._add_original(path, None)
            return None
        except OSError as error:
            if error.errno not in REFUSED_ERRNOS:
                self.reasons[f"{self._point}{path} could not be read: {error.strerror}"] = None
            return None
        if path not in self.originals:
            self._add_original(path, self._version(path, stat))
        return stat

    def _note_parent(self, path: str) -> None:
        above = parent(path)
        if above not in self.originals:
            with suppress(LinkInPath):  # the verb finds it as well, and the router follows it
                self._note(above)

    def _add_original(self, path: str, version: FileVersion | None) -> None:
        if path in self.originals:
            return
        if len(self.originals) >= MAX_RECORDED_PATHS:
            self.reasons[f"a run may change {MAX_RECORDED_PATHS} paths to be taken back"] = None
            return
        if self._index.roots and self._index.covers(path):  # a program may have changed it since
            version = self._index.versions.get(path)
        self.originals[path] = version

    def _version(self, path: str, stat: Stat) -> FileVersion:
        """Return the version of a file that has not been changed in this run.

        It may have got or lost another name in this run already, which changes its inode.
        """
        target = self.fs.read_link(path) if stat.is_link else ""
        key = self._key(path, stat)
        first = self._files.get(key)
        file = self._identities.of(stat)
        if first is None:
            if file.changed == stat.changed:
                self._unchanged.add(file)
            file.update(stat)
        version = self._latest.get(path)
        if (
            version is not None
            and file in self._unchanged
            and version.has_attributes_of(stat)
            and version.is_recent
            and not has_bytes(self.fs, path, version, is_about_to_be_lost=True)
        ):
            self._unchanged.discard(file)  # somebody has changed it within a tick of the clock
        if (
            version is None
            or file not in self._unchanged
            or not version.has_attributes_of(stat)
            or (version.file, version.modified, version.target) != (file, stat.modified, target)
        ):
            if version is not None and version.modified == stat.modified:
                # Somebody has set the time back. Once this is undone only contents tell the two
                # apart, and that of before is known by its digest or not at all.
                version.is_recent = True
                if version.content is not None and version.content.known_digest is None:
                    version.content.forget_file()
            content = None
            if stat.is_file:
                known = file.content if file in self._unchanged else None
                if known is not None and version is None and not self._has_content(path, known):
                    known = None
                content = known or FileContent((self.fs, path, fingerprint_of(stat)))
            version = self._new_version(stat, file, content, target)
        if first is None:
            self._files[key] = version
        elif first.content is not None:  # another name of the same file
            version.content = first.content
        if version.content is not None and version.content.kept is None:
            version.content.live = (self.fs, path, fingerprint_of(stat))
            version.content.file = file
        return version

    def _has_content(self, path: str, content: FileContent) -> bool:
        """Whether a file has the content that it had at another path, as far as anybody knows."""
        if content.inode is None and content.known_digest is None:
            return True
        return has_content(self.fs, path, content, content.size(), is_about_to_be_lost=False)

    def _note_contents(self, old: str, new: str) -> list[tuple[str, object]]:
        """Note everything in a directory that is about to move; return paths and keys."""
        moved = []
        for path, stat in walk_tree(self.fs, old):
            if path != old:
                moved.append((path, self._key(path, stat)))
                if path not in self.originals:
                    self._add_original(path, self._version(path, stat))
                if not self.fs.keeps_inodes:
                    self._note_other_names(path, stat)
                self._add_original(new + path[len(old) :], None)
        return moved

    def _note_other_names(self, path: str, stat: Stat) -> None:
        """Note the other names of a file, which change with it."""
        first = self._files.get(self._key(path, stat))
        if stat.is_directory or first is None or first.links < 2:
            return
        names = self._names.of(stat)
        for name in names:
            if name not in self.originals:
                try:
                    found = self.fs.stat(name)
                except (OSError, LinkInPath):
                    continue
                if identity(found) == identity(stat):
                    self._add_original(name, self._version(name, found))
        if len(names) < first.links and self.fs.keeps_inodes:  # else the count means nothing
            self.reasons[f"{self._point}{path} has other names that were not found"] = None

    def _other_names(self, path: str) -> list[str]:
        """Return the names that a file of this run has beside one that it has just lost."""
        was = self.originals.get(path)
        if was is None or was.links < 2:
            return []
        return [
            name for name, version in self.originals.items()
            if version is not None and version.file is was.file and name != path
        ]  # fmt: skip

    def _present_versions(self) -> dict[str, FileVersion | None]:
        """Return what the run leaves at each path, sorted.

        What is in directories that were not there before, or not at this path, is noted as well.
        """
        contents: dict[object, FileContent] = {}
        versions: dict[str, FileVersion | None] = {}
        pending = [*self.originals]
        while pending:
            for path in pending:
                versions[path] = self._present_version(path, contents)
            for path in pending:
                version = versions[path]
                if version is not None and version.is_directory and self.originals[path] is None:
                    with suppress(OSError, LinkInPath):
                        for below, _ in walk_tree(self.fs, path):
                            self._add_original(below, None)
            pending = [path for path in self.originals if path not in versions]
        return dict(sorted(versions.items()))

    def _key(self, path: str, stat: Stat) -> object:
        """Return what identifies a file in this run."""
        return identity(stat) if stat.inode else path

    def _keep(self, path: str, stat: Stat) -> None:
        """Keep the content that a file had when the run began, before it is lost."""
        version = self._files.get(self._key(path, stat))
        if version is None or version.content is None or self._contents is None:
            return
        if version.content.kept is None:
            version.content.live = (self.fs, path, fingerprint_of(stat))
        version.content.keep(self._contents)

    def _lose(self, path: str, stat: Stat | None) -> None:
        """Keep a file that is about to lose a name, or its last one."""
        if stat is not None and not stat.is_directory:
            if stat.is_file:
                self._keep(path, stat)
            self._note_other_names(path, stat)
            if stat.links == 1:  # the next new file may get its number
                self._files.pop(self._key(path, stat), None)
        self._settled.discard(path)

    def _keep_all(self, moved: Iterable[tuple[str, object]]) -> None:
        """Keep files whose only identity is their path, which is about to change."""
        for path, _ in moved:
            stat = self.fs.stat(path)
            if stat.is_file:
                self._keep(path, stat)

    def _present_version(
        self, path: str, contents: dict[object, FileContent]
    ) -> FileVersion | None:
        """Return the version that a run leaves; all names of a file have one content."""
        try:
            stat = self.fs.stat(path)
            target = self.fs.read_link(path) if stat.is_link else ""
        except (FileNotFoundError, NotADirectoryError, LinkInPath):
            return None
        except OSError as error:
            self.reasons[f"{self._point}{path} could not be read: {error.strerror}"] = None
            return None
        file = self._identities.of(stat)
        file.update(stat)
        content = None
        if stat.is_file:
            key = self._key(path, stat)
            content = contents.get(key)
            if content is None:
                first = self._files.get(key)
                if first is not None and first.content is not None and is_untouched(first.content):
                    content = first.content
                else:
                    content = FileContent()
                contents[key] = content
            content.live = (self.fs, path, fingerprint_of(stat))
            content.file = file
            file.content = content
        return self._new_version(stat, file, content, target)

    def _new_version(
        self, stat: Stat, file: FileIdentity, content: FileContent | None, target: str
    ) -> FileVersion:
        version = FileVersion(stat, file, content, target)
        if not self._keeps_owners:
            version.owner = version.group = NO_OWNER
        return version


def is_untouched(content: FileContent) -> bool:
    """Whether a file has kept its content: nothing was about to change it."""
    return content.kept is None and not content.lost
