"""FileVersion: what was at a path at one moment, and how to recognise it later."""

from __future__ import annotations

import stat as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.vfs.api import Identity, Stat
    from keysh.vfs.journal.content import FileContent

    # Device, inode, size, modified, changed, mode.
    Fingerprint: TypeAlias = tuple[int, int, int, int, int, int]


class FileVersion:
    """The attributes and the content of a file, directory or link at one moment.

    `device`, `inode` and `changed` are those of its latest incarnation: when a version is restored,
    it gets those of the file that was made. So the same object is recognised after each undo and
    redo, and a run that follows another one has the same object as its version before.

    content    of a regular file; shared by versions that have the same
    target     the text of a symbolic link
    is_recent  another change at the same moment might have left the same fingerprint, so contents
               have to be compared as well
    """

    __slots__ = (
        "__weakref__", "accessed", "changed", "content", "device", "group", "inode", "is_recent",
        "links", "mode", "modified", "owner", "size", "special", "target",
    )  # fmt: skip

    def __init__(self, stat: Stat, content: FileContent | None = None, target: str = "") -> None:
        self.mode, self.size, self.modified, self.accessed = (
            stat.mode, stat.size, stat.modified, stat.accessed,
        )  # fmt: skip
        self.changed, self.device, self.inode, self.links = (
            stat.changed, stat.device, stat.inode, stat.links,
        )  # fmt: skip
        self.owner, self.group, self.special = stat.owner, stat.group, stat.special
        self.content, self.target = content, target
        self.is_recent = False

    def __repr__(self) -> str:
        return f"<FileVersion {self.mode:o} {self.size} bytes>"

    @property
    def is_directory(self) -> bool:
        return kinds.S_ISDIR(self.mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return kinds.S_ISREG(self.mode)

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return kinds.S_ISLNK(self.mode)

    @property
    def permissions(self) -> int:
        """The mode without the kind."""
        return kinds.S_IMODE(self.mode)

    @property
    def identity(self) -> Identity:
        """The device and inode of its latest incarnation."""
        return self.device, self.inode

    @property
    def fingerprint(self) -> Fingerprint:
        """What changes with the file."""
        return (self.device, self.inode, self.size, self.modified, self.changed, self.mode)

    def digest(self) -> str | None:
        """Return the SHA-256 of a regular file's content; None for others, and if it is lost."""
        return None if self.content is None else self.content.digest()

    def is_incarnated_as(self, stat: Stat) -> bool:
        """Whether a file that was found has this version's fingerprint.

        Of a directory only the mode and the owner count: its entries are versions of their own.
        """
        if self.mode != stat.mode or self.owner != stat.owner or self.group != stat.group:
            return False
        return kinds.S_ISDIR(stat.mode) or self.fingerprint == fingerprint_of(stat)

    def adopt(self, stat: Stat) -> None:
        """Take over the attributes of the file that this version was restored as."""
        self.mode, self.size, self.modified, self.accessed = (
            stat.mode, stat.size, stat.modified, stat.accessed,
        )  # fmt: skip
        self.changed, self.device, self.inode, self.links = (
            stat.changed, stat.device, stat.inode, stat.links,
        )  # fmt: skip
        self.owner, self.group = stat.owner, stat.group


def fingerprint_of(stat: Stat) -> Fingerprint:
    """Return what changes with a file."""
    return (stat.device, stat.inode, stat.size, stat.modified, stat.changed, stat.mode)
