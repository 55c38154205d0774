"""KernelFS: the kernel's own answers, by `os` alone; the reference for all file systems."""

from __future__ import annotations

import errno
import os
import stat as kinds
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure

if TYPE_CHECKING:
    from keysh.vfs.api import Access

FLAGS = {
    "r": os.O_RDONLY,
    "w": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    "a": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    "x": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
    "rw": os.O_RDWR | os.O_CREAT,
}
MODES = {"r": "rb", "w": "wb", "a": "wb", "x": "wb", "rw": "r+b"}


def scratch() -> Path:
    """A new directory for a test that would otherwise mostly wait for the disk."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return Path(tempfile.mkdtemp(dir=folder))


class KernelFS(FileSystem):
    """A directory of the machine, without confinement: for tests only."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)

    def stat(self, path: str) -> Stat:
        with self.at(path) as place:
            result = os.lstat(place)
        return Stat(result.st_mode, result.st_size, result.st_mtime_ns, accessed=result.st_atime_ns,
                    changed=result.st_ctime_ns, inode=result.st_ino, device=result.st_dev,
                    links=result.st_nlink, owner=result.st_uid, group=result.st_gid)  # fmt: skip

    def list(self, path: str) -> Iterator[Entry]:
        with self.at(path, is_followed=True) as place, os.scandir(place) as result:
            return iter([Entry(entry.name, kind_of(entry)) for entry in result])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> FileIO:
        with self.at(path, is_followed=access != "x") as place:
            descriptor = os.open(place, FLAGS[access], permissions)
            try:
                return FileIO(descriptor, MODES[access])
            except IsADirectoryError:
                os.close(descriptor)
                raise

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        with self.at(path) as place:
            os.mkdir(place, permissions)

    def remove_directory(self, path: str) -> None:
        if path == "/":
            raise failure(errno.EBUSY, path)  # valid for the root of the machine only
        with self.at(path) as place:
            os.rmdir(place)

    def remove(self, path: str) -> None:
        with self.at(path) as place:
            os.unlink(place)

    def rename(self, old: str, new: str) -> None:
        with self.at(old, new, old) as source:
            # An error in `old` comes before a link in `new`.
            os.stat(f"{os.path.dirname(source)}/.")
            with self.at(new, new, old) as target:
                os.rename(source, target)

    def link(self, existing: str, path: str) -> None:
        with self.at(existing, path, existing) as source:
            os.lstat(source)
            with self.at(path, path, existing) as target:
                os.link(source, target)

    def make_link(self, target: str, path: str) -> None:
        with self.at(path) as place:
            os.symlink(target, place)

    def read_link(self, path: str) -> str:
        with self.at(path) as place:
            return os.readlink(place)

    def set_mode(self, path: str, mode: int) -> None:
        with self.at(path, is_followed=True) as place:
            os.chmod(place, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        with self.at(path) as place:
            os.utime(place, ns=(accessed, modified), follow_symlinks=False)

    @contextmanager
    def at(self, path: str, *names: str, is_followed: bool = False) -> Iterator[str]:
        """Return the path on the machine, after checking for links; errors have `names`."""
        steps = path[1:].split("/")
        for count in range(1, len(steps) + is_followed):
            walked = "/" + "/".join(steps[:count])
            if os.path.islink(self.root + walked):
                raise LinkInPath(walked, os.readlink(self.root + walked), path[len(walked) :])
        try:
            # With "/." the kernel has no name to rename or remove, as for its own root.
            yield self.root + (path if path != "/" else "/.")
        except OSError as error:
            raise failure(error.errno, *(names or (path,))) from None
        except UnicodeEncodeError:
            raise failure(errno.EILSEQ, *(names or (path,))) from None
        except ValueError:  # a NUL cannot be passed to the kernel
            raise failure(errno.EINVAL, *(names or (path,))) from None


def kind_of(entry: os.DirEntry[str]) -> int:
    if entry.is_symlink():
        return kinds.S_IFLNK
    return kinds.S_IFDIR if entry.is_dir() else kinds.S_IFREG
