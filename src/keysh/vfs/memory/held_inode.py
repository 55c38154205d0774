"""Hold an inode of a MemoryFS as it is now, without a copy of its contents."""

from __future__ import annotations

from keysh.vfs.memory.inodes import FileInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.memory.filesystem import MemoryFS
    from keysh.vfs.memory.inodes import Inode


def held_inode(fs: MemoryFS, path: str) -> Inode | None:
    """Return an inode as it is now, which no later change shows in; None if nothing is there."""
    with fs._quota.lock:
        node = fs._tree.find_or_none(path)
        if node is None:
            return None
        if isinstance(node, FileInode):
            node.shared = True  # the next change in place copies the contents
        held: Inode = node.copy(None)
        return held
