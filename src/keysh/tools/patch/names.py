"""Choose the file to patch from the names in the patch."""

from __future__ import annotations

from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.patch.folder import base_name
from keysh.tools.patch.git_header import NULL_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import TimeZone
    from keysh.tools.patch.folder import PatchDirectory
    from keysh.tools.patch.patch_reader import FilePatch


def choose_name(patch: FilePatch, strip: int, directory: PatchDirectory, *, is_posix: bool) -> str:
    """Return the best name: of the files that exist, the shortest; for POSIX, the first.

    If none exists and the patch creates a file, it is the name that needs the fewest new
    directories. Names outside of the directory are never chosen.
    """
    usable_names = [name for name in candidate_names(patch, strip) if directory.may_contain(name)]
    present = [name for name in usable_names if directory.has(name)]
    if is_posix:
        return present[0] if present else ""
    if present:
        return min(present, key=name_length_key)
    if not (usable_names and can_create_file(patch)):
        return ""
    return min(
        usable_names, key=lambda name: (directory.missing_parents(name), *name_length_key(name))
    )


def candidate_names(patch: FilePatch, strip: int) -> list[str]:
    """Return the names in a patch."""
    names = [patch.names.get(side, NULL_FILE) for side in ("old", "new", "index")]
    return [
        short for name in names if name != NULL_FILE and (short := strip_directories(name, strip))
    ]


def unsafe_names(patch: FilePatch, strip: int, directory: PatchDirectory) -> dict[str, bool]:
    """Return the names outside of the directory, and whether to warn about each."""
    git, names = patch.git, candidate_names(patch, strip)
    if git is not None and git.operation and not patch.names:
        names = [strip_directories(git.old, strip), strip_directories(git.new, strip)]
    makes = can_create_file(patch)
    return {
        name: makes or (name.startswith("/") and directory.has(name))
        for name in names
        if not directory.may_contain(name)
    }


def can_create_file(patch: FilePatch) -> bool:
    """Whether a patch may create its file."""
    is_missing = side_absence(patch, "old") or side_absence(patch, "new") == 2
    return patch.git is not None or bool(is_missing)


def name_length_key(name: str) -> tuple[int, int, int]:
    """Return the sort key for the length of a name."""
    return name.count("/"), len(base_name(name)), len(name)


def strip_directories(name: str, strip: int) -> str:
    """Return a name without its first `strip` directories, or if negative, without any."""
    if strip < 0:
        return base_name(name)
    parts = [part for part in name.split("/") if part] if strip else [name]
    if name.startswith("/") and strip:
        parts.insert(0, "")
    return "/".join(parts[strip:])


def side_absence(patch: FilePatch, side: str) -> int:
    """Return 0 if a side is a file, 1 if it may be empty, 2 if it does not exist."""
    git, hunks = patch.git, patch.hunks
    if git is not None and (git.is_new if side == "old" else git.is_deleted):
        return 2
    if not hunks:  # a file is created or removed without lines: it is empty
        return int(git is not None and (git.is_new or git.is_deleted))
    first = hunks[0]
    is_old = side == "old"
    lines, start = (
        (first.old_lines, first.old_start) if is_old else (first.new_lines, first.new_start)
    )
    if len(hunks) > 1 or lines or start > 1:
        return 0
    title = patch.titles.get(side, "")
    date = title.partition("\t")[2]
    is_epoch = bool(date) and parse_date(date, 0, UTC_ZONE) == 0
    return 2 if patch.names.get(side) == NULL_FILE or is_epoch else 1


def header_time(patch: FilePatch, side: str, now: int, zone: TimeZone | None) -> int | None:
    """Return the time in a header; None without a zone or a time."""
    _, tab, date = patch.titles.get(side, "").partition("\t")
    return parse_date(date, now, zone) if tab and zone is not None else None
