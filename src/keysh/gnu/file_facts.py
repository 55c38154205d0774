"""Facts about a file: device numbers, disk usage, and the row that --json prints."""

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


# Device numbers.


def major_minor(device: int) -> tuple[int, int]:
    """Return the major and minor number of a device."""
    if device >= FIRST_DEVICE:
        return 0, device - FIRST_DEVICE
    return os.major(device), os.minor(device)


def is_device(stat: Stat) -> bool:
    """Whether a file is a device. `ls` shows its numbers in place of a size."""
    return kinds.S_ISCHR(stat.mode) or kinds.S_ISBLK(stat.mode)


# Disk usage, as the file system reports it or would allocate it.

BLOCK_BYTES = 512  # the kernel's unit
CLUSTER_BYTES = 4096  # the unit of allocation


def disk_blocks(stat: Stat) -> int:
    """Return the number of 512-byte blocks of a file; in memory, for whole clusters."""
    if stat.blocks is not None:
        return stat.blocks
    if not (stat.is_file or stat.is_directory):
        return 0
    return -(-stat.size // CLUSTER_BYTES) * (CLUSTER_BYTES // BLOCK_BYTES)


def bytes_on_disk(stat: Stat) -> int:
    """Return the disk usage of a file in bytes."""
    return disk_blocks(stat) * BLOCK_BYTES


KIND_NAMES = {
    kinds.S_IFREG: "file", kinds.S_IFDIR: "directory", kinds.S_IFLNK: "link",
    kinds.S_IFIFO: "fifo", kinds.S_IFSOCK: "socket", kinds.S_IFCHR: "character device",
    kinds.S_IFBLK: "block device",
}  # fmt: skip


def file_row(owners: Owners, name: str, stat: Stat) -> dict[str, object]:
    """Return the facts about a file as a row for --json."""
    return {
        "name": name,
        "type": kind_name(stat.mode),
        "size": stat.size,
        "mode": mode_digits(stat.mode),
        "links": stat.links,
        "owner": owners.user(stat) or owners.user_number(stat),
        "group": owners.group(stat) or owners.group_number(stat),
        "modified": iso_time(stat.modified),
        "inode": stat.inode,
    }


def kind_name(mode: int) -> str:
    """Return the name of a file's type."""
    return KIND_NAMES.get(kinds.S_IFMT(mode), "unknown")


def mode_digits(mode: int) -> str:
    """Return the permissions in octal."""
    return f"{mode & 0o7777:04o}"


def iso_time(nanoseconds: int) -> str:
    """Format nanoseconds since 1970 as `2024-01-02T03:04:05Z`."""
    return format_moment("%Y-%m-%dT%H:%M:%SZ", Moment(nanoseconds, UTC_ZONE))
