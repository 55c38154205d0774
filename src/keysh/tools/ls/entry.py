"""The files of a listing and their sort orders."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.version_order import version_key
from keysh.text.chunks import bytes_of_text, octets_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.vfs.api import Stat


class LsEntry:
    """A file; `target` is the text of a link, `target_mode` the mode of its target.

    `is_dangling` marks a link that should be followed but has no target; nothing else is known.
    """

    __slots__ = ("is_dangling", "mode", "name", "path", "stat", "target", "target_mode")

    def __init__(self, name: str, path: str, stat: Stat) -> None:
        self.name, self.path, self.stat = name, path, stat
        self.mode = stat.mode
        self.target, self.is_dangling = "", False
        self.target_mode: int | None = None

    @property
    def leads_to_directory(self) -> bool:
        """Whether it is a directory or a link to one."""
        return kinds.S_ISDIR(self.mode) or kinds.S_ISDIR(self.target_mode or 0)


def name_extension(name: str) -> bytes:
    """Return the end of a name from its last dot."""
    dot = name.rfind(".")
    return bytes_of_text(name[dot:]) if dot >= 0 else b""


def entry_time(stat: Stat, which: str) -> int:
    """Return one of the times of a file; the unknown birth time is the modification time."""
    return int(getattr(stat, which if which != "birth" else "modified"))


def sort_key(sort: str, time: str, width: Callable[[LsEntry], int]) -> Callable[[LsEntry], Any]:
    """Return the sort key function."""
    if sort == "size":
        return lambda entry: (-entry.stat.size, bytes_of_text(entry.name))
    if sort == "time":
        return lambda entry: (-entry_time(entry.stat, time), bytes_of_text(entry.name))
    if sort == "version":
        return lambda entry: (version_key(octets_of_text(entry.name)), bytes_of_text(entry.name))
    if sort == "extension":
        return lambda entry: (name_extension(entry.name), bytes_of_text(entry.name))
    if sort == "width":
        return lambda entry: (width(entry), bytes_of_text(entry.name))
    return lambda entry: bytes_of_text(entry.name)


def sort_entries(
    entries: list[LsEntry],
    sort: str,
    time: str,
    *,
    reverse: bool,
    folders_first: bool,
    width: Callable[[LsEntry], int],
) -> list[LsEntry]:
    """Sort entries."""
    if sort != "none":
        entries.sort(key=sort_key(sort, time, width), reverse=reverse)
        if folders_first:
            entries.sort(key=lambda entry: not entry.leads_to_directory)
    return entries
