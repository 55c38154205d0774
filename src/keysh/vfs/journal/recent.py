"""Changes that no fingerprint shows, because they came within one tick of a clock.

A file system writes the time of the last change into each inode. If a file changes twice within a
tick of that clock, the second change leaves the same time: git calls that file racily clean. So
a version that is as young as the clock's present tick is compared by its content as well.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from hashlib import sha256

from keysh.vfs.api import LinkInPath
from keysh.vfs.journal.content_store import file_chunks
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.memory.inodes import FileInode
from keysh.vfs.overlay.filesystem import OverlayFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.vfs.api import FileSystem
    from keysh.vfs.journal.content import FileContent
    from keysh.vfs.journal.version import FileVersion

# Linux takes the times of inodes from CLOCK_REALTIME_COARSE, which ticks a hundred to a thousand
# times a second; Python has no name for it. Elsewhere all young files are compared.
TICKING_CLOCK: int | None = 5 if sys.platform == "linux" else None
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
        content = version.content
        if version.is_recent and content is not None and content.inode is None:
            note_digest(content, version.size)


def note_digest(content: FileContent, size: int) -> None:
    """Note the digest of a file as it is now."""
    if content.known_digest is not None or content.live is None or size > MAX_DIGESTED_BYTES:
        content.digest()
        return
    fs, path, _ = content.live
    with suppress(OSError, LinkInPath):
        content.note_digest(sha256(fs.read_file(path, size)).hexdigest())


def is_within_tick(changed: int) -> bool:
    """Whether a change now might leave the same time as the last one."""
    now = time.time_ns() if TICKING_CLOCK is None else time.clock_gettime_ns(TICKING_CLOCK)
    is_coarse = TICKING_CLOCK is None or changed % 1_000_000_000 == 0
    return changed >= now - (COARSE_NANOSECONDS if is_coarse else 0)


def has_bytes(
    fs: FileSystem, path: str, version: FileVersion, *, is_about_to_be_lost: bool = False
) -> bool:
    """Whether a file has the content of a version, which may be kept next."""
    content = version.content
    return content is None or has_content(
        fs, path, content, version.size, is_about_to_be_lost=is_about_to_be_lost
    )


def has_content(
    fs: FileSystem, path: str, content: FileContent, size: int, *, is_about_to_be_lost: bool
) -> bool:
    """Whether a file of a size has a content; then a small one is held for whoever keeps it."""
    try:
        if content.inode is not None:
            memory = fs._upper if isinstance(fs, OverlayFS) else fs
            node = memory._tree.find_or_none(path) if isinstance(memory, MemoryFS) else None
            if isinstance(node, FileInode):
                return content.inode.has_bytes_of(node)
            if isinstance(fs, MemoryFS):
                return False
        digest = content.digest()
        if size <= MAX_DIGESTED_BYTES:
            data = fs.read_file(path, size)
            is_same = digest == sha256(data).hexdigest()
            if is_same and is_about_to_be_lost and content.kept is None:
                content.held = data
            return is_same
        hasher = sha256()
        for piece in file_chunks(fs, path):
            hasher.update(piece)
        return digest == hasher.hexdigest()
    except (OSError, LinkInPath):
        return False
