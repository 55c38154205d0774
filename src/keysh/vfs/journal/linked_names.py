"""LinkedNames: the other names of files that have several."""

from __future__ import annotations

from keysh.vfs.api import LinkInPath, identity
from keysh.vfs.transfer import walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import FileSystem, Identity, Stat

MAX_SEARCHED_FILES = 100_000  # a second on a disk


class LinkedNames:
    """The names of the files of a file system that have more than one, searched for once a run.

    Names that come later are known to the recorder.
    """

    __slots__ = ("_fs", "_names")

    def __init__(self, fs: FileSystem) -> None:
        self._fs = fs
        self._names: dict[Identity, list[str]] | None = None

    def forget(self) -> None:
        """Forget all names."""
        self._names = None

    def of(self, stat: Stat) -> list[str]:
        """Return the names of a file."""
        if self._names is None:
            self._names = {}
            for path, each in walk_readable(self._fs):
                if each.links > 1 and not each.is_directory:
                    self._names.setdefault(identity(each), []).append(path)
        return self._names.get(identity(stat), [])


def walk_readable(fs: FileSystem) -> Iterator[tuple[str, Stat]]:
    """Yield what can be seen in a file system and its Stat, up to a limit."""
    count = 0
    walk = walk_tree(fs, "/")
    while count < MAX_SEARCHED_FILES:
        try:
            yield next(walk)
        except (StopIteration, OSError, LinkInPath):
            return
        count += 1
