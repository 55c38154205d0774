"""Which file a Stat of an overlay is of: both of its file systems number their inodes from 1."""

from __future__ import annotations

from keysh.vfs.api import Stat


def with_identity(stat: Stat, device: int, inode: int) -> Stat:
    """Return a Stat with another identity: both sides share a device, so inodes must differ."""
    return Stat(
        stat.mode,
        stat.size,
        stat.modified,
        accessed=stat.accessed,
        changed=stat.changed,
        inode=inode,
        device=device,
        links=stat.links,
        owner=stat.owner,
        group=stat.group,
        special=stat.special,
    )


def is_same_file(one: Stat, other: Stat) -> bool:
    """Whether two Stats are of one file."""
    return one.inode == other.inode != 0 and one.device == other.device
