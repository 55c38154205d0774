"""Names: which file a patch is for, of those that it names."""

from __future__ import annotations

from keysh.text.dates.parser import time_of
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.patch.folder import base_of
from keysh.tools.patch.git_header import NOWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import Zone
    from keysh.tools.patch.folder import Folder
    from keysh.tools.patch.reading import FilePatch


def chosen(patch: FilePatch, strip: int, folder: Folder, *, is_posix: bool) -> str:
    """The best of the names: of those that exist, the shortest; for POSIX, the first.

    Without one that exists, the file is made only by a patch that makes one, where the fewest
    directories have to be made. A name that leads out of the folder is none.
    """
    found = [name for name in told(patch, strip) if folder.may_hold(name)]
    present = [name for name in found if folder.has(name)]
    if is_posix:
        return present[0] if present else ""
    if present:
        return min(present, key=length_of)
    if not (found and makes_file(patch)):
        return ""
    return min(found, key=lambda name: (folder.missing_above(name), *length_of(name)))


def told(patch: FilePatch, strip: int) -> list[str]:
    """The names that a patch tells."""
    names = [patch.names.get(side, NOWHERE) for side in ("old", "new", "index")]
    return [short for name in names if name != NOWHERE and (short := stripped(name, strip))]


def outside(patch: FilePatch, strip: int, folder: Folder) -> dict[str, bool]:
    """The names that lead out of the folder, and whether that is told."""
    git, names = patch.git, told(patch, strip)
    if git is not None and git.makes and not patch.names:
        names = [stripped(git.old, strip), stripped(git.new, strip)]
    makes = makes_file(patch)
    return {
        name: makes or (name.startswith("/") and folder.has(name))
        for name in names
        if not folder.may_hold(name)
    }


def makes_file(patch: FilePatch) -> bool:
    """Whether a patch may be for a file that is not there."""
    is_missing = says_missing(patch, "old") or says_missing(patch, "new") == 2
    return patch.git is not None or bool(is_missing)


def length_of(name: str) -> tuple[int, int, int]:
    """What tells of two names which is the shorter one."""
    return name.count("/"), len(base_of(name)), len(name)


def stripped(name: str, strip: int) -> str:
    """A name without its first directories, or where no number is given, without any."""
    if strip < 0:
        return base_of(name)
    parts = [part for part in name.split("/") if part] if strip else [name]
    if name.startswith("/") and strip:
        parts.insert(0, "")
    return "/".join(parts[strip:])


def says_missing(patch: FilePatch, side: str) -> int:
    """Whether one side is no file: 0 if it is one, 1 if it may be empty, 2 if it is not there."""
    git, hunks = patch.git, patch.hunks
    if git is not None and (git.is_new if side == "old" else git.is_deleted):
        return 2
    if not hunks:  # what is made or taken away without a line is empty
        return int(git is not None and (git.is_new or git.is_deleted))
    first = hunks[0]
    is_old = side == "old"
    lines, start = (first.old, first.old_start) if is_old else (first.new, first.new_start)
    if len(hunks) > 1 or lines or start > 1:
        return 0
    title = patch.titles.get(side, "")
    told = title.partition("\t")[2]
    is_epoch = bool(told) and time_of(told, 0, UTC_ZONE) == 0
    return 2 if patch.names.get(side) == NOWHERE or is_epoch else 1


def told_time(patch: FilePatch, side: str, now: int, zone: Zone | None) -> int | None:
    """The time that a title tells; None where no zone is asked for, or no time is told."""
    _, tab, told = patch.titles.get(side, "").partition("\t")
    return time_of(told, now, zone) if tab and zone is not None else None
