"""All that can be seen of a shell, to compare two shells or two moments."""

from __future__ import annotations

from keysh.vfs.paths import join
from keysh.vfs.router import Router

SKIPPED = ("/dev", "/usr/bin", "/bin")


def files_of(router: Router, *, with_inodes: bool = False) -> dict[str, tuple[object, ...]]:
    """Return kind, mode, times, content and the names of the same file, by path.

    Inodes and the times of their changes are compared only on request: a merge makes new ones.
    """
    found: dict[str, tuple[object, ...]] = {}
    names: dict[tuple[int, int], list[str]] = {}
    pending = ["/"]
    while pending:
        path = pending.pop()
        stat = router.stat(path)
        content: object = None
        if stat.is_directory:
            pending += [
                below
                for entry in router.list(path)
                if (below := join(path, entry.name)) not in SKIPPED
            ]
        elif stat.is_link:
            content = router.read_link(path)
        elif stat.is_file:
            with router.open(path) as stream:
                content = stream.read()
        same: list[str] = []
        if not stat.is_directory:
            same = names.setdefault((stat.device, stat.inode), [])
            same.append(path)
        inode = (stat.inode, stat.changed) if with_inodes else ()
        found[path] = (stat.mode, stat.modified, content, same, inode)
    for _, _, _, same, _ in found.values():
        assert isinstance(same, list)
        same.sort()
    return found
