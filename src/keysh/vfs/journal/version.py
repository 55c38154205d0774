"""FileVersion: what was at a path at one moment, and how to recognise it later."""

from __future__ import annotations

import stat as kinds
from weakref import WeakValueDictionary, ref

from keysh.vfs.journal.content import fingerprint_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.vfs.api import Identity, Stat
    from keysh.vfs.journal.content import FileContent, Fingerprint


NO_OWNER = -1  # of a version that a file system made which keeps no owners


class FileIdentity:
    """The device and inode that a file has now, and when the inode last changed.

    All versions of one file share the object. If a file that was removed is restored, it gets
    another inode; if it gets or loses another name, its inode changes. All its versions, of any
    path and any run, know that at once.
    """

    __slots__ = ("__weakref__", "_content", "changed", "device", "inode")

    def __init__(self, stat: Stat) -> None:
        self.update(stat)
        self._content: Callable[[], FileContent | None] | None = None

    @property
    def content(self) -> FileContent | None:
        """The content that the file has now, if a version has it."""
        return None if self._content is None else self._content()

    @content.setter
    def content(self, content: FileContent) -> None:
        self._content = ref(content)

    def update(self, stat: Stat) -> None:
        """Note what the journal itself, or a run, has made of the inode."""
        self.device, self.inode, self.changed = stat.device, stat.inode, stat.changed


class FileIdentities:
    """The identities of the files of one file system that versions know."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: WeakValueDictionary[Identity, FileIdentity] = WeakValueDictionary()

    def of(self, stat: Stat) -> FileIdentity:
        """Return the identity of a file that was found."""
        if not stat.inode:  # its file system has no numbers
            return FileIdentity(stat)
        key = stat.device, stat.inode
        known = self._known.get(key)
        # One that has another inode by now has left its number to a new file.
        if known is None or known.inode != stat.inode or known.device != stat.device:
            known = self._known[key] = FileIdentity(stat)
        return known

    def note(self, file: FileIdentity) -> None:
        """Note a file that has been restored, maybe with another inode."""
        self._known[file.device, file.inode] = file


class FileVersion:
    """The attributes and the content of a file, directory or link at one moment.

    `file` is its latest incarnation: when a version is restored, that is the file that was made. So
    the same object is recognised after each undo and redo, and a run that follows another one has
    the same object as its version before.

    content    of a regular file; shared by versions that have the same
    target     the text of a symbolic link
    is_recent  another change at the same moment might have left the same fingerprint, so contents
               have to be compared as well
    """

    __slots__ = (
        "__weakref__", "accessed", "content", "file", "group", "is_recent", "links",
        "mode", "modified", "owner", "size", "target",
    )  # fmt: skip

    def __init__(
        self,
        stat: Stat,
        file: FileIdentity,
        content: FileContent | None = None,
        target: str = "",
    ) -> None:
        self.mode, self.size, self.modified, self.accessed = (
            stat.mode, stat.size, stat.modified, stat.accessed,
        )  # fmt: skip
        self.links, self.owner, self.group = stat.links, stat.owner, stat.group
        self.file, self.content, self.target = file, content, target
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
        return self.file.device, self.file.inode

    @property
    def fingerprint(self) -> Fingerprint:
        """What changes with the file."""
        file = self.file
        return (file.device, file.inode, self.size, self.modified, file.changed, self.mode)

    def digest(self) -> str | None:
        """Return the SHA-256 of a regular file's content; None for others, and if it is lost."""
        return None if self.content is None else self.content.digest()

    def is_incarnated_as(self, stat: Stat) -> bool:
        """Whether a file that was found has this version's fingerprint.

        Of a directory only the mode and the owner count: its entries are versions of their own.
        """
        if not self.has_attributes_of(stat):
            return False
        return kinds.S_ISDIR(stat.mode) or self.fingerprint == fingerprint_of(stat)

    def copy(self, file: FileIdentity) -> FileVersion:
        """Return a version with the same attributes and content that another file is to have."""
        copy = FileVersion.__new__(FileVersion)
        for name in self.__slots__:
            if name != "__weakref__":
                setattr(copy, name, getattr(self, name))
        copy.file = file
        return copy

    def has_attributes_of(self, stat: Stat) -> bool:
        """Whether mode, owner and size are those of a file that was found."""
        return (
            self.mode == stat.mode
            and self._has_owner_of(stat)
            and (self.size == stat.size or kinds.S_ISDIR(stat.mode))
        )

    def _has_owner_of(self, stat: Stat) -> bool:
        return self.owner == NO_OWNER or (self.owner, self.group) == (stat.owner, stat.group)

    def adopt(self, stat: Stat) -> None:
        """Take over the attributes of the file that this version was restored as."""
        self.mode, self.size, self.modified, self.accessed = (
            stat.mode, stat.size, stat.modified, stat.accessed,
        )  # fmt: skip
        self.links = stat.links
        if self.owner != NO_OWNER:
            self.owner, self.group = stat.owner, stat.group
        self.file.update(stat)

    def is_equal(self, other: FileVersion) -> bool:
        """Whether nothing that can be seen tells it from another version of the same file."""
        if (
            self.file is not other.file
            or (self.mode, self.size, self.modified, self.accessed, self.target)
            != (other.mode, other.size, other.modified, other.accessed, other.target)
            or (self.owner, self.group, self.links) != (other.owner, other.group, other.links)
        ):
            return False
        if self.content is None or other.content is None:
            return self.content is other.content
        return self.content.is_same(other.content) is True

    def is_same_as(self, stat: Stat) -> bool:
        """Whether nothing that can be seen, except contents, tells it from a file found."""
        return (
            (self.mode, self.modified, self.accessed) == (stat.mode, stat.modified, stat.accessed)
            and (self.links == stat.links or self.is_directory)  # which has entries instead
            and self._has_owner_of(stat)
            and self.identity == (stat.device, stat.inode)
            and (self.size == stat.size or self.is_directory)
        )
