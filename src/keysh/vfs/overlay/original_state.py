"""OriginalState: a lower path when an overlay first changed it, to detect later changes."""

from __future__ import annotations

import time

from keysh.vfs.api import LinkInPath
from keysh.vfs.transfer import content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keysh.vfs.api import FileSystem, Stat

# A file can change twice within the granularity of its times; the coarsest in use is FAT's.
TIME_GRAIN_NANOSECONDS = 2_000_000_000


class OriginalState:
    """The marks that reveal a change; of a directory, only the mode."""

    __slots__ = ("_content", "_marks", "mode", "modified", "size")

    def __init__(self, fs: FileSystem, path: str, by_content: bool) -> None:
        stat = fs.stat(path)
        self._marks = state_marks(stat)
        self.mode, self.size, self.modified = stat.mode, stat.size, stat.modified
        is_telling = 0 < stat.modified < time.time_ns() - TIME_GRAIN_NANOSECONDS
        self._content = None
        if stat.is_link or (stat.is_file and (by_content or not is_telling)):
            self._content = content_mark(fs, path, stat)

    def is_unchanged(self, fs: FileSystem, path: str) -> bool:
        """Whether a path is unchanged."""
        try:
            stat = fs.stat(path)
            return state_marks(stat) == self._marks and (
                self._content is None or self._content == content_mark(fs, path, stat)
            )
        except (OSError, LinkInPath):
            return False


def changed_since(
    fs: FileSystem, originals: Mapping[str, OriginalState], paths: Iterable[str]
) -> list[str]:
    """Return those of some paths that are not what they were, or nothing, at their first change."""
    return sorted(path for path in paths if not is_as_noted(fs, originals.get(path), path))


def is_as_noted(fs: FileSystem, original: OriginalState | None, path: str) -> bool:
    """Whether a path is what was noted; None for nothing."""
    if original is not None:
        return original.is_unchanged(fs, path)
    try:
        fs.stat(path)
    except (FileNotFoundError, NotADirectoryError, LinkInPath):
        return True
    return False


def state_marks(stat: Stat) -> tuple[int, ...]:
    if stat.is_directory:
        return (stat.mode,)
    return (stat.mode, stat.size, stat.modified, stat.device, stat.inode)


def content_mark(fs: FileSystem, path: str, stat: Stat) -> str | bytes:
    return fs.read_link(path) if stat.is_link else content_digest(fs, path)
