"""Members: their names, times and modes as text, and which of them are asked for."""

from __future__ import annotations

import stat as kinds

from keysh.archive.zip import UTF8_NAME
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.calendar import days_before
from keysh.text.dates.moment import Moment
from keysh.text.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.archive.zip import ZipEntry
    from keysh.text.dates.time_zone import TimeZone

HOST_DOS = 0  # the system whose archives have names in its own alphabet
CARETS = {code: f"^{chr(code ^ 64)}" for code in (*range(32), 127)}
SECOND, DAY = 1_000_000_000, 86_400


def entry_name(entry: ZipEntry) -> str:
    """A member's name."""
    if entry.made_by >> 8 == HOST_DOS and not entry.flags & UTF8_NAME:
        return entry.name.decode("cp437").replace("\\", "/")
    return text_of_bytes(entry.name)


def printable_entry_name(entry: ZipEntry) -> str:
    """A member's name as it is printed, so that no terminal obeys it."""
    return caret_escaped(entry_name(entry))


def caret_escaped(name: str) -> str:
    """A name without characters that a terminal obeys."""
    return name.translate(CARETS)


def padded_name(name: str) -> str:
    """A name with blanks up to 22 bytes."""
    return name + " " * (22 - len(bytes_of_text(name)))


def visible_comment(text: str) -> str:
    """Lines of an archive's author, so that no terminal obeys them."""
    return "\n".join(line.translate(CARETS) for line in text.rstrip("\n").split("\n"))


def modified_nanoseconds(entry: ZipEntry, zone: TimeZone) -> int:
    """A member's time in nanoseconds; DOS's is that of the zone."""
    if entry.modified is not None:
        return entry.modified * SECOND
    year, month, day, hour, minute, second = entry.dos_time
    days = days_before(year, min(max(month, 1), 12), max(day, 1))
    return zone.seconds_at(days * DAY + hour * 3600 + minute * 60 + second) * SECOND


def modified_moment(entry: ZipEntry, zone: TimeZone) -> Moment:
    """A member's time as a calendar shows it."""
    return Moment(modified_nanoseconds(entry, zone), zone)


def permissions(entry: ZipEntry, umask: int, *, lends: bool = False) -> int:
    """The mode that a file gets; only if it `lends` with the bits that lend a user's rights."""
    mode = entry.mode & (0o7777 if lends else 0o777)
    if kinds.S_IFMT(entry.mode) or mode:
        return mode
    return (0o777 if entry.is_directory else 0o666) & ~umask


class MemberSelection:
    """Which members are asked for, by patterns; and which of the patterns have matched none."""

    __slots__ = ("_excluded", "_ignores_case", "_idle", "_missing", "_stops_at_slashes", "_wanted")

    def __init__(
        self, wanted: Sequence[str], excluded: Sequence[str], *, ignores_case: bool,
        stops_at_slashes: bool,
    ) -> None:  # fmt: skip
        self._ignores_case, self._stops_at_slashes = ignores_case, stops_at_slashes
        self._wanted = [(text, self._pattern(text)) for text in wanted]
        self._excluded = [(text, self._pattern(text)) for text in excluded]
        self._missing, self._idle = dict.fromkeys(wanted), dict.fromkeys(excluded)

    def _pattern(self, text: str) -> Pattern:
        return Pattern(text, extended=False, ignore_case=self._ignores_case)

    def _fits(self, pattern: Pattern, text: str, name: str) -> bool:
        if self._stops_at_slashes and "**" not in text and text.count("/") != name.count("/"):
            return False
        return pattern.matches(name)

    def takes(self, name: str) -> bool:
        """Whether a member is asked for."""
        is_wanted = not self._wanted
        for text, pattern in self._wanted:
            if self._fits(pattern, text, name):
                self._missing.pop(text, None)
                is_wanted = True
        for text, pattern in self._excluded if is_wanted else ():
            if self._fits(pattern, text, name):
                self._idle.pop(text, None)
                is_wanted = False
        return is_wanted

    def unmatched_names(self) -> list[str]:
        """The patterns that no member matches."""
        return [*self._missing]

    def unmatched_exclusions(self) -> list[str]:
        """The patterns that left no member out."""
        return [*self._idle]
