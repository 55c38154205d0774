"""Entry: a file in a listing, what is known of it, and the orders that files are listed in."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.version_order import version_key
from keysh.text.chunks import encoded, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.vfs.api import Stat


class Entry:
    """A file. `path` is where it is, `target` the text of a link, `target_mode` what it leads to.

    `is_lost` says that it was to be followed and leads nowhere, so that nothing is known of it.
    """

    __slots__ = ("is_lost", "mode", "name", "path", "stat", "target", "target_mode")

    def __init__(self, name: str, path: str, stat: Stat) -> None:
        self.name, self.path, self.stat = name, path, stat
        self.mode = stat.mode
        self.target, self.is_lost = "", False
        self.target_mode: int | None = None

    @property
    def leads_to_folder(self) -> bool:
        """Whether it is a directory, or a link to one."""
        return kinds.S_ISDIR(self.mode) or kinds.S_ISDIR(self.target_mode or 0)


def extension(name: str) -> bytes:
    """A name's end from its last dot on."""
    at = name.rfind(".")
    return encoded(name[at:]) if at >= 0 else b""


def time_of(stat: Stat, which: str) -> int:
    """One of a file's times; of birth nothing is known, and the last change stands for it."""
    return int(getattr(stat, which if which != "birth" else "modified"))


def key_of(sort: str, time: str, width: Callable[[Entry], int]) -> Callable[[Entry], Any]:
    """What entries are sorted by."""
    if sort == "size":
        return lambda entry: (-entry.stat.size, encoded(entry.name))
    if sort == "time":
        return lambda entry: (-time_of(entry.stat, time), encoded(entry.name))
    if sort == "version":
        return lambda entry: (version_key(octets(entry.name)), encoded(entry.name))
    if sort == "extension":
        return lambda entry: (extension(entry.name), encoded(entry.name))
    if sort == "width":
        return lambda entry: (width(entry), encoded(entry.name))
    return lambda entry: encoded(entry.name)


def in_order(
    entries: list[Entry],
    sort: str,
    time: str,
    *,
    reverse: bool,
    folders_first: bool,
    width: Callable[[Entry], int],
) -> list[Entry]:
    """Entries as they are listed."""
    if sort != "none":
        entries.sort(key=key_of(sort, time, width), reverse=reverse)
        if folders_first:
            entries.sort(key=lambda entry: not entry.leads_to_folder)
    return entries
