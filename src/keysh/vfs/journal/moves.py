"""Moves: which of the new paths of a run are old files with another name."""

from __future__ import annotations

import stat as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.api import Identity
    from keysh.vfs.journal.version import FileVersion

    Versions = Mapping[str, FileVersion | None]


def moves_of(before: Versions, after: Versions) -> dict[str, str]:
    """Return the new path of each file and directory that was moved, with its old one.

    A disk gives the inode number of a removed file to the next new one. So a file counts as moved
    only if its size and time are the same as well, and a directory if its time is, or if an entry
    has moved with it.
    """
    removed: dict[tuple[Identity, int], list[str]] = {}
    for path, version in before.items():
        if version is not None and after[path] is None:
            removed.setdefault(inode_of(version), []).append(path)
    if not removed:
        return {}
    moves: dict[str, str] = {}
    doubtful: list[tuple[str, str]] = []
    for path in sorted(after):
        version = after[path]
        if version is None or before[path] is not None:
            continue
        sources = removed.get(inode_of(version))
        if not sources:
            continue
        source = place_moved_along(path, moves)
        if source not in sources:
            source = sources[0]
        was = before[source]
        assert was is not None
        if is_same_file(was, version):
            sources.remove(source)
            moves[path] = source
        else:
            doubtful.append((path, source))
    for path, source in reversed(doubtful):  # entries before their directories
        version = after[path]
        if version is not None and version.is_directory and has_moved_entry(path, source, moves):
            moves[path] = source
    for path, source in doubtful:  # what was changed in a directory that was moved
        if place_moved_along(path, moves) == source:
            moves[path] = source
    return moves


def place_moved_along(path: str, moves: Mapping[str, str]) -> str:
    """Return where a path was if it moved along with the directory above it; "" if it did not."""
    above, _, name = path.rpartition("/")
    return f"{moves[above]}/{name}" if above in moves else ""


def has_moved_entry(path: str, source: str, moves: Mapping[str, str]) -> bool:
    """Whether an entry of a directory has moved along with it."""
    return any(
        new.rpartition("/")[0] == path and old == source + new[len(path) :]
        for new, old in moves.items()
    )


def inode_of(version: FileVersion) -> tuple[Identity, int]:
    """Return what identifies a file and its kind."""
    return version.identity, kinds.S_IFMT(version.mode)


def is_same_file(before: FileVersion, after: FileVersion) -> bool:
    """Whether two versions with the same inode are of one file."""
    if before.modified != after.modified:
        return False
    return before.is_directory or (before.size, before.target) == (after.size, after.target)
