"""How much two versions of a file differ, for merges: owners and the inode do not count."""

from __future__ import annotations

import stat as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.journal.version import FileVersion

SAME, TIMES, DIFFERENT = range(3)  # how much two versions differ


def difference(one: FileVersion | None, other: FileVersion | None) -> int:
    """Return how much two versions differ. Owners are not compared."""
    if one is None or other is None:
        return SAME if one is other else DIFFERENT
    if one.mode != other.mode or one.target != other.target or not is_same_content(one, other):
        return DIFFERENT
    is_same_time = (one.modified, one.accessed) == (other.modified, other.accessed)
    return SAME if is_same_time else TIMES


def is_same_content(one: FileVersion, other: FileVersion) -> bool:
    """Whether two files have the same content; if one is lost, whether their times are the same."""
    if one.content is None or other.content is None:
        return one.content is other.content
    are_known = not one.content.lost and not other.content.lost
    if are_known and one.content.size() != other.content.size():
        return False
    is_same = one.content.is_same(other.content)
    return one.modified == other.modified if is_same is None else is_same


def is_same_kind(one: FileVersion | None, other: FileVersion | None) -> bool:
    """Whether both exist, and are both files, directories or links."""
    return (
        one is not None and other is not None and kinds.S_IFMT(one.mode) == kinds.S_IFMT(other.mode)
    )
