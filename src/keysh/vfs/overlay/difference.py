"""Differences of overlays: of two from each other, and of one from what its lower file system was.

An overlay knows the latter only where it has changed something: it notes the original of each lower
path before its first change.
"""

from __future__ import annotations

from keysh.vfs.api import LinkInPath
from keysh.vfs.memory.difference import differing_paths
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.changes import stat_or_none
from keysh.vfs.paths import parent
from keysh.vfs.transfer import walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import FileSystem
    from keysh.vfs.overlay.filesystem import OverlayFS
    from keysh.vfs.overlay.original_state import OriginalState


def diverging_paths(before: OverlayFS, after: OverlayFS) -> list[str]:
    """Return the paths at which two overlays over one file system may differ, sorted.

    Both are snapshots of one lineage, and nothing changes them meanwhile.
    """
    earlier, later = before._upper, after._upper
    if isinstance(earlier, MemoryFS) and isinstance(later, MemoryFS):
        paths = {*differing_paths(earlier, later)}
    else:
        paths = {path for upper in (earlier, later) for path, _ in walk_tree(upper, "/")}
    for hidden in before._hidden ^ after._hidden:
        paths.update(paths_below(after.lower, hidden))
    return sorted(paths)


def paths_below(fs: FileSystem, path: str) -> list[str]:
    """Return a path, if it exists, and all below it."""
    try:
        return [inner for inner, _ in walk_tree(fs, path)]
    except (FileNotFoundError, NotADirectoryError, LinkInPath):
        return []


def paths_changed_above(overlay: OverlayFS) -> list[str]:
    """Return the paths that an overlay has changed, and their directories, sorted.

    What somebody else has made meanwhile in the lower file system is none of them, even if a
    directory that is new in the overlay hides it.
    """
    upper, originals = overlay._upper, overlay._originals
    paths = set()
    for change in overlay.diff():
        if change.path in originals or stat_or_none(upper, change.path):
            paths.add(change.path)
            if stat_or_none(upper, parent(change.path)):
                paths.add(parent(change.path))
    return sorted(paths)


def has_open_changes(overlay: OverlayFS) -> bool:
    """Whether a file that the overlay has changed is open, as far as the upper knows."""
    upper = overlay._upper
    if not isinstance(upper, MemoryFS):
        return False
    with upper._quota.lock:
        upper._quota.close_abandoned()
        return bool(upper._tree.streams)


def original_of(overlay: OverlayFS, path: str) -> OriginalState | None:
    """Return what was below when the overlay first changed a path; None if there was nothing."""
    return overlay._originals.get(path)


def renew_original(overlay: OverlayFS, path: str) -> None:
    """Note what is below a path now: it is what it was, as a file that was made anew."""
    if overlay._originals.pop(path, None) is not None:
        overlay._record_original(path)
