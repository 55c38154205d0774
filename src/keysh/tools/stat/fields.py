"""The directives of stat's formats and their values."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import BLOCK_BYTES, disk_blocks, major_minor
from keysh.gnu.file_systems import BLOCK_BYTES as BEST_READ
from keysh.gnu.file_systems import mount_at
from keysh.gnu.owners import Owners
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import styled_name
from keysh.tools.stat.form import TIME_BASE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call import Call
    from keysh.tools.stat.form import Field
    from keysh.vfs.api import Stat

TYPE_NAMES = {
    kinds.S_IFDIR: "directory", kinds.S_IFLNK: "symbolic link", kinds.S_IFIFO: "fifo",
    kinds.S_IFSOCK: "socket", kinds.S_IFCHR: "character special file",
    kinds.S_IFBLK: "block special file",
}  # fmt: skip
MAX_NAME_BYTES = 255


def file_type_name(status: Stat) -> str:
    """Return the type of a file in words."""
    if status.is_file:
        return "regular file" if status.size else "regular empty file"
    return TYPE_NAMES.get(kinds.S_IFMT(status.mode), "weird file")


def quoted_name_field(style: str) -> Field:
    """Return the field of a quoted name, with the target of a link."""

    def text(sh: Call, name: str, status: Stat) -> str:
        shown = styled_name(name, style, False)
        if not status.is_link:
            return shown
        return f"{shown} -> {styled_name(sh.fs.read_link(sh.path(name)), style, False)}"

    return text


def number_field(value: Callable[[Stat], int], base: int = 10) -> Field:
    return lambda sh, name, status: (value(status), base)


def time_field(value: Callable[[Stat], int]) -> Field:
    """Return the field of a time with date and zone."""

    def text(sh: Call, name: str, status: Stat) -> str:
        zone = find_zone(sh.env.get("TZ"))
        return format_moment("%Y-%m-%d %H:%M:%S.%N %z", Moment(value(status), zone))

    return text


def file_fields(style: str) -> dict[str, Field]:
    """Return the fields of a file; `style` is the quoting style of %N."""
    return {
        "a": number_field(lambda status: status.mode & 0o7777, 8),
        "A": lambda sh, name, status: kinds.filemode(status.mode),
        "b": number_field(disk_blocks),
        "B": number_field(lambda status: BLOCK_BYTES),
        "C": lambda sh, name, status: "?",
        "d": number_field(lambda status: status.device),
        "D": number_field(lambda status: status.device, 16),
        "Hd": number_field(lambda status: major_minor(status.device)[0]),
        "Ld": number_field(lambda status: major_minor(status.device)[1]),
        "f": number_field(lambda status: status.mode, 16),
        "F": lambda sh, name, status: file_type_name(status),
        "g": lambda sh, name, status: (Owners(sh).group_number(status), 10),
        "G": lambda sh, name, status: Owners(sh).group(status) or "UNKNOWN",
        "h": number_field(lambda status: status.links),
        "i": number_field(lambda status: status.inode),
        "m": lambda sh, name, status: mount_at(sh, name).point,
        "n": lambda sh, name, status: name,
        "N": quoted_name_field(style),
        "o": number_field(lambda status: BEST_READ),
        "s": number_field(lambda status: status.size),
        "r": number_field(lambda status: status.special),
        "R": number_field(lambda status: status.special, 16),
        "Hr": number_field(lambda status: major_minor(status.special)[0]),
        "Lr": number_field(lambda status: major_minor(status.special)[1]),
        "t": number_field(lambda status: major_minor(status.special)[0], 16),
        "T": number_field(lambda status: major_minor(status.special)[1], 16),
        "u": lambda sh, name, status: (Owners(sh).user_number(status), 10),
        "U": lambda sh, name, status: Owners(sh).user(status) or "UNKNOWN",
        "w": lambda sh, name, status: "-",
        "W": number_field(lambda status: 0, TIME_BASE),
        "x": time_field(lambda status: status.accessed),
        "X": number_field(lambda status: status.accessed, TIME_BASE),
        "y": time_field(lambda status: status.modified),
        "Y": number_field(lambda status: status.modified, TIME_BASE),
        "z": time_field(lambda status: status.changed),
        "Z": number_field(lambda status: status.changed, TIME_BASE),
    }


def system_fields() -> dict[str, Field]:
    """Return the fields of a file system."""

    def blocks(which: str) -> Field:
        def value(sh: Call, name: str, status: Stat) -> tuple[int, int]:
            return (getattr(mount_at(sh, name).usage(), which) or 0) // BEST_READ, 10

        return value

    def files(sh: Call, name: str, status: Stat) -> tuple[int, int]:
        return mount_at(sh, name).usage().files or 0, 10

    def free_files(sh: Call, name: str, status: Stat) -> tuple[int, int]:
        room = mount_at(sh, name).usage()
        return max((room.files or 0) - room.files_used, 0), 10

    return {
        "a": blocks("available"),
        "b": blocks("total"),
        "c": files,
        "d": free_files,
        "f": blocks("free"),
        "i": number_field(lambda status: status.device, 16),
        "l": number_field(lambda status: MAX_NAME_BYTES),
        "n": lambda sh, name, status: name,
        "s": number_field(lambda status: BEST_READ),
        "S": number_field(lambda status: BEST_READ),
        "t": number_field(lambda status: 0, 16),
        "T": lambda sh, name, status: mount_at(sh, name).kind,
    }
