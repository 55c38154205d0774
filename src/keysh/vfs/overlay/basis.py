"""Basis: what stood at a path when an overlay first changed it, to see later if it still does."""

from __future__ import annotations

import time

from keysh.vfs.api import LinkInPath
from keysh.vfs.transfer import content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import FileSystem, Stat

# A file can change twice within the grain of its time; the coarsest grain in use is FAT's.
TIME_GRAIN_NANOSECONDS = 2_000_000_000


class OriginalState:
    """The marks by which a change is known. Of a directory that is the mode alone."""

    __slots__ = ("_content", "_marks", "modified")

    def __init__(self, fs: FileSystem, path: str, by_content: bool) -> None:
        found = fs.stat(path)
        self._marks = state_marks(found)
        self.modified = found.modified
        is_telling = 0 < found.modified < time.time_ns() - TIME_GRAIN_NANOSECONDS
        self._content = None
        if found.is_link or (found.is_file and (by_content or not is_telling)):
            self._content = content_mark(fs, path, found)

    def is_unchanged(self, fs: FileSystem, path: str) -> bool:
        """Whether the path is as it was."""
        try:
            found = fs.stat(path)
            return state_marks(found) == self._marks and (
                self._content is None or self._content == content_mark(fs, path, found)
            )
        except (OSError, LinkInPath):
            return False


def state_marks(found: Stat) -> tuple[int, ...]:
    if found.is_directory:
        return (found.mode,)
    return (found.mode, found.size, found.modified, found.device, found.inode)


def content_mark(fs: FileSystem, path: str, found: Stat) -> str | bytes:
    return fs.read_link(path) if found.is_link else content_digest(fs, path)
