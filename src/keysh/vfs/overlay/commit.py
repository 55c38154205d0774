"""Commit: writes an overlay's changes to its lower file system.

First all contents are written, next to their final places. Only then names change, so that a lack
of space or permission fails while nothing has been changed yet:

    1. stage    /d/.keysh-commit-N for every file and link that is new or changed, and every
                directory that is new, still empty
    2. switch   each takes its place by a rename
    3. remove   what is gone, entries before their directory
    4. finish   modes and times of directories

If step 1 fails, what is staged is removed and nothing has changed. If a later step is
interrupted, each file is wholly as before or wholly new, and what was moved is at its new place, at
its old one or at both. The overlay still has all changes then, and a second commit does the rest.
"""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.vfs.overlay.changes import stat_or_none
from keysh.vfs.paths import is_below, join, parent
from keysh.vfs.transfer import copy_attributes, copy_node, has_same_content, walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.api import FileSystem
    from keysh.vfs.overlay.changes import Change

# The errors of a file system without hard links, and of a file that has too many.
NO_LINK_ERRNOS = (errno.EPERM, errno.EROFS, errno.EMLINK, errno.EOPNOTSUPP, errno.EXDEV)


class Commit:
    """One attempt to write changes, which are sorted by path.

    `modified` has the times of directories when they were copied to the upper file system.
    """

    def __init__(
        self,
        upper: FileSystem,
        lower: FileSystem,
        changes: list[Change],
        modified: Mapping[str, int],
    ) -> None:
        self._upper, self._lower, self._modified = upper, lower, modified
        self._present = [change for change in changes if change.action != "removed"]
        self._removed = {
            change.path: change.what for change in changes if change.action == "removed"
        }
        self._new = {change.path for change in self._present if change.action == "added"}
        self._kept = [*walk_tree(upper, "/")]
        self.done: list[str] = []  # paths that have been changed or removed
        self._staged: dict[str, str] = {}  # the staged path of each final path
        self._touched: list[str] = []  # files with a new mode or time only
        self._prefix = f".keysh-commit-{os.urandom(4).hex()}-"
        # One name by inode of files with several names; unchanged files first.
        changed = {change.path for change in self._present}
        # Directories whose times the commit itself changes.
        self._written = changed | {parent(change.path) for change in changes}
        self._names = {
            (found.device, found.inode): path
            for path, found in self._kept
            if not found.is_directory and found.links > 1 and path not in changed
        }

    def run(self) -> None:
        """Make the lower file system equal to the overlay."""
        try:
            for change in self._present:
                if change.what != "directory" or change.action == "added":
                    self._stage(change)
            for change in self._present:
                self._switch(change)
            for path in reversed(self._removed):
                self._remove(path, self._removed[path])
            self._finish()
        finally:
            for staged in self._staged.values():
                stat = stat_or_none(self._lower, staged)
                if stat:
                    self._remove_node(staged, "directory" if stat.is_directory else "file")

    def _stage(self, change: Change) -> None:
        path = change.path
        stat = self._upper.stat(path)
        is_in_place = change.action == "changed" and stat.is_file and stat.links == 1
        if is_in_place and has_same_content(self._upper, path, self._lower, path):
            self._touched.append(path)
            return
        directory = parent(path)
        while directory in self._new:
            directory = parent(directory)
        self._written.add(directory)
        staged = self._staged[path] = join(directory, f"{self._prefix}{len(self._staged)}")
        if stat.is_directory:
            self._lower.make_directory(staged, 0o700)
            return
        first = self._names.get((stat.device, stat.inode))
        if first and self._link(first, staged):
            return
        if kinds.S_ISFIFO(stat.mode):
            self._lower.make_fifo(staged)
            copy_attributes(stat, self._lower, staged)
        else:
            copy_node(self._upper, path, self._lower, staged)
        if stat.links > 1:
            self._names[stat.device, stat.inode] = staged

    def _link(self, existing: str, path: str) -> bool:
        try:
            self._lower.link(existing, path)
        except OSError as error:
            if error.errno not in NO_LINK_ERRNOS:
                raise
            return False
        return True

    def _switch(self, change: Change) -> None:
        path = change.path
        was = self._removed.pop(path, None)
        if was == "directory":
            for at in [at for at in reversed(self._removed) if is_below(at, path)]:
                self._remove(at, self._removed.pop(at))
            self._remove(path, was)
        elif was and change.what == "directory":
            self._remove(path, was)
        if path in self._staged:
            self._lower.rename(self._staged[path], path)
            del self._staged[path]
        self.done.append(path)

    def _remove(self, path: str, what: str) -> None:
        self._remove_node(path, what)
        self.done.append(path)

    def _remove_node(self, path: str, what: str) -> None:
        if what == "directory":
            self._lower.remove_directory(path)
        else:
            self._lower.remove(path)

    def _finish(self) -> None:
        for path in self._touched:
            copy_attributes(self._upper.stat(path), self._lower, path)
            self.done.append(path)
        for path, found in reversed(self._kept):
            is_due = path in self._written or found.modified != self._modified.get(path)
            if found.is_directory and is_due:
                copy_attributes(found, self._lower, path)
                self.done.append(path)
