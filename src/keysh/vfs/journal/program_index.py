"""ProgramIndex: the files of a directory of the machine before a real program may change them.

Nobody tells what a program does to files. So before it starts, all of them are looked at, and their
contents are kept. A file that has not changed since the last time has its content from then; on a
disk that can share blocks a copy costs nothing. After the run all are looked at again.
"""

from __future__ import annotations

import os

from keysh.vfs.local.filesystem import stat_from_os
from keysh.vfs.paths import is_below, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Identity, Stat
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.local.filesystem import LocalFS

MAX_INDEXED_FILES = 50_000  # looking at them takes a quarter of a second, before and after a run


class TooManyFiles(Exception):
    """A directory has more files than an index holds."""


class ProgramIndex:
    """What was in some directories when they were indexed.

    `roots` are the directories of this run. `versions` outlive it: they keep the contents of files
    that have not changed when the next program starts. `refused` has the directories that had too
    many files once, with the message; nobody counts them again.
    """

    __slots__ = ("refused", "roots", "versions")

    def __init__(self) -> None:
        self.roots: list[str] = []
        self.versions: dict[str, FileVersion] = {}
        self.refused: dict[str, str] = {}

    def covers(self, path: str) -> bool:
        """Whether a path is in a directory that was indexed in this run."""
        return any(is_below(path, root) for root in self.roots)


def files_below(
    fs: LocalFS, root: str, left_out: Identity | None = None
) -> Iterator[tuple[str, Stat]]:
    """Yield all paths at and below a directory; TooManyFiles beyond the limit.

    What is removed meanwhile is left out, and so is the directory `left_out`, with all below it.
    """
    opened = fs.open_directory(root)
    try:
        yield root, stat_from_os(os.fstat(opened))
        count = 0
        for place, folders, files, descriptor in os.fwalk(".", dir_fd=opened):
            above = join(root, place[2:]) if place != "." else root
            count += len(folders) + len(files)
            if count > MAX_INDEXED_FILES:
                raise TooManyFiles(f"it has more than {MAX_INDEXED_FILES} files")
            for name in (*folders, *files):
                try:
                    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                except FileNotFoundError:
                    continue
                if (status.st_dev, status.st_ino) == left_out:
                    folders.remove(name)  # so that the walk does not enter it
                    continue
                yield join(above, name), stat_from_os(status)
    finally:
        os.close(opened)
