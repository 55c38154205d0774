"""Names: which file a patch is for, of those that it names."""

from __future__ import annotations

from keysh.commands.patch.git_header import NOWHERE
from keysh.text.date_words import time_of
from keysh.text.time_zone import UTC_ZONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.commands.patch.reading import FilePatch
    from keysh.text.time_zone import Zone


def chosen(patch: FilePatch, strip: int, is_there: Callable[[str], bool], *, is_posix: bool) -> str:
    """The best of the names: of those that exist, the shortest; for POSIX, the first.

    Without one that exists, the file is made only by a patch that makes one.
    """
    found: list[str] = []
    for side in ("old", "new", "index"):
        name = patch.names.get(side, NOWHERE)
        short = stripped(name, strip) if name != NOWHERE else ""
        if short:
            found.append(short)
    present = [name for name in found if is_there(name)]
    if is_posix:
        return present[0] if present else ""
    if present:
        return min(present, key=lambda name: (name.count("/"), len(base_of(name)), len(name)))
    is_told = patch.git or says_missing(patch, "old") or says_missing(patch, "new") == 2
    return found[-1] if found and is_told else ""


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


def base_of(name: str) -> str:
    """The last step of a name."""
    return name.rpartition("/")[2]
