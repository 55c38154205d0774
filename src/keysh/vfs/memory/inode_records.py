"""Records of inodes: a tree as tuples and dictionaries, for `pickle`."""

from __future__ import annotations

import stat as kinds

from keysh.vfs.memory.inodes import (
    DirectoryInode,
    FifoInode,
    FileInode,
    LazyContent,
    LinkInode,
)
from keysh.vfs.memory.tree import InodeTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    from keysh.vfs.memory.inodes import Inode

    # Kind, number, permissions, links and times. Then a directory's inode numbers by name, a link's
    # target, a file's contents or the function that returns them, or nothing for a fifo.
    InodeRecord: TypeAlias = tuple[int, int, int, int, int, int, int, Any]


def records_of_tree(tree: InodeTree) -> list[InodeRecord]:
    """Return a record of each inode, the root's first. Nothing else may change the tree."""
    records: list[InodeRecord] = []
    known = set()
    pending: list[Inode] = [tree.root]
    while pending:
        node = pending.pop()
        if node.number not in known:
            known.add(node.number)
            node = tree.present_version(node)
            records.append(record_of_inode(node))
            pending += node.entries.values()
    return records


def record_of_inode(node: Inode) -> InodeRecord:
    """Return the record of one inode."""
    content: dict[str, int] | str | bytes | Callable[[], str | bytes] | None
    if isinstance(node, DirectoryInode):
        content = {name: below.number for name, below in node.entries.items()}
    elif isinstance(node, LinkInode):
        content = node.target
    elif isinstance(node, FifoInode):
        content = None
    else:
        content = bytes(node.content) if node.lazy is None else node.lazy.source()
    return (
        node.kind, node.number, node.permissions, node.links,
        node.accessed, node.modified, node.changed, content,
    )  # fmt: skip


def tree_of_records(records: Iterable[InodeRecord], enforces_modes: bool) -> InodeTree:
    """Return a tree of its records."""
    owner = object()
    nodes: dict[int, Inode] = {}
    directories: list[tuple[DirectoryInode, dict[str, int]]] = []
    for kind, number, permissions, links, accessed, modified, changed, content in records:
        node: Inode
        if kind == kinds.S_IFDIR:
            node = DirectoryInode(number, permissions, 0, owner)
            directories.append((node, content))
        elif kind == kinds.S_IFLNK:
            node = LinkInode(number, 0, owner, content)
        elif kind == kinds.S_IFIFO:
            node = FifoInode(number, permissions, 0, owner)
        else:
            node = FileInode(number, permissions, 0, owner)
            if callable(content):
                node.lazy = LazyContent(content)
            else:
                node.content = content
        node.links = links
        node.accessed, node.modified, node.changed = accessed, modified, changed
        nodes[number] = node
    for directory, numbers in directories:
        for name, number in numbers.items():
            directory.entries[name] = nodes[number]
    return InodeTree(directories[0][0], enforces_modes)
