"""List members: as lines for -t and -v, and as rows of JSON."""

from __future__ import annotations

import stat as kinds

from keysh.archive import tar_reader as tar
from keysh.gnu.file_facts import iso_time
from keysh.text.chunks import text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE, find_zone
from keysh.tools.tar.safe_names import TARGETS, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.archive.tar_reader import TarMember
    from keysh.interp.state.call import Call
    from keysh.tools.tar.safe_names import SafeNames
    from keysh.tools.tar.settings import TarSettings

TYPE_LETTERS = {
    tar.DIRECTORY: "d", tar.LINK: "h", tar.SYMLINK: "l", tar.FIFO: "p", tar.CHARACTER: "c",
    tar.DEVICE: "b",
}  # fmt: skip
TYPE_NAMES = {
    tar.DIRECTORY: "directory", tar.LINK: "hard link", tar.SYMLINK: "link", tar.FIFO: "fifo",
    tar.CHARACTER: "character device", tar.DEVICE: "block device",
}  # fmt: skip
MIN_OWNER_SIZE_WIDTH = 19  # of owner, group and size together
SECOND = 1_000_000_000


def name_text(name: bytes) -> str:
    """Decode a name from an archive."""
    return text_of_bytes(name)


class MemberListing:
    """Formats members. The columns grow with their widest value."""

    __slots__ = ("_full", "_numeric", "_safety", "_time_width", "_width", "_zone")

    def __init__(self, sh: Call, settings: TarSettings, safety: SafeNames) -> None:
        self._width, self._time_width = MIN_OWNER_SIZE_WIDTH, 0
        self._numeric, self._full = settings.has("numeric_owner"), settings.has("full_time")
        self._zone = UTC_ZONE if settings.has("utc") else find_zone(sh.env.get("TZ"))
        self._safety = safety

    def line(self, member: TarMember, name: str, *, is_long: bool) -> str:
        """Return a member's line."""
        shown = shown_name(name)
        if not is_long:
            return f"{shown}\n"
        owner = name_text(member.owner) if not self._numeric else ""
        group = name_text(member.group) if not self._numeric else ""
        whose = f"{owner or member.owner_number}/{group or member.group_number}"
        size = str(member.size)
        if member.kind in (tar.CHARACTER, tar.DEVICE):
            size = f"{member.major},{member.minor}"
        self._width = max(self._width, len(whose) + 1 + len(size))
        letter = "d" if member.is_directory else TYPE_LETTERS.get(member.kind, "-")
        mode = letter + kinds.filemode(kinds.S_IFREG | member.mode)[1:]
        space = self._width - len(whose)
        return f"{mode} {whose}{size:>{space}} {self._time(member)} {shown}{self._tail(member)}\n"

    def _time(self, member: TarMember) -> str:
        pattern = "%Y-%m-%d %H:%M:%S" if self._full else "%Y-%m-%d %H:%M"
        fraction = member.modified % SECOND
        tail = f".{fraction:09d}".rstrip("0") if self._full and fraction else ""
        shown = format_moment(pattern, Moment(member.modified, self._zone)) + tail
        self._time_width = max(self._time_width, len(shown))
        return shown.ljust(self._time_width)

    def _tail(self, member: TarMember) -> str:
        link = name_text(member.link)
        if member.kind == tar.SYMLINK:
            return f" -> {shown_name(link)}"
        if member.kind == tar.LINK:
            return f" link to {shown_name(self._safety.inside(link, TARGETS))}"
        return ""

    def row(self, member: TarMember, name: str) -> dict[str, object]:
        """Return a member as a record."""
        row: dict[str, object] = {
            "name": name,
            "type": "directory" if member.is_directory else TYPE_NAMES.get(member.kind, "file"),
            "size": member.size,
            "mode": f"{member.mode:04o}",
            "owner": name_text(member.owner) or member.owner_number,
            "group": name_text(member.group) or member.group_number,
            "modified": iso_time(member.modified),
        }
        if member.link:
            row["target"] = name_text(member.link)
        return row
