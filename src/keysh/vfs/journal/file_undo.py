"""Restore: make paths what they were, if nobody else has changed them meanwhile.

    check      compare every path with what the run left; a difference anywhere ends it here
    judge      ask who decides about files of scripts, if one goes back; a refusal ends it here
    prepare    keep what is about to be lost, so that it can be redone
    apply      change names, contents and attributes; on a failure, everything back

`restoration.FileRestoration` does this for one file system.
"""

from __future__ import annotations

from stat import S_IFMT

from keysh.diagnostics.exceptions import ContentLost, UndoConflict
from keysh.vfs.journal.inode_groups import RestoredPath
from keysh.vfs.journal.restoration import FileRestoration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keysh.vfs.journal.content_store import ContentStore
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.judged import FileAction
    from keysh.vfs.router import Router

    Versions = Mapping[str, FileVersion | None]


def restore_versions(
    router: Router, target: Versions, expected: Versions, contents: ContentStore
) -> None:
    """Make each path of `target` that version, or remove it for None.

    `expected` has the same paths and what must be there now. UndoConflict names the paths where
    something else is, ContentLost those whose contents are not there; then nothing is changed at
    all, nor if the judge of the router refuses one of them. `contents` keeps what is overwritten,
    for the way back.
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
    router.require(restoring_acts(target, expected))
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


def restoring_acts(target: Versions, expected: Versions) -> Iterator[tuple[FileAction, str]]:
    """Yield what is done with each path that is made another version."""
    for path in sorted(target):
        before, after = expected[path], target[path]
        if before is after or is_same_directory(before, after):
            continue
        if before is not None and (after is None or S_IFMT(after.mode) != S_IFMT(before.mode)):
            yield "remove", path
        if after is not None:
            yield "write", path


def is_same_directory(before: FileVersion | None, after: FileVersion | None) -> bool:
    """Whether a directory is different in nothing but its times, which follow its entries."""
    if before is None or after is None or not (before.is_directory and after.is_directory):
        return False
    return (before.mode, before.owner, before.group) == (after.mode, after.owner, after.group)
