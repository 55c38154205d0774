"""File blocks: what a file takes on its disk, as its file system tells or would give it out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat

BLOCK = 512  # bytes, what the kernel counts in
CLUSTER = 4096  # bytes, what file systems give out at once


def blocks_of(found: Stat) -> int:
    """The blocks of 512 bytes that a file takes; in memory, clusters that would hold its bytes."""
    if found.blocks is not None:
        return found.blocks
    if not (found.is_file or found.is_directory):
        return 0
    return -(-found.size // CLUSTER) * (CLUSTER // BLOCK)


def bytes_on_disk(found: Stat) -> int:
    """What a file takes on its disk, in bytes."""
    return blocks_of(found) * BLOCK
