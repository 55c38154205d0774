"""Fingerprint: what changes with a file, as far as its attributes tell."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.vfs.api import Stat

    # Device, inode, size, modified, changed, mode.
    Fingerprint: TypeAlias = tuple[int, int, int, int, int, int]


def fingerprint_of(stat: Stat) -> Fingerprint:
    """Return what changes with a file."""
    return (stat.device, stat.inode, stat.size, stat.modified, stat.changed, stat.mode)
