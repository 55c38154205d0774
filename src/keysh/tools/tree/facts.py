"""The details in brackets before a name."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import mode_digits
from keysh.gnu.owners import Owners
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.tools.tree.node import TreeNode

SIX_MONTHS_NANOSECONDS = 6 * 31 * 24 * 3600 * 10**9


class NodeFacts:
    """The details that the options select, in the order of tree."""

    __slots__ = ("_flags", "_owners", "_sh", "_time_format", "_zone")

    def __init__(self, sh: Call, flags: frozenset[str], form: str | None) -> None:
        self._sh, self._flags, self._time_format = sh, flags, form
        self._owners, self._zone = Owners(sh), find_zone(sh.env.get("TZ"))

    @property
    def shows_sizes(self) -> bool:
        return not self._flags.isdisjoint(("size", "human_readable", "si", "du"))

    def bracket(self, node: TreeNode) -> str:
        """Return `[drwxr-xr-x        4096]  `, or "" without details."""
        flags, stat = self._flags, node.stat
        facts = []
        if "inodes" in flags:
            facts.append(f"{stat.inode:7}")
        if "device" in flags:
            facts.append(f"{stat.device:3}")
        if "mode" in flags:
            facts.append(kinds.filemode(stat.mode))
        if "user" in flags:
            facts.append(f"{self.user(node)[:32]:8}")
        if "group" in flags:
            facts.append(f"{self.group(node)[:32]:8}")
        if self.shows_sizes:
            facts.append(self.size(node.size))
        if "date" in flags or self._time_format is not None:
            facts.append(self.time(node))
        return f"[{' '.join(facts)}]  " if facts else ""

    def size(self, size: int) -> str:
        """Return a size in the chosen unit."""
        if "si" in self._flags:
            return rounded_size(size, 1000)
        return rounded_size(size, 1024) if "human_readable" in self._flags else f"{size:11}"

    def user(self, node: TreeNode) -> str:
        return self._owners.user(node.stat) or str(self._owners.user_number(node.stat))

    def group(self, node: TreeNode) -> str:
        return self._owners.group(node.stat) or str(self._owners.group_number(node.stat))

    def time(self, node: TreeNode) -> str:
        """Return the modification time, or with -c the time of the status change."""
        stat, now = node.stat, self._sh.now()
        time = stat.changed if "by_change" in self._flags else stat.modified
        is_recent = now - SIX_MONTHS_NANOSECONDS <= time <= now
        form = (
            self._time_format
            if self._time_format is not None
            else "%b %e %R"
            if is_recent
            else "%b %e  %Y"
        )
        return format_moment(form, Moment(time, self._zone))

    def fields(self, node: TreeNode) -> dict[str, object]:
        """Return the details for -J under tree's keys."""
        flags, row = self._flags, dict[str, object]()
        if "inodes" in flags:
            row["inode"] = node.stat.inode
        if "device" in flags:
            row["dev"] = node.stat.device
        if "mode" in flags:
            row["mode"] = mode_digits(node.stat.mode)
            row["prot"] = kinds.filemode(node.stat.mode)
        if "user" in flags:
            row["user"] = self.user(node)
        if "group" in flags:
            row["group"] = self.group(node)
        if self.shows_sizes:
            is_text = not flags.isdisjoint(("human_readable", "si"))
            row["size"] = self.size(node.size).strip() if is_text else node.size
        if "date" in flags or self._time_format is not None:
            row["time"] = self.time(node)
        return row


def rounded_size(size: int, base: int) -> str:
    """Return a size with its unit, rounded to nearest (du and ls round up)."""
    power = int(size >= base)
    while size >= base * base:
        size //= base
        power += 1
    if not power:
        return f"{size:4}"
    letter = "k" if base == 1000 and power == 1 else " KMGTPEZY"[power]
    return f"{size / base:3.{0 if size >= 10 * base else 1}f}{letter}"
