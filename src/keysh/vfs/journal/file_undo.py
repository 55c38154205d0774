"""Restore: make paths what they were, if nobody else has changed them meanwhile.

    check      compare every path with what the run left; a difference anywhere ends it here
    prepare    keep what is about to be lost, so that it can be redone
    apply      change names, contents and attributes; on a failure, everything back

`restoration.FileRestoration` does this for one file system.
"""

from __future__ import annotations

from keysh.diagnostics.exceptions import ContentLost, UndoConflict
from keysh.vfs.journal.inode_groups import RestoredPath
from keysh.vfs.journal.restoration import FileRestoration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.router import Router

    Versions = Mapping[str, FileVersion | None]


def restore_versions(
    router: Router, target: Versions, expected: Versions, contents: ContentStore
) -> None:
    """Make each path of `target` that version, or remove it for None.

    `expected` has the same paths and what must be there now. UndoConflict names the paths where
    something else is, ContentLost those whose contents are not there; then nothing is changed at
    all. `contents` keeps what is overwritten, for the way back.
    """
    restorations: dict[int, FileRestoration] = {}
    for path in target:
        if target[path] is expected[path]:
            continue
        fs, inner = router.find_mounted(path)
        restoration = restorations.get(id(fs))
        if restoration is None:
            restoration = restorations[id(fs)] = FileRestoration(fs, contents)
        restoration.paths[inner] = RestoredPath(path, target[path], expected[path])
    conflicts: list[str] = []
    lost: dict[str, str] = {}
    for restoration in restorations.values():
        restoration.check(conflicts, lost)
    if conflicts:
        raise UndoConflict(sorted(set(conflicts)))
    for restoration in restorations.values():
        if not lost:
            restoration.prepare(lost)
    if lost:
        raise ContentLost(lost)
    begun: list[FileRestoration] = []
    try:
        for restoration in restorations.values():
            begun.append(restoration)
            # A recorder that is active notes it: a merge is an entry of the history.
            restoration.apply_through(router.for_changes(restoration.fs))
    except BaseException:
        for restoration in reversed(begun):
            restoration.take_back()
        raise
    for restoration in begun:
        restoration.adopt_versions()
