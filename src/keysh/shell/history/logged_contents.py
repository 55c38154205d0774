"""LoggedContents: contents of files in a directory, each named by its digest."""

from __future__ import annotations

import os
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from keysh.vfs.journal.content import FileContent
    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.journal.version import FileVersion

CHUNK_BYTES = 1 << 20
# One flush of everything takes less time than one for each of so many files.
MAX_SINGLE_FLUSHES = 32


class LoggedContents:
    """The directory. Only the process that holds the lock of the journal writes to it."""

    __slots__ = ("_directory", "_unflushed")

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._unflushed: list[str] = []

    def add(self, content: FileContent) -> str:
        """Write a content, unless it is there, and return its digest; OSError if it is lost."""
        digest = content.digest()
        if digest is None:
            raise OSError(content.lost or "it is no longer there")
        path = self.path_of(digest)
        if not os.path.exists(path):
            with open(f"{path}.new", "wb") as file:
                file.writelines(content.chunks())
            os.rename(f"{path}.new", path)
            self._unflushed.append(path)
        return digest

    def flush(self) -> None:
        """Make what was added last, whatever happens to the machine."""
        paths, self._unflushed = self._unflushed, []
        if len(paths) > MAX_SINGLE_FLUSHES:
            os.sync()
            return
        for path in paths:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def sizes(self) -> dict[str, int]:
        """Return the sizes of all contents by their digests."""
        with os.scandir(self._directory) as entries:
            return {entry.name: entry.stat().st_size for entry in entries}

    def keep_only(self, digests: Collection[str]) -> None:
        """Remove all other contents, and what a process left that was killed."""
        for name in os.listdir(self._directory):
            if name not in digests:
                os.unlink(os.path.join(self._directory, name))

    def path_of(self, digest: str) -> str:
        return os.path.join(self._directory, digest)


class LoggedContent:
    """One content; what was damaged on the disk is never given away."""

    __slots__ = ("_digest", "_path", "_size")

    def __init__(self, path: str, digest: str, size: int) -> None:
        self._path, self._digest, self._size = path, digest, size

    def charge(self, store: ContentStore) -> None:
        """Do nothing: it is on the disk."""

    def key(self) -> object:
        """Return what two objects with the same bytes have in common."""
        return self._digest

    def size(self) -> int:
        return self._size

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes; OSError at the end if they are not those of the digest."""
        hasher = sha256()
        with open(self._path, "rb") as file:
            while piece := file.read(CHUNK_BYTES):
                hasher.update(piece)
                yield piece
        if hasher.hexdigest() != self._digest:
            raise OSError("the journal's copy is damaged")


def damaged_contents(versions: Mapping[str, FileVersion | None]) -> dict[str, str]:
    """Return the paths whose copy in the journal is not what it was, with the reasons."""
    reasons: dict[str, str] = {}
    for path, version in versions.items():
        kept = None if version is None or version.content is None else version.content.kept
        if isinstance(kept, LoggedContent):
            try:
                for _ in kept.chunks():
                    pass
            except OSError as error:
                reasons[path] = error.strerror or str(error)
    return reasons
