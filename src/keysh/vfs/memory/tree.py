"""Tree: the directories of a MemoryFS, and the way from a path to what it names."""

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.memory.inodes import Inode, InodeBase

OWNER_READ, OWNER_WRITE, OWNER_SEARCH = 0o400, 0o200, 0o100  # of the owner
MAX_UNCHECKED_LENGTH = 1000  # characters; no such path has too many bytes


class InodeTree:
    """The methods are called with the lock held.

    Walking is the hot path: it looks names up and nothing else. Only where that fails, `obstacle`
    walks again and finds out why.

    `names` are what an error tells of, as `failure` takes them, where that is not the path alone.
    """

    __slots__ = ("_enforces", "_top", "last_number", "root")

    def __init__(self, root: DirectoryInode, enforces_modes: bool) -> None:
        self.root = root
        self.last_number = root.number
        self._enforces = enforces_modes
        # A path split at "/" begins with an empty step, which here leads to the root.
        self._top: Mapping[str, Inode] = {"": root}

    def find(self, path: str, *names: str) -> Inode:
        """What has the path."""
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
        return node

    def parent_and_name(self, path: str, *names: str) -> tuple[DirectoryInode, str]:
        """The directory that has the path's last step, or could have it, and that step.

        The root's last step is empty, and is in no directory.
        """
        if not 1 < len(path) < MAX_UNCHECKED_LENGTH:
            if path == "/":
                return self.root, ""
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
        return node, name

    def existing_entry(self, path: str, *names: str) -> tuple[DirectoryInode, str, Inode]:
        """A name that is there, with its directory and its inode."""
        directory, name = self.parent_and_name(path, *names)
        node = directory.entries.get(name)
        if node is None:
            raise self.path_error(path, *names)
        return directory, name, node

    def new_entry(self, path: str, *names: str) -> tuple[DirectoryInode, str]:
        """Where a name is free, for one to be made."""
        if path == "/":
            raise failure(errno.EEXIST, *(names or (path,)))
        directory, name = self.parent_and_name(path, *names)
        if name in directory.entries:
            raise failure(errno.EEXIST, *(names or (path,)))
        self.refuse_name(name, path, *names)
        self.require_permission(directory, OWNER_WRITE, path, *names)
        return directory, name

    def refuse_name(self, name: str, path: str, *names: str) -> None:
        """See that there can be such a name, the path's last step."""
        fault = fault_of_path(path) or fault_of_name(name)
        if fault:
            raise failure(fault, *(names or (path,)))

    def require_permission(self, node: InodeBase, wanted: int, path: str, *names: str) -> None:
        """EACCES unless the owner has the permissions, where modes are enforced."""
        if self._enforces and node.permissions & wanted != wanted:
            raise failure(errno.EACCES, *(names or (path,)))

    def path_error(self, path: str, *names: str) -> LinkInPath | OSError:
        """Why a path does not lead to a directory, or to anything."""
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

    def copy(self) -> tuple[InodeTree, int, int]:
        """A tree of inodes of its own, its names and its bytes counted."""
        copy = InodeTree(self.root.copy(), self._enforces)
        copy.last_number = self.last_number
        files = size = 0
        linked: dict[int, Inode] = {}  # copies of what has several names
        todo = [(self.root, copy.root)]
        while todo:
            source, target = todo.pop()
            files += len(source.entries)
            for name, node in source.entries.items():
                twin = linked.get(node.number)
                if twin is None:
                    twin = node.copy()
                    if isinstance(node, FileInode):
                        size += len(node.content)
                    if isinstance(node, DirectoryInode) and isinstance(twin, DirectoryInode):
                        todo.append((node, twin))
                    elif node.links > 1:
                        linked[node.number] = twin
                target.entries[name] = twin
        return copy, files, size

    def _require_search(self, path: str, names: tuple[str, ...]) -> None:
        """EACCES at the first directory on the way that may not be passed through."""
        entries = self._top
        for step in path.split("/")[:-1]:
            node = entries.get(step)
            if not isinstance(node, DirectoryInode):
                return  # the walk will tell
            self.require_permission(node, OWNER_SEARCH, path, *names)
            entries = node.entries

    def _refuse_path(self, path: str, names: tuple[str, ...]) -> None:
        fault = fault_of_path(path)
        if fault:
            raise failure(fault, *(names or (path,)))
