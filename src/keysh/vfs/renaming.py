"""What `rename(2)` refuses, for file systems that have to see to it themselves."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure
from keysh.vfs.paths import parent
from keysh.vfs.told import Told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import FileSystem, Stat


def renamed(fs: FileSystem, old: str, new: str) -> tuple[Stat, Stat | None]:
    """What a rename would move, and what it would replace; an error if it may not.

    A directory is moved over an empty one only, and not into itself.
    """
    with Told(old, new):
        for path in (old, new):
            if path != "/":
                refuse_orphan(fs, path)
        if "/" in (old, new):
            raise failure(errno.EBUSY, old)
        source = fs.stat(old)
        try:
            replaced = fs.stat(new)
        except FileNotFoundError:
            replaced = None
        if new.startswith(f"{old}/"):
            raise failure(errno.EINVAL, old)
        if replaced is None or old == new:
            return source, replaced
        if old.startswith(f"{new}/"):
            raise failure(errno.ENOTEMPTY, old)
        if replaced.is_directory != source.is_directory:
            raise failure(errno.EISDIR if replaced.is_directory else errno.ENOTDIR, old)
        if replaced.is_directory and any(True for _ in fs.list(new)):
            raise failure(errno.ENOTEMPTY, old)
    return source, replaced


def refuse_orphan(fs: FileSystem, path: str) -> None:
    """See that the directory is there which has or would have a name."""
    try:
        fs.stat(path)
    except FileNotFoundError:
        with Told(path):
            fs.stat(parent(path))
