"""Zone: the offset from UTC that holds at a time, by the name that `TZ` has.

A name is one of the machine's time zones (`Europe/Berlin`) or a rule as POSIX writes it (`CET-1`,
`EST5EDT,M3.2.0,M11.1.0`). Without a name, and with one that means nothing, it is UTC.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from keysh.text.dates.calendar import CYCLE_DAYS, DAY_SECONDS

POSIX_RULE = re.compile(r"(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?\d{1,2}(?::\d\d){0,2}.*")
ZONE_LETTERS = re.compile(r"[A-Za-z]{3,}")
DATETIME_SECONDS = range(-62_000_000_000, 253_000_000_000)  # the seconds that `datetime` can hold
MAX_ZONE_NAME = 255
PROBE_SECONDS, MAX_PROBES = (
    601_200,
    45,
)  # how glibc looks for a time of summer, or for one that is not
MAX_OFFSET_TRIES = (
    4  # more are needed only where the clocks skip a time: between two offsets there is no end
)


class TimeZone:
    """A time zone. `at` is a function of the seconds since 1970, so every time is some local one,
    but a local time may be two times or none.
    """

    __slots__ = ("_info", "_name")

    def __init__(self, name: str = "UTC", info: tzinfo | None = None) -> None:
        self._name, self._info = name, info

    def offset_at(self, seconds: int) -> tuple[int, str, bool]:
        """The seconds east of UTC, the name, and whether it is summer time."""
        if self._info is None:
            return 0, self._name, False
        if (
            seconds >= DATETIME_SECONDS.stop
        ):  # rules repeat with the calendar; those of the past do not
            seconds -= (seconds - DATETIME_SECONDS.stop) // (
                CYCLE_DAYS * DAY_SECONDS
            ) * CYCLE_DAYS * DAY_SECONDS + CYCLE_DAYS * DAY_SECONDS
        seconds = max(seconds, DATETIME_SECONDS.start)
        here = datetime.fromtimestamp(seconds, self._info)
        offset = here.utcoffset() or timedelta()
        return offset.days * DAY_SECONDS + offset.seconds, here.tzname() or "", bool(here.dst())

    def seconds_at(self, local: int, is_summer: bool | None = None, guess: int = 0) -> int:
        """The time at which the zone's clocks show a local time, in seconds of their own.

        Of two it is the one that glibc comes upon: it goes by the offset of a time guessed first,
        and so on until the clocks show what is wanted. Where they skip it, it is what they would
        have shown. The caller may guess an offset, and may know that it is summer time or that it
        is not; then it is taken so all year.
        """
        if self._info is None:
            return local
        if is_summer is not None:
            return self._seconds_when(local, is_summer)
        offset = guess
        for _ in range(MAX_OFFSET_TRIES):
            before, (offset, _, _) = offset, self.offset_at(local - offset)
            if offset == before:
                return local - offset
        return local - self.offset_at(local - DAY_SECONDS)[0]

    def _seconds_when(self, local: int, is_summer: bool) -> int:
        """The time at which the clocks show a local time of summer, or of another season."""
        for offset, _, _ in (
            self.offset_at(local - DAY_SECONDS),
            self.offset_at(local + DAY_SECONDS),
        ):
            found, _, was_summer = self.offset_at(local - offset)
            if found == offset and was_summer == is_summer:
                return local - offset
        return local - self._offset_when(local, is_summer)

    def _offset_when(self, local: int, is_summer: bool) -> int:
        """The offset at the nearest time that is summer, or is not."""
        for distance in range(PROBE_SECONDS, PROBE_SECONDS * MAX_PROBES, PROBE_SECONDS):
            for near in (local - distance, local + distance):
                offset, _, found = self.offset_at(near)
                if found == is_summer:
                    return offset
        return self.offset_at(local)[0]


def find_zone(name: str | None) -> TimeZone:
    """The zone that a value of TZ means."""
    name = (name or "").removeprefix(":")
    if name in ("", "UTC", "UTC0", "GMT", "GMT0") or len(name) > MAX_ZONE_NAME:
        return TimeZone(name.rstrip("0") if name[3:] == "0" else name or "UTC")
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - most scripts tell the time in UTC

    try:
        return TimeZone(name, ZoneInfo(name))
    except (KeyError, OSError, ValueError):
        pass
    if POSIX_RULE.fullmatch(name):
        try:
            return TimeZone(name, zone_from_rule(name))
        except (KeyError, OSError, ValueError):
            pass
    letters = ZONE_LETTERS.match(name)
    return TimeZone(letters[0] if letters else "UTC")


def zone_from_rule(rule: str) -> tzinfo:
    """A zone by POSIX's rule, which is how a file of time zones ends: the rest of it is empty."""
    from io import BytesIO  # noqa: PLC0415 - few zones have rules of their own
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - as above

    if "," not in rule and ZONE_LETTERS.search(rule.partition(">")[2] or rule.lstrip("<>+-")[3:]):
        rule += ",M3.2.0,M11.1.0"  # what glibc takes where a rule names a summer time and no dates
    counts = bytes.fromhex("00000000 00000000 00000000 00000000 00000001 00000004")
    block = b"TZif2" + bytes(15) + counts + bytes(6) + b"UTC\0"
    return ZoneInfo.from_file(BytesIO(block * 2 + b"\n" + rule.encode("ascii") + b"\n"))


UTC_ZONE = TimeZone()
