"""What becomes of files when a session returns to an image, for those who decide about files."""

from __future__ import annotations

from stat import S_IFMT

from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.paths import join
from keysh.vfs.transfer import has_same_content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import FileSystem, Stat
    from keysh.vfs.judged import FileAction
    from keysh.vfs.router import Router


def acts_of_restoring(now: Router, then: Router) -> Iterator[tuple[FileAction, str]]:
    """Yield what is done with each path that is different in the other files."""
    for path in paths_to_compare(now, then):
        before, after = now.stat_or_none(path, follow=False), then.stat_or_none(path, follow=False)
        if not is_changed(now, then, path, before, after):
            continue
        if before is not None and (after is None or S_IFMT(after.mode) != S_IFMT(before.mode)):
            yield "remove", path
        if after is not None:
            yield "write", path


def paths_to_compare(now: Router, then: Router) -> Iterator[str]:
    """Yield the paths that may be different, a directory before its entries.

    A file system that both have is not looked at, since it may be the whole machine; nor is what
    lies below two overlays.
    """
    points = {*now.mounts, *then.mounts}
    for point in sorted(points):
        mounted, other = now.mounts.get(point), then.mounts.get(point)
        if mounted is other:
            continue
        if are_overlays_of_one(mounted, other):
            changes = {change.path for fs in (mounted, other) for change in fs.diff()}  # type: ignore[union-attr]
            yield from (join(point, path.lstrip("/")) for path in sorted(changes))
            continue
        pending = [point]
        while pending:
            yield (path := pending.pop())
            names: set[str] = set()
            for router in (now, then):
                stat = router.stat_or_none(path, follow=False)
                if stat is not None and stat.is_directory:
                    names.update(entry.name for entry in router.list(path))
            inner = [join(path, name) for name in sorted(names, reverse=True)]
            pending += [one for one in inner if one not in points]


def are_overlays_of_one(mounted: FileSystem | None, other: FileSystem | None) -> bool:
    """Whether two file systems are overlays of the same one."""
    return (
        isinstance(mounted, OverlayFS)
        and isinstance(other, OverlayFS)
        and mounted.lower is other.lower
    )


def is_changed(
    now: Router, then: Router, path: str, before: Stat | None, after: Stat | None
) -> bool:
    """Whether a path is different in kind, mode, owner or content."""
    if before is None or after is None:
        return before is not after
    if (before.mode, before.owner, before.group) != (after.mode, after.owner, after.group):
        return True
    if before.is_link:
        return now.read_link(path) != then.read_link(path)
    if not before.is_file:
        return False
    return before.size != after.size or not has_same_content(now, path, then, path)
