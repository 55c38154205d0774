"""File rows: what `--json` tells of a file, in the same words whatever command tells it."""

from __future__ import annotations

import stat as kinds

from keysh.text.moment import Moment
from keysh.text.strftime import formatted
from keysh.text.time_zone import UTC_ZONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.owners import Owners
    from keysh.vfs.api import Stat

KINDS = {
    kinds.S_IFREG: "file", kinds.S_IFDIR: "directory", kinds.S_IFLNK: "link",
    kinds.S_IFIFO: "fifo", kinds.S_IFSOCK: "socket", kinds.S_IFCHR: "character device",
    kinds.S_IFBLK: "block device",
}  # fmt: skip


def file_row(owners: Owners, name: str, found: Stat) -> dict[str, object]:
    """What is known of a file."""
    return {
        "name": name,
        "type": kind_name(found.mode),
        "size": found.size,
        "mode": mode_digits(found.mode),
        "links": found.links,
        "owner": owners.user(found) or owners.user_number(found),
        "group": owners.group(found) or owners.group_number(found),
        "modified": iso_time(found.modified),
        "inode": found.inode,
    }


def kind_name(mode: int) -> str:
    """The kind of a file, by its mode."""
    return KINDS.get(kinds.S_IFMT(mode), "unknown")


def mode_digits(mode: int) -> str:
    """The permissions as chmod takes them."""
    return f"{mode & 0o7777:04o}"


def iso_time(nanoseconds: int) -> str:
    """A time since 1970 as text: `2024-01-02T03:04:05Z`."""
    return formatted("%Y-%m-%dT%H:%M:%SZ", Moment(nanoseconds, UTC_ZONE))
