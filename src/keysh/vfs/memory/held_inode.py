"""Hold the contents of a file of a MemoryFS as they are now, without a copy."""

from __future__ import annotations

from keysh.vfs.memory.inodes import FileInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.memory.filesystem import MemoryFS


def held_inode(fs: MemoryFS, path: str) -> FileInode | None:
    """Return a file's inode as it is now, which no later change shows in; None if it is no file."""
    with fs._quota.lock:
        node = fs._tree.find_or_none(path)
        if not isinstance(node, FileInode) or node.lazy is not None:
            return None
        node.shared = True  # the next change in place copies the contents
        return node.copy(None)
