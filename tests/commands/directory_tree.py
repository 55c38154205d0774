"""A directory of the machine as a value, to compare the results of two tools."""

from __future__ import annotations

import os
import stat as kinds
from pathlib import Path

Tree = dict[str, tuple[object, ...]]


def tree(root: Path, *, times: bool = False) -> Tree:
    """Return kinds, modes and contents below a directory, and which names share a file.

    Times are included for files older than the test. A user other than root must first make
    everything readable, and it stays so.
    """
    result: Tree = {}
    first: dict[int, str] = {}
    if os.geteuid():
        root.chmod(kinds.S_IMODE(root.stat().st_mode) | 0o700)
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted([*folders, *files]):
            path = os.path.join(folder, name)
            displayed = os.path.relpath(path, root)
            stat = os.lstat(path)
            same = first.setdefault(stat.st_ino, displayed)
            if os.geteuid() and not kinds.S_ISLNK(stat.st_mode):
                os.chmod(path, kinds.S_IMODE(stat.st_mode) | 0o700)
            content: object = None
            if kinds.S_ISLNK(stat.st_mode):
                content = os.readlink(path)
            elif kinds.S_ISREG(stat.st_mode):
                content = Path(path).read_bytes()
            is_old = times and stat.st_mtime < 2_000_000
            result[displayed] = (
                oct(stat.st_mode),
                content,
                same,
                stat.st_mtime_ns if is_old else None,
            )
    return result
