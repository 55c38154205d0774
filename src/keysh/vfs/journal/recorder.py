"""FileRecorder: what runs change in a file system without snapshots, noted verb by verb.

Before a verb changes a path for the first time in a run, the recorder notes what is there. That
costs a look at its attributes. Contents are kept only when they are about to be lost, by the file
and not by the path: a file that is renamed is still somewhere, so `mv` copies nothing.

    echo x >> a     note /a, keep its content
    mv a b          note /a, /b, and keep what /b loses; the file of /a is at /b now
    echo y > b      keep the content of the file at /b, which is that of /a before the run
"""

from __future__ import annotations

from keysh.vfs.api import LinkInPath, identity
from keysh.vfs.journal.file_notes import FileNotes
from keysh.vfs.journal.program_index import TooManyFiles, files_below
from keysh.vfs.journal.recent import has_bytes, mark_recent
from keysh.vfs.journal.version import FileVersion
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.vfs.api import Stat
    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.stream import Stream


class FileRecorder(FileNotes):
    """What stands before the verbs of one file system, and answers for its runs.

    A verb that moves a file or changes its attributes may give it a new inode, unless the file
    system `keeps_inodes`. Then the file is followed.
    """

    # ---------------------------------------------------------------- the run

    def begin(self, contents: ContentStore) -> None:
        """Begin a run; files that are open for writing are kept at once."""
        self._contents = contents
        self.originals, self.reasons, self._files = {}, {}, {}
        self._settled, self._unchanged, self._timed = set(), set(), set()
        self._names.forget()
        self._index.roots.clear()
        self.is_active = True
        try:
            for path in self._streams.paths(self.reasons):
                self.before_write(path)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - of a host's file system; the run may begin
            self._note_failure(error)

    def end(
        self, before: dict[str, FileVersion | None], after: dict[str, FileVersion | None]
    ) -> None:
        """End the run, and add the versions of all paths that it has changed."""
        with self._lock:
            self.is_active = False
            try:
                with self.fs.at_one_time():
                    self._add_changes(before, after)
                    self._streams.settle(self._identities)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - as above; the run has its result
                self._note_failure(error)
            finally:
                self._files = {}

    def _note_failure(self, error: BaseException) -> None:
        """Note that the file system has raised what no verb may raise."""
        place = self._point or "/"
        self.reasons[f"{place} could not be looked at: {type(error).__name__}"] = None

    def _add_changes(
        self, before: dict[str, FileVersion | None], after: dict[str, FileVersion | None]
    ) -> None:
        """Add the versions of all paths that the run has changed."""
        if self._index.roots and isinstance(self.fs, LocalFS):
            self._note_indexed_changes(self.fs)
        marked: list[FileVersion] = []
        there: set[int] = set()  # contents that have been found in a file
        for inner, now in self._present_versions().items():
            was = self.originals[inner]
            if now is not None:
                there.add(id(now.content))
            if was is not None and now is not None and self._is_unchanged(was, now):
                was.accessed = now.accessed
                if was.content is not None and now.content is not None:
                    was.content.live = now.content.live
                self._latest[inner] = was
                marked.append(was)
            elif was is not None or now is not None:
                path = self._point + inner if inner != "/" else self._point or "/"
                before[path], after[path] = was, now
                if now is not None:
                    self._latest[inner] = now
                    marked.append(now)
        for version in self.originals.values():
            content = None if version is None else version.content
            if content is None:
                continue
            content.held = None  # the run has not changed it after all
            if id(content) not in there and not content.is_at_hand:
                content.lost = content.lost or "it is no longer there"
        mark_recent(self.fs, [version for version in marked if version.is_file])

    def before_programs(self, directories: Iterable[str]) -> None:
        """Note all files in some directories of the machine, which a program may change."""
        fs, index = self.fs, self._index
        if not self.is_active or not isinstance(fs, LocalFS):
            return
        with self._lock:
            for directory in directories:
                if index.covers(directory):
                    continue
                refusal = index.refused.get(directory) or self._add_to_index(fs, directory)
                if refusal:
                    self.reasons[refusal] = None
            if index.roots and not index.covers("/"):
                shown = ", ".join(f"{self._point}{root}" for root in index.roots)
                self.reasons[f"what programs change outside {shown} is not known"] = None

    def _is_unchanged(self, was: FileVersion, now: FileVersion) -> bool:
        """Whether a run has left nothing behind at a path that can be seen.

        Reading a file may set its access time; that is no change.
        """
        if (
            was.file is not now.file
            or (was.mode, was.owner, was.group, was.links)
            != (now.mode, now.owner, now.group, now.links)
            or (was.modified, was.target) != (now.modified, now.target)
            or (was.accessed != now.accessed and was.file in self._timed)
        ):
            return False
        if was.content is None or now.content is None:
            return was.content is now.content
        return was.size == now.size and was.content.is_same(now.content) is True

    def note_restored(self, path: str, version: FileVersion) -> None:
        """Note that a version is at a path inside the file system again."""
        self._latest[path] = version
        self._identities.note(version.file)

    # ---------------------------------------------------------------- programs

    def _add_to_index(self, fs: LocalFS, root: str) -> str:
        """Index a directory; return why that is not possible."""
        place = self._point + root if root != "/" else self._point or "/"
        contents = self._contents
        assert contents is not None
        try:
            found = dict(files_below(fs, root, contents.own_directory))
        except TooManyFiles as error:
            refusal = f"what programs change in {place} is not known: {error}"
            self._index.refused[root] = refusal
            return refusal
        except OSError as error:
            return f"what programs change in {place} is not known: {error.strerror}"
        versions: dict[str, FileVersion] = {}
        missing_bytes = 0
        for path, stat in found.items():
            version = self.originals.get(path) or self._version(path, stat)
            versions[path] = version
            content = version.content
            if content is not None and content.kept is None and not content.lost:
                missing_bytes += stat.size
        if missing_bytes > contents.max_bytes // 2:  # the rest is for the history
            return (
                f"what programs change in {place} is not known: to keep its files takes "
                f"{missing_bytes} bytes, more than half of the journal's {contents.max_bytes}"
            )
        for version in versions.values():
            if version.content is not None:
                version.content.keep(contents)
        new = [version for path, version in versions.items() if self._latest.get(path) != version]
        mark_recent(fs, [version for version in new if version.is_file])
        self._latest.update(versions)
        index = self._index
        index.versions = {
            **{path: each for path, each in index.versions.items() if not is_below(path, root)},
            **versions,
        }
        index.roots.append(root)
        return ""

    def _note_indexed_changes(self, fs: LocalFS) -> None:
        """Note the paths in indexed directories that differ from the index."""
        versions = self._index.versions
        own_directory = None if self._contents is None else self._contents.own_directory
        for root in self._index.roots:
            try:
                found = dict(files_below(fs, root, own_directory))
            except (OSError, TooManyFiles):
                self.reasons[f"{self._point}{root} could not be looked at after the run"] = None
                continue
            for path, stat in found.items():
                version = versions.get(path)
                if path not in self.originals and (
                    version is None or not self._is_as_indexed(path, version, stat)
                ):
                    self.originals[path] = version
                    if version is not None:
                        self._timed.add(version.file)
            for path, version in versions.items():
                if path not in found and path not in self.originals and is_below(path, root):
                    self.originals[path] = version

    def _is_as_indexed(self, path: str, version: FileVersion, stat: Stat) -> bool:
        """Whether a program has left a file as it was."""
        if not version.is_incarnated_as(stat) or version.modified != stat.modified:
            return False
        return not version.is_recent or has_bytes(self.fs, path, version)

    # ---------------------------------------------------------------- before and after verbs

    def is_new(self, path: str) -> bool:
        """Whether no run has touched a path yet; its directory is noted, for a file in it."""
        if path in self.originals or path in self._latest:
            return False
        self._note_parent(path)
        return True

    def note_created(self, path: str) -> None:
        """Note that there was nothing at a path."""
        with self._lock:
            self._add_original(path, None)
            self._settled.add(path)

    def before_write(self, path: str) -> None:
        """Note a file that is about to be opened for writing, or created."""
        if path in self._settled:
            return
        with self._lock, self.fs.at_one_time():
            stat = self._note(path)
            if stat is None:
                self._note_parent(path)
            elif stat.is_file:
                self._keep(path, stat)
                self._note_other_names(path, stat)
            else:
                return
            self._settled.add(path)

    def before_entry(self, path: str) -> None:
        """Note a name that is about to be created or removed."""
        if self.is_active:
            with self._lock:
                stat = self._note(path)
                if stat is not None and stat.is_directory:  # it is removed, or the verb fails
                    self._files.pop(self._key(path, stat), None)
                self._note_parent(path)
                self._settled.discard(path)

    def before_removal(self, path: str) -> None:
        """Note a file that is about to lose a name."""
        if self.is_active:
            with self._lock, self.fs.at_one_time():
                self._lose(path, self._note(path))
                self._note_parent(path)

    def after_removal(self, path: str) -> None:
        """Note that a file has lost a name."""
        with self._lock:
            self._streams.remove(path, self._other_names(path))

    def before_attributes(self, path: str) -> None:
        """Note a file whose mode, times or owner are about to change."""
        if self.is_active:
            with self._lock:
                stat = self._note(path)
                if stat is not None:
                    self._note_other_names(path, stat)

    def before_times(self, path: str) -> None:
        """Note a file whose times are about to change."""
        self.before_attributes(path)
        version = self.originals.get(path)
        if version is not None:
            self._timed.add(version.file)

    def before_link(self, existing: str, path: str) -> None:
        """Note a file that is about to get another name."""
        if self.is_active:
            with self._lock:
                stat = self._note(existing)
                if stat is not None:
                    self._note_other_names(existing, stat)
                self.before_entry(path)

    def before_rename(self, old: str, new: str) -> list[tuple[str, object]]:
        """Note what is about to be moved and replaced.

        Return the paths that move along and the keys of their files, if those change with the path.
        """
        if not self.is_active:
            return []
        with self._lock, self.fs.at_one_time():
            stat, replaced = self._note(old), self._note(new)
            self._note_parent(old)
            self._note_parent(new)
            self._settled.discard(old)
            if stat is None or self._refuses_rename(old, stat, new, replaced):
                return []
            if replaced is not None and identity(replaced) != identity(stat):
                self._lose(new, replaced)
            self._settled.discard(new)
            if not self.fs.keeps_inodes:
                self._note_other_names(old, stat)  # which may be separated from it
            moved = [(old, self._key(old, stat))]
            if stat.is_directory:
                self._settled.clear()
                moved += self._note_contents(old, new)
            if not stat.inode:
                self._keep_all(moved)
            return [] if self.fs.keeps_inodes else moved

    def _refuses_rename(self, old: str, stat: Stat, new: str, replaced: Stat | None) -> bool:
        """Whether a rename changes nothing, or fails."""
        if is_below(new, old) or is_below(old, new):
            return True
        if replaced is None:
            return False
        if replaced.is_directory != stat.is_directory:
            return True
        return replaced.is_directory and any(True for _ in self.fs.list(new))

    def after_rename(self, old: str, new: str, moved: Iterable[tuple[str, object]]) -> None:
        """Follow files to their new inodes, and streams to their new paths."""
        with self._lock:
            self._streams.remove(new, self._other_names(new))
            self._streams.rename(old, new)
            for path, key in moved:
                self._follow_file(new + path[len(old) :], key)

    def key_before(self, path: str) -> object:
        """Return what `after_change` needs to find a file again."""
        if not self.is_active or self.fs.keeps_inodes:
            return None
        try:
            return self._key(path, self.fs.stat(path))
        except (OSError, LinkInPath):
            return None

    def after_change(self, path: str, key: object) -> None:
        """Follow a file that may have got a new inode with its change."""
        if key is not None:
            with self._lock:
                self._follow_file(path, key)

    def follow_stream(self, path: str, stream: Stream) -> None:
        """Follow a stream that writes, which may still be open in a later run."""
        with self._lock:
            self._streams.add(path, stream)

    def _follow_file(self, path: str, key: object) -> None:
        """Note the inode that a file has now, in a file system that may give it a new one."""
        version = self._files.get(key)
        if version is None:
            return
        try:
            stat = self.fs.stat(path)
        except (OSError, LinkInPath):
            return
        if stat.inode:
            version.file.update(stat)
            self._identities.note(version.file)
            self._files[identity(stat)] = version
