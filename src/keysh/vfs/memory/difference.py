"""Differences between two snapshots of one MemoryFS: the paths at which they are not the same.

Both share the inodes that neither has changed, so a directory that is the same object on both sides
is skipped without a look inside, whatever its size:

    before   / ---> d ---> f, g          after   /' ---> d' ---> f', g
               ---> lib                            ----> lib (skipped)

Files that are open or have several names are the exception: their versions are in the tree's
Replacements, by number, and no directory on their path has changed. Where the replacements of the
two sides differ, the skipped directories are searched for the names of those files.
"""

from __future__ import annotations

from keysh.vfs.memory.inodes import DirectoryInode, FileInode, LinkInode
from keysh.vfs.memory.replacements import Replacements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.vfs.memory.filesystem import MemoryFS
    from keysh.vfs.memory.inodes import Inode
    from keysh.vfs.memory.tree import InodeTree

    InodePair: TypeAlias = tuple[str, Inode | None, Inode | None]


def differing_paths(before: MemoryFS, after: MemoryFS) -> list[str]:
    """Return all paths at which two snapshots of one lineage differ, sorted.

    A path differs if it is on one side only, if its inodes are not the same, or if anything differs
    that `stat`, `read_link` or reading shows. The link count of a directory is none of these: its
    entries are told apart by themselves. Nothing may change either side meanwhile.
    """
    return sorted(path for path, _, _ in differing_inodes(before, after))


def differing_inodes(before: MemoryFS, after: MemoryFS) -> list[InodePair]:
    """Return the same paths in any order, with the inodes of both sides, None for nothing."""
    return TreeDifference(before._tree, after._tree).pairs()


class TreeDifference:
    """One comparison of two trees.

    `_names_before` and `_names_after` are of files whose replacements differ: by inode number, how
    many of their names on one side have not been met yet. A number is in one of the two.
    """

    __slots__ = ("_after", "_before", "_names_after", "_names_before", "_pairs", "_shared")

    def __init__(self, before: InodeTree, after: InodeTree) -> None:
        self._before, self._after = before, after
        self._pairs: list[InodePair] = []
        self._shared: list[tuple[str, DirectoryInode]] = []  # directories that were skipped
        self._names_before: dict[int, int] = {}
        self._names_after: dict[int, int] = {}

    def pairs(self) -> list[InodePair]:
        """Return the paths that differ, with their inodes."""
        none = Replacements()
        earlier, later = self._before.replacements or none, self._after.replacements or none
        self._names_after = {node.number: node.links for node in later.difference(earlier)}
        self._names_before = {
            node.number: node.links
            for node in earlier.difference(later)
            if node.number not in self._names_after
        }
        self._compare_trees()
        self._search_shared_directories()
        return self._pairs

    def _compare_trees(self) -> None:
        """Compare all directories that the trees do not share."""
        pending: list[InodePair] = [("", self._before.root, self._after.root)]
        has_replacements = bool(self._names_before or self._names_after)
        has_no_table = self._before.replacements is None and self._after.replacements is None
        while pending:
            path, one, other = pending.pop()
            if one is other and isinstance(one, DirectoryInode):
                self._shared.append((path, one))
                continue
            self._compare_versions(path, one, other)
            entries = one.entries if one is not None else {}
            other_entries = other.entries if other is not None else {}
            for name, node in entries.items():
                below = other_entries.get(name)
                # Most files of a directory are the same, unless their replacements differ.
                if node is below and not has_replacements:
                    continue
                if has_no_table and type(node) is type(below) is FileInode:
                    # Most changes are of files: 0.14 us, and 0.84 by way of the list.
                    if node.changed != below.changed or not is_same_version(node, below):
                        self._pairs.append((f"{path}/{name}", node, below))
                else:
                    pending.append((f"{path}/{name}", node, below))
            pending += [
                (f"{path}/{name}", None, other_entries[name])
                for name in other_entries.keys() - entries.keys()
            ]

    def _search_shared_directories(self) -> None:
        """Find the remaining names of files whose replacements differ."""
        pending = self._shared
        while pending and (self._names_after or self._names_before):
            path, directory = pending.pop()
            for name, node in directory.entries.items():
                if isinstance(node, DirectoryInode):
                    pending.append((f"{path}/{name}", node))
                elif node.number in self._names_after or node.number in self._names_before:
                    self._compare_versions(f"{path}/{name}", node, node)

    def _compare_versions(self, path: str, one: Inode | None, other: Inode | None) -> None:
        """Add a path if the versions that count differ, given those that the directories have."""
        if one is not None:
            one = self._before.present_version(one)
            count_name(one, self._names_before)
        if other is not None:
            other = self._after.present_version(other)
            count_name(other, self._names_after)
        if one is None or other is None or not is_same_version(one, other):
            self._pairs.append((path or "/", one, other))


def count_name(node: Inode, names_left: dict[int, int]) -> None:
    """Count one name less that is left of an inode, if it is looked for."""
    left = names_left.get(node.number, 0)
    if left > 1:
        names_left[node.number] = left - 1
    elif left:
        del names_left[node.number]


def is_same_version(one: Inode, other: Inode) -> bool:
    """Whether nothing tells two inodes apart, except the entries of directories."""
    if one is other:
        return True
    if (
        one.number != other.number or one.kind != other.kind
        or one.permissions != other.permissions or one.changed != other.changed
        or one.modified != other.modified or one.accessed != other.accessed
    ):  # fmt: skip
        return False
    if isinstance(one, DirectoryInode):
        return True
    if isinstance(one, FileInode) and isinstance(other, FileInode):
        return one.links == other.links and is_same_content(one, other)
    if isinstance(one, LinkInode) and isinstance(other, LinkInode) and one.target != other.target:
        return False
    return one.links == other.links


def is_same_content(one: FileInode, other: FileInode) -> bool:
    """Whether two versions of a file have the same contents; loads none that are lazy."""
    if one.lazy is not None and one.lazy is other.lazy:
        return True
    contents = [node.content if node.lazy is None else node.lazy.source() for node in (one, other)]
    # A function is equal to itself only.
    return contents[0] is contents[1] or contents[0] == contents[1]
