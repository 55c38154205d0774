"""JobsFS: the jobs of a shell as files: N/command, N/status, N/stdout and N/stderr."""

from __future__ import annotations

import errno
import stat as kinds
from io import BytesIO

from keysh.vfs.api import Entry, FileSystem, Stat, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Protocol

    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

    class JobView(Protocol):
        """A job as files."""

        def files(self) -> Mapping[str, str]:
            """Return the contents of its files by name."""


JOB_FILE_NAMES = ("command", "status", "stderr", "stdout")


class JobsFS(FileSystem):
    """A read-only tree of the jobs that `jobs` returns by number."""

    is_recorded = False

    def __init__(self, jobs: Callable[[], Mapping[int, JobView]]) -> None:
        self._jobs = jobs

    def stat(self, path: str) -> Stat:
        number, name = self._find(path)
        if name:
            return Stat(kinds.S_IFREG | 0o444, size=len(self._content(number, name)))
        return Stat(kinds.S_IFDIR | 0o555, links=2)

    def list(self, path: str) -> Iterator[Entry]:
        number, name = self._find(path)
        if name:
            raise failure(errno.ENOTDIR, path)
        if number:
            return iter([Entry(name, kinds.S_IFREG) for name in JOB_FILE_NAMES])
        return iter([Entry(str(number), kinds.S_IFDIR) for number in sorted(self._jobs())])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        number, name = self._find(path)
        if access != "r":
            raise failure(errno.EROFS, path)
        if not name:
            raise failure(errno.EISDIR, path)
        return BytesIO(self._content(number, name))

    def read_link(self, path: str) -> str:
        self._find(path)
        raise failure(errno.EINVAL, path)

    def _find(self, path: str) -> tuple[int, str]:
        """Return a job's number (0 for the root) and the name of its file."""
        steps = path[1:].split("/") if path != "/" else []
        if not steps:
            return 0, ""
        number = int(steps[0]) if steps[0].isdecimal() and len(steps[0]) < 10 else 0
        if number not in self._jobs() or str(number) != steps[0]:
            raise failure(errno.ENOENT, path)
        if len(steps) == 1:
            return number, ""
        if steps[1] not in JOB_FILE_NAMES:
            raise failure(errno.ENOENT, path)
        if len(steps) > 2:
            raise failure(errno.ENOTDIR, path)
        return number, steps[1]

    def _content(self, number: int, name: str) -> bytes:
        job = self._jobs().get(number)
        text = "" if job is None else job.files()[name]
        return text.encode("utf-8", "surrogateescape")
