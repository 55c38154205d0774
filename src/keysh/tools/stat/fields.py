"""Fields: what the letters of stat's formats mean."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import BLOCK, blocks_of, halves
from keysh.gnu.file_systems import BLOCK as BEST_READ
from keysh.gnu.file_systems import mount_at
from keysh.gnu.owners import Owners
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import formatted
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import written
from keysh.tools.stat.form import TIME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call import Call
    from keysh.tools.stat.form import Field
    from keysh.vfs.api import Stat

NAMES = {
    kinds.S_IFDIR: "directory", kinds.S_IFLNK: "symbolic link", kinds.S_IFIFO: "fifo",
    kinds.S_IFSOCK: "socket", kinds.S_IFCHR: "character special file",
    kinds.S_IFBLK: "block special file",
}  # fmt: skip
LONGEST_NAME = 255


def kind_of(found: Stat) -> str:
    """The kind of a file, in words."""
    if found.is_file:
        return "regular file" if found.size else "regular empty file"
    return NAMES.get(kinds.S_IFMT(found.mode), "weird file")


def quoted_name(style: str) -> Field:
    """The name in a style of quoting; of a link, also where it leads."""

    def text(sh: Call, name: str, found: Stat) -> str:
        shown = written(name, style, False)
        if not found.is_link:
            return shown
        return f"{shown} -> {written(sh.fs.read_link(sh.path(name)), style, False)}"

    return text


def number(value: Callable[[Stat], int], base: int = 10) -> Field:
    return lambda sh, name, found: (value(found), base)


def moment(value: Callable[[Stat], int]) -> Field:
    """A time as a calendar and a clock show it."""

    def text(sh: Call, name: str, found: Stat) -> str:
        zone = zone_named(sh.env.get("TZ"))
        return formatted("%Y-%m-%d %H:%M:%S.%N %z", Moment(value(found), zone))

    return text


def file_fields(style: str) -> dict[str, Field]:
    """The fields of a file; `style` is how %N quotes."""
    return {
        "a": number(lambda found: found.mode & 0o7777, 8),
        "A": lambda sh, name, found: kinds.filemode(found.mode),
        "b": number(blocks_of),
        "B": number(lambda found: BLOCK),
        "C": lambda sh, name, found: "?",
        "d": number(lambda found: found.device),
        "D": number(lambda found: found.device, 16),
        "Hd": number(lambda found: halves(found.device)[0]),
        "Ld": number(lambda found: halves(found.device)[1]),
        "f": number(lambda found: found.mode, 16),
        "F": lambda sh, name, found: kind_of(found),
        "g": lambda sh, name, found: (Owners(sh).group_number(found), 10),
        "G": lambda sh, name, found: Owners(sh).group(found) or "UNKNOWN",
        "h": number(lambda found: found.links),
        "i": number(lambda found: found.inode),
        "m": lambda sh, name, found: mount_at(sh, name).point,
        "n": lambda sh, name, found: name,
        "N": quoted_name(style),
        "o": number(lambda found: BEST_READ),
        "s": number(lambda found: found.size),
        "r": number(lambda found: found.special),
        "R": number(lambda found: found.special, 16),
        "Hr": number(lambda found: halves(found.special)[0]),
        "Lr": number(lambda found: halves(found.special)[1]),
        "t": number(lambda found: halves(found.special)[0], 16),
        "T": number(lambda found: halves(found.special)[1], 16),
        "u": lambda sh, name, found: (Owners(sh).user_number(found), 10),
        "U": lambda sh, name, found: Owners(sh).user(found) or "UNKNOWN",
        "w": lambda sh, name, found: "-",
        "W": number(lambda found: 0, TIME),
        "x": moment(lambda found: found.accessed),
        "X": number(lambda found: found.accessed, TIME),
        "y": moment(lambda found: found.modified),
        "Y": number(lambda found: found.modified, TIME),
        "z": moment(lambda found: found.changed),
        "Z": number(lambda found: found.changed, TIME),
    }


def system_fields() -> dict[str, Field]:
    """The fields of a file system."""

    def blocks(which: str) -> Field:
        def value(sh: Call, name: str, found: Stat) -> tuple[int, int]:
            return (getattr(mount_at(sh, name).room(), which) or 0) // BEST_READ, 10

        return value

    def files(sh: Call, name: str, found: Stat) -> tuple[int, int]:
        return mount_at(sh, name).room().files or 0, 10

    def free_files(sh: Call, name: str, found: Stat) -> tuple[int, int]:
        room = mount_at(sh, name).room()
        return max((room.files or 0) - room.files_used, 0), 10

    return {
        "a": blocks("available"),
        "b": blocks("total"),
        "c": files,
        "d": free_files,
        "f": blocks("free"),
        "i": number(lambda found: found.device, 16),
        "l": number(lambda found: LONGEST_NAME),
        "n": lambda sh, name, found: name,
        "s": number(lambda found: BEST_READ),
        "S": number(lambda found: BEST_READ),
        "t": number(lambda found: 0, 16),
        "T": lambda sh, name, found: mount_at(sh, name).kind,
    }
