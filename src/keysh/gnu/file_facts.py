"""File rows: what `--json` tells of a file, in the same words whatever command tells it."""

from __future__ import annotations

import os
import stat as kinds

from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.vfs.mounts import FIRST_DEVICE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.owners import Owners
    from keysh.vfs.api import Stat


# Device numbers: of a driver, and of what it drives.


def major_minor(device: int) -> tuple[int, int]:
    """The numbers of a device: of its driver, and of itself."""
    if device >= FIRST_DEVICE:
        return 0, device - FIRST_DEVICE
    return os.major(device), os.minor(device)


def is_device(found: Stat) -> bool:
    """Whether a file stands for a device; in the place of its size `ls` shows which."""
    return kinds.S_ISCHR(found.mode) or kinds.S_ISBLK(found.mode)


# File blocks: what a file takes on its disk, as its file system tells or would give it out.

BLOCK_BYTES = 512  # bytes, what the kernel counts in
CLUSTER_BYTES = 4096  # bytes, what file systems give out at once


def disk_blocks(found: Stat) -> int:
    """The blocks of 512 bytes that a file takes; in memory, clusters that would hold its bytes."""
    if found.blocks is not None:
        return found.blocks
    if not (found.is_file or found.is_directory):
        return 0
    return -(-found.size // CLUSTER_BYTES) * (CLUSTER_BYTES // BLOCK_BYTES)


def bytes_on_disk(found: Stat) -> int:
    """What a file takes on its disk, in bytes."""
    return disk_blocks(found) * BLOCK_BYTES


KIND_NAMES = {
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
    return KIND_NAMES.get(kinds.S_IFMT(mode), "unknown")


def mode_digits(mode: int) -> str:
    """The permissions as chmod takes them."""
    return f"{mode & 0o7777:04o}"


def iso_time(nanoseconds: int) -> str:
    """A time since 1970 as text: `2024-01-02T03:04:05Z`."""
    return format_moment("%Y-%m-%dT%H:%M:%SZ", Moment(nanoseconds, UTC_ZONE))
