"""Versions of files as JSON values, so that another process recognises them.

All versions of one file share a number in the log, and the log has the device, the inode and the
time of the last change that the file has now. If an undo makes the file anew, that line alone
changes, and all older versions know the new file.
"""

from __future__ import annotations

import os
import stat as kinds
from weakref import WeakKeyDictionary

from keysh.shell.history.logged_contents import LoggedContent, LoggedContents
from keysh.vfs.api import Stat
from keysh.vfs.journal.content import FileContent
from keysh.vfs.journal.version import FileIdentity, FileVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    from keysh.vfs.api import FileSystem

    VersionPair: TypeAlias = tuple[FileVersion | None, FileVersion | None]

# The digest of what a run has left tells a change that somebody else has made with the times set
# back. Of longer files it would take longer to compute than to write them.
MAX_DIGESTED_BYTES = 1 << 20


class LoggedVersions:
    """The files of a log, and their contents."""

    def __init__(self, contents: LoggedContents) -> None:
        self._contents = contents
        self._files: dict[int, FileIdentity] = {}
        # Also of the objects of this process's own journal. A number is of one kind of files: a
        # directory may have got the inode of a link that the same run has removed.
        self._numbers: WeakKeyDictionary[FileIdentity, dict[int, int]] = WeakKeyDictionary()
        self._last_number = 0
        self._shared: dict[tuple[int, int, int], FileContent] = {}
        self._latest: dict[str, FileVersion | None] = {}

    # ------------------------------------------------------------ writing

    def records(self, paths: Mapping[str, VersionPair]) -> dict[str, list[dict[str, Any] | None]]:
        """Return the versions of paths, before and after a run, as JSON values; store contents."""
        # First, because a file may have another path after the run, which comes earlier.
        for path, (before, _) in paths.items():
            if before is not None:
                self._continue_file(path, before)
        shared: dict[FileContent, int] = {}
        return {
            path: [
                None if before is None else self._record_of(before, shared, is_before=True),
                None if after is None else self._record_of(after, shared, is_before=False),
            ]
            for path, (before, after) in paths.items()
        }

    def _continue_file(self, path: str, before: FileVersion) -> None:
        """Give a file the number that it has in the log, if that has left it as it was found."""
        numbers, kind = self._numbers_of(before.file), kinds.S_IFMT(before.mode)
        latest = self._latest.get(path)
        if kind not in numbers and latest is not None and is_alike(latest, before):
            numbers[kind] = self.number_of(latest)

    def _record_of(
        self, version: FileVersion, shared: dict[FileContent, int], *, is_before: bool
    ) -> dict[str, Any]:
        record: dict[str, Any] = {
            "mode": version.mode, "size": version.size, "modified": version.modified,
            "accessed": version.accessed, "links": version.links, "owner": version.owner,
            "group": version.group, "file": self.number_of(version),
        }  # fmt: skip
        if version.target:
            record["target"] = version.target
        if version.is_recent:
            record["recent"] = True
        content = version.content
        if content is None:
            return record
        record["bytes"] = shared.setdefault(content, len(shared))
        if is_before:
            if content.kept is not None or content.lost:
                try:
                    record["content"] = self._contents.add(content)
                except OSError as error:
                    record["lost"] = content.lost or str(error)
        elif version.is_recent or version.size <= MAX_DIGESTED_BYTES:
            record["sha256"] = content.digest()
        return record

    def number_of(self, version: FileVersion) -> int:
        """Return the number that the file of a version has in the log."""
        numbers, kind = self._numbers_of(version.file), kinds.S_IFMT(version.mode)
        if kind not in numbers:
            self._last_number += 1
            numbers[kind] = self._last_number
        return numbers[kind]

    def _numbers_of(self, file: FileIdentity) -> dict[int, int]:
        numbers = self._numbers.get(file)
        if numbers is None:
            numbers = self._numbers[file] = {}
        return numbers

    def places(self, versions: Iterable[FileVersion | None]) -> dict[str, list[int]]:
        """Return where the files of some versions are now, by their numbers."""
        found = {}
        for version in versions:
            if version is not None:
                file = version.file
                found[str(self.number_of(version))] = [file.device, file.inode, file.changed]
        return found

    def all_places(self) -> dict[str, list[int]]:
        """Return where all files of the log are now."""
        return {
            str(number): [file.device, file.inode, file.changed]
            for number, file in self._files.items()
        }

    def take_numbers(self, earlier: LoggedVersions) -> None:
        """Keep the numbers of files that this process knows, after the log was written anew."""
        self._numbers.update(earlier._numbers)

    # ------------------------------------------------------------ reading

    def note_places(self, places: dict[str, list[int]]) -> None:
        """Take over where files are now."""
        for text, (device, inode, changed) in places.items():
            stat = Stat(0, device=device, inode=inode, changed=changed)
            file = self._files.get(int(text))
            if file is None:
                self._files[int(text)] = FileIdentity(stat)
                self._last_number = max(self._last_number, int(text))
            else:
                file.update(stat)

    def note_latest(self, path: str, version: FileVersion | None) -> None:
        """Note what a run, or an undo, has left at a path."""
        self._latest[path] = version

    def version(
        self, record: dict[str, Any] | None, shared: dict[int, FileContent]
    ) -> FileVersion | None:
        """Return the version of a record; KeyError or TypeError if it is none.

        `shared` has the contents of the run, by their numbers in the records.
        """
        if record is None:
            return None
        number = int(record["file"])
        stat = Stat(
            int(record["mode"]), int(record["size"]), int(record["modified"]),
            accessed=int(record["accessed"]), links=int(record["links"]),
            owner=int(record["owner"]), group=int(record["group"]),
        )  # fmt: skip
        content = None
        if kinds.S_ISREG(stat.mode):
            content = self._content(number, stat, record, shared)
        file = self._files[number]
        self._numbers_of(file)[kinds.S_IFMT(stat.mode)] = number
        version = FileVersion(stat, file, content, str(record.get("target", "")))
        version.is_recent = bool(record.get("recent"))
        return version

    def _content(
        self, number: int, stat: Stat, record: dict[str, Any], shared: dict[int, FileContent]
    ) -> FileContent:
        """Return the content of a record: versions of a file that nobody wrote to share it."""
        digest = record.get("content") or record.get("sha256")
        key = number, stat.size, stat.modified
        content = shared.get(record["bytes"]) or self._shared.get(key)
        if content is None or (digest and content._digest and content._digest != digest):
            content = FileContent()
        self._shared[key] = shared[record["bytes"]] = content
        content._digest = content._digest or digest
        if "content" in record and content.kept is None:
            path = self._contents.path_of(str(digest))
            if os.path.exists(path):
                content.kept = LoggedContent(path, str(digest), stat.size)
            else:
                content.lost = "the journal's copy is gone"
        content.lost = content.lost or str(record.get("lost", ""))
        return content

    def find_contents(self, fs: FileSystem) -> None:
        """Let contents of which the log has no copy be read from the files that still have them."""
        for path, version in self._latest.items():
            if version is not None and version.content is not None:
                version.content.live = fs, path, version.fingerprint


def is_alike(latest: FileVersion, found: FileVersion) -> bool:
    """Whether a file that was found is probably the one that was left."""
    if (latest.mode, latest.size, latest.modified) != (found.mode, found.size, found.modified):
        return latest.is_directory and latest.mode == found.mode
    if latest.content is None or found.content is None:
        return latest.target == found.target
    known = latest.content._digest
    there = None if known is None else found.content.digest()
    return there is None or there == known
