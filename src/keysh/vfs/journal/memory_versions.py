"""Versions of the files of a MemoryFS, which has snapshots that cost nothing while files change."""

from __future__ import annotations

from keysh.vfs.journal.content import FileContent
from keysh.vfs.journal.content_store import KeptInode
from keysh.vfs.journal.version import FileVersion
from keysh.vfs.memory.inodes import FileInode, LinkInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.memory.filesystem import MemoryFS
    from keysh.vfs.memory.inodes import Inode


def version_in_snapshot(snapshot: MemoryFS, path: str) -> FileVersion | None:
    """Return what a snapshot, which nothing changes, has at a path."""
    node = snapshot._tree.find_or_none(path)
    return None if node is None else version_of_inode(node)


def version_of_inode(node: Inode) -> FileVersion:
    """Return the version that an inode of a snapshot is."""
    if isinstance(node, FileInode):
        return FileVersion(node.stat(), FileContent(kept=KeptInode(node)))
    return FileVersion(node.stat(), target=node.target if isinstance(node, LinkInode) else "")
