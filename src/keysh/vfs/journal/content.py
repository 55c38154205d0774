"""FileContent: the bytes of a version of a file, wherever they are now."""

from __future__ import annotations

import errno
from hashlib import sha256

from keysh.vfs.api import LinkInPath, failure
from keysh.vfs.journal.content_store import KeptInode, file_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol, TypeAlias

    from keysh.vfs.api import FileSystem, Stat
    from keysh.vfs.journal.content_store import ContentStore, KeptContent

    # Device, inode, size, modified, changed, mode.
    Fingerprint: TypeAlias = tuple[int, int, int, int, int, int]

    class ChangedInode(Protocol):
        """What knows when an inode was last changed."""

        changed: int


def fingerprint_of(stat: Stat) -> Fingerprint:
    """Return what changes with a file, as far as its attributes tell."""
    return (stat.device, stat.inode, stat.size, stat.modified, stat.changed, stat.mode)


class FileContent:
    """Bytes that are kept, or that a file still has.

    `kept` is None until they are about to be lost. Until then `live` says where they are: a file
    system, a path, and the fingerprint by which the file there is still the same. `file` knows when
    its inode was last changed, which may be later: by a link to it. `held` has the bytes if they
    were just read for a comparison. `lost` is the reason why they could not be kept.
    """

    __slots__ = ("__weakref__", "_digest", "file", "held", "kept", "live", "lost")

    def __init__(
        self,
        live: tuple[FileSystem, str, Fingerprint] | None = None,
        kept: KeptContent | None = None,
    ) -> None:
        self.live, self.kept = live, kept
        self.held: bytes | None = None
        self.file: ChangedInode | None = None
        self.lost = ""
        self._digest: str | None = None

    @property
    def known_digest(self) -> str | None:
        """The SHA-256 of the bytes, if somebody has asked for it."""
        return self._digest

    def note_digest(self, digest: str | None) -> None:
        """Note a digest that was computed before."""
        self._digest = digest

    def forget_file(self) -> None:
        """Note that the file has other bytes now; what is kept stays."""
        self.live = None

    @property
    def is_at_hand(self) -> bool:
        """Whether the bytes can still be read."""
        return self.kept is not None or self._is_live()

    @property
    def inode(self) -> KeptInode | None:
        """The inode of a file in memory that has the bytes, whatever has become of the file."""
        return self.kept if isinstance(self.kept, KeptInode) else None

    def keep(self, store: ContentStore) -> bool:
        """Keep the bytes of the file before it changes; return whether that was possible."""
        if self.lost:
            return False
        try:
            if self.kept is not None:
                self.kept.charge(store)
            elif self.held is not None:
                self.kept = store.keep_bytes(self.held)
            elif self.live is not None:
                fs, path, fingerprint = self.live
                self.kept = store.keep(fs, path, fingerprint[2])
            else:
                self.lost = "it is no longer there"
        except OSError as error:
            self.kept, self.lost = None, error.strerror or str(error)
        self.held = None
        return self.kept is not None

    def size(self) -> int:
        """Return the number of bytes."""
        if self.kept is not None:
            return self.kept.size()
        return 0 if self.live is None else self.live[2][2]

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes in pieces; FileNotFoundError if they are lost."""
        if self.kept is not None:
            return self.kept.chunks()
        if self.live is None or not self._is_live():
            raise failure(errno.ENOENT, self.live[1] if self.live else "")
        return file_chunks(self.live[0], self.live[1])

    def data(self) -> bytes:
        """Return all the bytes."""
        return b"".join(self.chunks())

    def digest(self) -> str | None:
        """Return the SHA-256 of the bytes; None if they are lost."""
        if self._digest is None:
            hasher = sha256()
            try:
                for piece in self.chunks():
                    hasher.update(piece)
            except OSError:
                return None
            self._digest = hasher.hexdigest()
        return self._digest

    def is_identical(self, other: FileContent) -> bool:
        """Whether two contents are known to be equal without a look at them."""
        ours, theirs = self.kept, other.kept
        return self is other or (
            ours is not None and theirs is not None and ours.key() == theirs.key()
        )

    def is_same(self, other: FileContent) -> bool | None:
        """Whether two contents are equal; None if that is not known."""
        if self.is_identical(other):
            return True
        if self.size() != other.size():
            return False
        ours, theirs = self.digest(), other.digest()
        return None if ours is None or theirs is None else ours == theirs

    def _is_live(self) -> bool:
        """Whether the file still has these bytes, as far as its attributes tell."""
        if self.live is None:
            return False
        fs, path, fingerprint = self.live
        try:
            found = fingerprint_of(fs.stat(path))
        except (OSError, LinkInPath):
            return False
        if self.file is None:
            return found == fingerprint
        return found == (*fingerprint[:4], self.file.changed, fingerprint[5])
