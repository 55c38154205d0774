"""InodeTree: the directories of a MemoryFS, and the lookup of paths."""

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

OWNER_READ, OWNER_WRITE, OWNER_SEARCH = 0o400, 0o200, 0o100
MAX_UNCHECKED_LENGTH = 1000  # characters: a shorter path never has too many bytes


class InodeTree:
    """The tree of inodes; its methods are called with the lock held.

    Lookup is the hot path: it only looks names up. If that fails, `path_error` walks again and
    finds the reason. `names` are the paths that an error shows, for `failure`, if they are not the
    path alone.
    """

    __slots__ = ("_enforces", "_top", "last_number", "root")

    def __init__(self, root: DirectoryInode, enforces_modes: bool) -> None:
        self.root = root
        self.last_number = root.number
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
        return node

    def parent_and_name(self, path: str, *names: str) -> tuple[DirectoryInode, str]:
        """Return the parent directory of a path and the path's last step.

        The root's last step is empty and in no directory.
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
        """Return an existing path's directory, name and inode."""
        directory, name = self.parent_and_name(path, *names)
        node = directory.entries.get(name)
        if node is None:
            raise self.path_error(path, *names)
        return directory, name, node

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

    def copy(self) -> tuple[InodeTree, int, int]:
        """Return a copy with its own inodes, and the number of its names and bytes."""
        copy = InodeTree(self.root.copy(), self._enforces)
        copy.last_number = self.last_number
        files = size = 0
        linked: dict[int, Inode] = {}  # copies of inodes with several names
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
