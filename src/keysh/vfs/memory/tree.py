"""InodeTree: the directories of a MemoryFS, the lookup of paths, and who may change an inode.

A snapshot shares all inodes with its original. Each side has a mark, and may change only inodes
that have it as their owner. A snapshot gives both sides new marks, so that neither owns anything;
the first change of a file then copies the directories on its path, and the file:

    before    original, copy ---> / ---> d ---> f, g
    after     original ---------> / ---> d ---> f, g     (f of the copy was changed)
              copy -------------> /' --> d' --> f', g

So an owned inode is in owned directories only. A file that is open or has several names cannot be
replaced wherever it is known: its copy gets into a table by inode number, which lookups and streams
consult. The table is empty in all other trees.
"""

from __future__ import annotations

import errno

from keysh.vfs.api import LinkInPath, failure
from keysh.vfs.memory.inodes import (
    DirectoryInode,
    FileInode,
    LinkInode,
    fault_of_name,
    fault_of_path,
)
from keysh.vfs.memory.replacements import Replacements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.memory.inodes import AnyInode, Inode, InodeBase

OWNER_READ, OWNER_WRITE, OWNER_SEARCH = 0o400, 0o200, 0o100
MAX_UNCHECKED_LENGTH = 1000  # characters: a shorter path never has too many bytes


class InodeTree:
    """The tree of inodes; its methods are called with the lock held.

    Lookup is the hot path: it only looks names up. If that fails, `path_error` walks again and
    finds the reason. `names` are the paths that an error shows, for `failure`, if they are not the
    path alone.

    streams   the number of open streams, by the file's inode number
    _nameless open files without a name, by number, from the first; no snapshot has them
    """

    __slots__ = (
        "_enforces", "_nameless", "_top", "last_number", "mark", "replacements", "root", "streams",
    )  # fmt: skip

    def __init__(self, root: DirectoryInode, enforces_modes: bool) -> None:
        self.root = root
        self.mark = root.owner
        self.last_number = root.number
        self.streams: dict[int, int] | tuple[()] = ()
        self._nameless: dict[int, FileInode] | None = None
        self.replacements: Replacements | None = None
        self._enforces = enforces_modes
        # A path split at "/" begins with an empty step, which leads to the root.
        self._top: Mapping[str, Inode] = {"": root}

    def find(self, path: str, *names: str) -> Inode:
        """Return the inode at a path."""
        if not 1 < len(path) < MAX_UNCHECKED_LENGTH:
            if path == "/":
                return self.root
            self._refuse_path(path, names)
        if self._enforces:
            self._require_search(path, names)
        entries = self._top
        try:
            for step in path.split("/"):
                node = entries[step]
                entries = node.entries
        except KeyError:
            raise self.path_error(path, *names) from None
        return node if self.replacements is None else self.replacements.get(node)

    def find_or_none(self, path: str) -> Inode | None:
        """Return the inode at a normal path, whatever the permissions; None if there is none."""
        node: Inode | None = self.root
        for step in path[1:].split("/") if path != "/" else ():
            node = node.entries.get(step) if node is not None else None
        return None if node is None else self.present_version(node)

    def parent_and_name(self, path: str, *names: str) -> tuple[DirectoryInode, str]:
        """Return the parent directory of a path, for a change, and the path's last step.

        The root's last step is empty and in no directory.
        """
        if not 1 < len(path) < MAX_UNCHECKED_LENGTH:
            if path == "/":
                return self._own_directory([""]), ""
            self._refuse_path(path, names)
        if self._enforces:
            self._require_search(path, names)
        steps = path.split("/")
        name = steps.pop()
        entries = self._top
        node: Inode | None = None
        try:
            for step in steps:
                node = entries[step]
                entries = node.entries
        except KeyError:
            raise self.path_error(path, *names) from None
        if not isinstance(node, DirectoryInode):
            raise self.path_error(path, *names)
        if node.owner is not self.mark:
            node = self._own_directory(steps)
        return node, name

    def existing_entry(self, path: str, *names: str) -> tuple[DirectoryInode, str, Inode]:
        """Return an existing path's directory, name and inode."""
        directory, name = self.parent_and_name(path, *names)
        node = directory.entries.get(name)
        if node is None:
            raise self.path_error(path, *names)
        return directory, name, self.present_version(node)

    def new_entry(self, path: str, *names: str) -> tuple[DirectoryInode, str]:
        """Return the directory and name of a path that can be created."""
        if path == "/":
            raise failure(errno.EEXIST, *(names or (path,)))
        directory, name = self.parent_and_name(path, *names)
        if name in directory.entries:
            raise failure(errno.EEXIST, *(names or (path,)))
        self.refuse_name(name, path, *names)
        self.require_permission(directory, OWNER_WRITE, path, *names)
        return directory, name

    def refuse_name(self, name: str, path: str, *names: str) -> None:
        """Raise if a path's last step is no valid name."""
        fault = fault_of_path(path) or fault_of_name(name)
        if fault:
            raise failure(fault, *(names or (path,)))

    def require_permission(self, node: InodeBase, wanted: int, path: str, *names: str) -> None:
        """Raise EACCES if modes are enforced and the owner lacks the permissions."""
        if self._enforces and node.permissions & wanted != wanted:
            raise failure(errno.EACCES, *(names or (path,)))

    def path_error(self, path: str, *names: str) -> LinkInPath | OSError:
        """Return the error for a path that leads to no directory or to nothing."""
        names = names or (path,)
        fault = fault_of_path(path)
        if fault:
            return failure(fault, *names)
        node: Inode = self.root
        walked = ""
        for step in path[1:].split("/"):
            if not isinstance(node, DirectoryInode):
                break
            below = node.entries.get(step)
            if below is None:
                return failure(fault_of_name(step) or errno.ENOENT, *names)
            node = below
            walked += "/" + step
        if isinstance(node, LinkInode):
            return LinkInPath(walked, node.target, path[len(walked) :])
        return failure(errno.ENOTDIR, *names)

    def next_number(self) -> int:
        self.last_number += 1
        return self.last_number

    # ---------------------------------------------------------------- who may change an inode

    def snapshot(self) -> InodeTree:
        """Return an independent tree, which shares all inodes until one side changes them."""
        copy = InodeTree(self.root, self._enforces)
        copy.last_number = self.last_number
        if self.replacements is not None:
            copy.replacements = self.replacements.snapshot()
        self.mark, copy.mark = object(), object()
        return copy

    def is_same_as(self, other: InodeTree) -> bool:
        """Whether no file with a name differs from another tree, of which one is a snapshot."""
        if self.root is not other.root:
            return False
        ours, theirs = self.replacements, other.replacements
        return ours is theirs or (
            ours is not None and theirs is not None and ours.is_same_as(theirs)
        )

    def present_version(self, node: AnyInode) -> AnyInode:
        """Return the version of an inode that counts, for one that a directory has."""
        return node if self.replacements is None else self.replacements.get(node)

    def open_version(self, file: FileInode) -> FileInode:
        """Return the version of a file that counts, for one that a stream has."""
        nameless = self._nameless and self._nameless.get(file.number)
        return nameless or self.present_version(file)

    def own_inode(self, node: AnyInode) -> AnyInode:
        """Return a version of a file or link that may be changed, whatever its names are."""
        if node.owner is self.mark:
            return node
        if not node.links:  # no other side knows it
            node.owner = self.mark
            return node
        own: AnyInode = node.copy(self.mark)
        if self.replacements is None:
            self.replacements = Replacements()
        self.replacements.add(own)
        return own

    def own_entry(self, directory: DirectoryInode, name: str, node: AnyInode) -> AnyInode:
        """Return a version of an inode that may be changed, for an entry of an owned directory."""
        if node.owner is self.mark:
            return node
        if node.links > 1 or node.number in self.streams:
            if not isinstance(node, DirectoryInode):
                return self.own_inode(node)
        elif self.replacements is not None:
            self.replacements.discard(node.number)
        own: AnyInode = node.copy(self.mark)
        directory.entries[name] = own
        return own

    def own_path(self, path: str) -> Inode:
        """Return the inode at a path, in a version that may be changed."""
        node = self.find(path)
        if node.owner is self.mark:
            return node
        directory, name = self.parent_and_name(path)
        return self.own_entry(directory, name, node) if name else directory

    def add_nameless(self, file: FileInode) -> None:
        """Keep an owned file that has lost its last name while it is open."""
        self.forget_replacement(file.number)
        self._nameless = self._nameless or {}
        self._nameless[file.number] = file

    def nameless_files(self) -> list[FileInode]:
        """Return the open files that have no name."""
        return [*self._nameless.values()] if self._nameless else []

    def take_nameless(self, number: int) -> FileInode | None:
        """Forget an open file that has no name, and return it; None if there is none."""
        return self._nameless.pop(number, None) if self._nameless else None

    def forget_replacement(self, number: int) -> None:
        """Forget the replacement of an inode, if it has one."""
        if self.replacements is not None:
            self.replacements.discard(number)

    def _own_directory(self, steps: list[str]) -> DirectoryInode:
        """Return a directory that may be changed; `steps` are those of its path."""
        mark, node = self.mark, self.root
        if node.owner is not mark:
            node = self.root = node.copy(mark)
            self._top = {"": node}
        for step in steps[1:]:
            below = node.entries[step]
            assert isinstance(below, DirectoryInode)
            if below.owner is not mark:
                below = node.entries[step] = below.copy(mark)
            node = below
        return node

    def _require_search(self, path: str, names: tuple[str, ...]) -> None:
        """Raise EACCES at the first directory on the path without search permission."""
        entries = self._top
        for step in path.split("/")[:-1]:
            node = entries.get(step)
            if not isinstance(node, DirectoryInode):
                return  # the lookup reports it
            self.require_permission(node, OWNER_SEARCH, path, *names)
            entries = node.entries

    def _refuse_path(self, path: str, names: tuple[str, ...]) -> None:
        fault = fault_of_path(path)
        if fault:
            raise failure(fault, *(names or (path,)))


def refuse_replacing(replaced: Inode, node: Inode, new: str, old: str) -> None:
    """Raise unless a file replaces a file, or a directory an empty directory."""
    if isinstance(node, DirectoryInode):
        if not isinstance(replaced, DirectoryInode):
            raise failure(errno.ENOTDIR, new, old)
        if replaced.entries:
            raise failure(errno.ENOTEMPTY, new, old)
    elif isinstance(replaced, DirectoryInode):
        raise failure(errno.EISDIR, new, old)
