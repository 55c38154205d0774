"""What becomes of files when a session returns to an image, for those who decide about files."""

from __future__ import annotations

from stat import S_IFMT

from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Stat
    from keysh.vfs.judged import FileAction
    from keysh.vfs.router import Router

PIECE_BYTES = 1 << 16


def restoring_acts(now: Router, then: Router) -> Iterator[tuple[FileAction, str]]:
    """Yield what is done with each path that is different in the other files.

    A file system that both have is the same in both.
    """
    shared = {point for point, fs in now.mounts.items() if then.mounts.get(point) is fs}
    pending = ["/"]
    while pending:
        path = pending.pop()
        before, after = now.stat_or_none(path, follow=False), then.stat_or_none(path, follow=False)
        names: set[str] = set()
        for router, stat in ((now, before), (then, after)):
            if stat is not None and stat.is_directory:
                names.update(entry.name for entry in router.list(path))
        pending += [join(path, name) for name in sorted(names, reverse=True)]
        pending = [one for one in pending if one not in shared]
        if path in shared or not is_changed(now, then, path, before, after):
            continue
        if before is not None and (after is None or S_IFMT(after.mode) != S_IFMT(before.mode)):
            yield "remove", path
        if after is not None:
            yield "write", path


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
    if before.size != after.size:
        return True
    with now.open(path) as one, then.open(path) as other:
        while piece := one.read(PIECE_BYTES):
            if piece != other.read(len(piece)):
                return True
    return False
