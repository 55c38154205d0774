"""Identity: what tells one file from another, whatever its names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat

Identity = tuple[int, int]


def identity(found: Stat) -> Identity:
    """The file system and the number in it."""
    return found.device, found.inode
