"""ProgramFilesFS: a directory of the commands that other systems have as programs."""

from __future__ import annotations

import errno
import stat as kinds
from io import BytesIO

from keysh.vfs.api import Entry, FileSystem, Stat, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

CONTENT = b"\0"


class ProgramFilesFS(FileSystem):
    """A read-only directory with an executable file for each name that `names` returns.

    Running one is up to the shell; to others a file is a single zero byte, and so binary.
    """

    __slots__ = ("_inodes", "_names")
    is_recorded = False

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names
        self._inodes: dict[str, int] | None = None  # each name gets one when it is first looked at

    def stat(self, path: str) -> Stat:
        if path == "/":
            return Stat(kinds.S_IFDIR | 0o755, inode=1, links=2)
        self._require(path)
        if self._inodes is None:
            self._inodes = {}
        inode = self._inodes.setdefault(path[1:], len(self._inodes) + 2)
        return Stat(kinds.S_IFREG | 0o755, len(CONTENT), inode=inode, blocks=0)  # as in /proc

    def list(self, path: str) -> Iterator[Entry]:
        if path != "/":
            self._require(path)
            raise failure(errno.ENOTDIR, path)
        return iter([Entry(name, kinds.S_IFREG) for name in sorted(self._names())])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if path == "/":
            raise failure(errno.EISDIR, path)
        if access == "r":
            self._require(path)
            return BytesIO(CONTENT)
        raise failure(errno.EROFS, path)

    def read_link(self, path: str) -> str:
        self.stat(path)
        raise failure(errno.EINVAL, path)

    def _require(self, path: str) -> None:
        """Raise the error for a path that is none of the files."""
        name, slash, _ = path[1:].partition("/")
        if name not in self._names():
            raise failure(errno.ENOENT, path)
        if slash:
            raise failure(errno.ENOTDIR, path)
