"""Changes that no fingerprint shows, because they came within one tick of a clock.

A file system writes the time of the last change into each inode. If a file changes twice within a
tick of that clock, the second change leaves the same time: git calls that file racily clean. So
a version that is as young as the clock's present tick is compared by its content as well.
"""

from __future__ import annotations

import time
from hashlib import sha256

from keysh.vfs.api import LinkInPath
from keysh.vfs.journal.content_store import KeptInode, file_chunks
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.memory.inodes import FileInode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.vfs.api import FileSystem
    from keysh.vfs.journal.version import FileVersion

# Linux takes the times of inodes from this clock, which ticks a hundred to a thousand times a
# second. Elsewhere none is as coarse, and all young files are compared.
TICKING_CLOCK = getattr(time, "CLOCK_REALTIME_COARSE", None)
COARSE_NANOSECONDS = 2_000_000_000  # the tick of FAT, the coarsest in use
# The longest tick in use has ten milliseconds.
TICK_WAIT_SECONDS = 0.003
MAX_TICK_WAITS = 5
MAX_DIGESTED_BYTES = 1 << 20  # more takes longer than to wait for the next tick


def mark_recent(fs: FileSystem, versions: Iterable[FileVersion]) -> None:
    """Mark the versions of files, as they are now, that another change might leave alike."""
    if isinstance(fs, MemoryFS):
        for version in versions:
            version.is_recent = True  # the comparison costs nothing: it is of the inodes
        return
    recent = []
    for version in versions:
        version.is_recent = not isinstance(fs, LocalFS) or is_within_tick(version.file.changed)
        if version.is_recent:
            recent.append(version)
    if isinstance(fs, LocalFS) and sum(version.size for version in recent) > MAX_DIGESTED_BYTES:
        for _ in range(MAX_TICK_WAITS):
            if not any(is_within_tick(version.file.changed) for version in recent):
                break
            time.sleep(TICK_WAIT_SECONDS)
        for version in recent:
            version.is_recent = is_within_tick(version.file.changed)
    for version in recent:
        if version.is_recent:
            version.digest()


def is_within_tick(changed: int) -> bool:
    """Whether a change now might leave the same time as the last one."""
    now = time.time_ns() if TICKING_CLOCK is None else time.clock_gettime_ns(TICKING_CLOCK)
    is_coarse = TICKING_CLOCK is None or changed % 1_000_000_000 == 0
    return changed >= now - (COARSE_NANOSECONDS if is_coarse else 0)


def has_bytes(fs: FileSystem, path: str, version: FileVersion) -> bool:
    """Whether a file has the content of a version."""
    content = version.content
    if content is None:
        return True
    try:
        if isinstance(fs, MemoryFS) and isinstance(content.kept, KeptInode):
            node = fs._tree.find_or_none(path)
            return isinstance(node, FileInode) and content.kept.has_bytes_of(node)
        hasher = sha256()
        for piece in file_chunks(fs, path):
            hasher.update(piece)
        return content.digest() == hasher.hexdigest()
    except (OSError, LinkInPath):
        return False
