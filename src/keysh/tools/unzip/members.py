"""Names, times and modes of members, and which of them are selected."""

from __future__ import annotations

import stat as kinds

from keysh.archive.zip import UTF8_NAME
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.calendar import days_before
from keysh.text.dates.moment import Moment
from keysh.text.pattern import name_matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.archive.zip import ZipEntry
    from keysh.text.dates.time_zone import TimeZone
    from keysh.text.pattern import NameMatcher

HOST_DOS = 0  # its archives have names in code page 437
CARETS = {code: f"^{chr(code ^ 64)}" for code in (*range(32), 127)}
SECOND, DAY = 1_000_000_000, 86_400


def entry_name(entry: ZipEntry) -> str:
    """Return a member's name."""
    if entry.made_by >> 8 == HOST_DOS and not entry.flags & UTF8_NAME:
        return entry.name.decode("cp437").replace("\\", "/")
    return text_of_bytes(entry.name)


def printable_entry_name(entry: ZipEntry) -> str:
    """Return a member's name, made safe for a terminal."""
    return caret_escaped(entry_name(entry))


def caret_escaped(name: str) -> str:
    """Return a name with control characters in caret notation."""
    return name.translate(CARETS)


def padded_name(name: str) -> str:
    """Pad a name to 22 bytes."""
    return name + " " * (22 - len(bytes_of_text(name)))


def visible_comment(text: str) -> str:
    """Return a comment with control characters in caret notation, except newlines."""
    return "\n".join(line.translate(CARETS) for line in text.rstrip("\n").split("\n"))


def modified_nanoseconds(entry: ZipEntry, zone: TimeZone) -> int:
    """Return a member's time in nanoseconds. A DOS time is in the local zone."""
    if entry.modified is not None:
        return entry.modified * SECOND
    year, month, day, hour, minute, second = entry.dos_time
    days = days_before(year, min(max(month, 1), 12), max(day, 1))
    return zone.seconds_at(days * DAY + hour * 3600 + minute * 60 + second) * SECOND


def modified_moment(entry: ZipEntry, zone: TimeZone) -> Moment:
    """Return a member's time as a moment."""
    return Moment(modified_nanoseconds(entry, zone), zone)


def permissions(entry: ZipEntry, umask: int, *, lends: bool = False) -> int:
    """Return the mode for a file; set-ID and sticky bits only if `lends`."""
    mode = entry.mode & (0o7777 if lends else 0o777)
    if kinds.S_IFMT(entry.mode) or mode:
        return mode
    return (0o777 if entry.is_directory else 0o666) & ~umask


class MemberSelection:
    """Selects members by patterns, and remembers which patterns matched nothing."""

    __slots__ = (
        "_excluded",
        "_ignores_case",
        "_idle",
        "_missing",
        "_stops_at_slashes",
        "_selected",
        "_tick",
    )

    def __init__(
        self, names: Sequence[str], excluded: Sequence[str], *, ignores_case: bool,
        stops_at_slashes: bool, tick: Callable[[], object],
    ) -> None:  # fmt: skip
        self._ignores_case, self._stops_at_slashes = ignores_case, stops_at_slashes
        self._tick = tick
        self._selected = [(text, self._matcher(text)) for text in names]
        self._excluded = [(text, self._matcher(text)) for text in excluded]
        self._missing, self._idle = dict.fromkeys(names), dict.fromkeys(excluded)

    def _matcher(self, text: str) -> NameMatcher:
        return name_matcher(text, self._tick, ignore_case=self._ignores_case)

    def _fits(self, matches: NameMatcher, text: str, name: str) -> bool:
        if self._stops_at_slashes and "**" not in text and text.count("/") != name.count("/"):
            return False
        return matches(name)

    def takes(self, name: str) -> bool:
        """Whether a member is selected."""
        is_selected = not self._selected
        for text, matches in self._selected:
            if self._fits(matches, text, name):
                self._missing.pop(text, None)
                is_selected = True
        for text, matches in self._excluded if is_selected else ():
            if self._fits(matches, text, name):
                self._idle.pop(text, None)
                is_selected = False
        return is_selected

    def unmatched_names(self) -> list[str]:
        """Return the patterns that matched no member."""
        return [*self._missing]

    def unmatched_exclusions(self) -> list[str]:
        """Return the exclusion patterns that matched no member."""
        return [*self._idle]
