"""Time zones, by the value of `TZ`: the offset from UTC at any time.

A name is one of the machine's time zones (`Europe/Berlin`) or a POSIX rule (`CET-1`,
`EST5EDT,M3.2.0,M11.1.0`). An empty or unknown name means UTC.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from keysh.text.dates.calendar import CYCLE_DAYS, DAY_SECONDS

POSIX_RULE = re.compile(r"(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?\d{1,2}(?::\d\d){0,2}.*")
ZONE_LETTERS = re.compile(r"[A-Za-z]{3,}")
DATETIME_SECONDS = range(-62_000_000_000, 253_000_000_000)  # the range of `datetime`
MAX_ZONE_NAME = 255
ZONES_OF_THE_MACHINE = ("localtime", "posixrules")  # links that say where the machine is
PROBE_SECONDS, MAX_PROBES = 601_200, 45  # glibc's search for summer time or standard time
MAX_OFFSET_TRIES = 4  # a skipped local time would alternate between two offsets forever


class TimeZone:
    """A time zone. `offset_at` is a function of UTC: every UTC time is some local time, but a local
    time may be two UTC times or none.
    """

    __slots__ = ("_info", "_name")

    def __init__(self, name: str = "UTC", info: tzinfo | None = None) -> None:
        self._name, self._info = name, info

    def offset_at(self, seconds: int) -> tuple[int, str, bool]:
        """Return the seconds east of UTC, the zone's name, and whether it is summer time."""
        if self._info is None:
            return 0, self._name, False
        if seconds >= DATETIME_SECONDS.stop:  # future rules repeat with the calendar
            cycle = CYCLE_DAYS * DAY_SECONDS
            seconds -= (seconds - DATETIME_SECONDS.stop) // cycle * cycle + cycle
        seconds = max(seconds, DATETIME_SECONDS.start)
        local = datetime.fromtimestamp(seconds, self._info)
        offset = local.utcoffset() or timedelta()
        return offset.days * DAY_SECONDS + offset.seconds, local.tzname() or "", bool(local.dst())

    def seconds_at(self, local: int, is_summer: bool | None = None, guess: int = 0) -> int:
        """Return the UTC time for a local time in seconds.

        If there are two, it is the one that glibc finds: it starts with a guessed offset and
        corrects it until the clocks show the time. A skipped time is read with the offset before.
        The caller may guess an offset, and may know whether it is summer time, which then holds all
        year.
        """
        if self._info is None:
            return local
        if is_summer is not None:
            return self._seconds_when(local, is_summer)
        offset = guess
        for _ in range(MAX_OFFSET_TRIES):
            previous, (offset, _, _) = offset, self.offset_at(local - offset)
            if offset == previous:
                return local - offset
        return local - self.offset_at(local - DAY_SECONDS)[0]

    def _seconds_when(self, local: int, is_summer: bool) -> int:
        """Return the UTC time for a local time in summer time or standard time."""
        for offset, _, _ in (
            self.offset_at(local - DAY_SECONDS),
            self.offset_at(local + DAY_SECONDS),
        ):
            actual, _, was_summer = self.offset_at(local - offset)
            if actual == offset and was_summer == is_summer:
                return local - offset
        return local - self._offset_when(local, is_summer)

    def _offset_when(self, local: int, is_summer: bool) -> int:
        """Return the offset at the nearest time with or without summer time."""
        for distance in range(PROBE_SECONDS, PROBE_SECONDS * MAX_PROBES, PROBE_SECONDS):
            for near in (local - distance, local + distance):
                offset, _, has_summer = self.offset_at(near)
                if has_summer == is_summer:
                    return offset
        return self.offset_at(local)[0]


UTC_ZONE = TimeZone()


def find_zone(name: str | None) -> TimeZone:
    """Return the zone for a value of TZ."""
    name = (name or "").removeprefix(":")
    if name in ("", "UTC", "UTC0", "GMT", "GMT0") or len(name) > MAX_ZONE_NAME:
        return TimeZone(name.rstrip("0") if name[3:] == "0" else name or "UTC")
    if name.rpartition("/")[2] in ZONES_OF_THE_MACHINE:
        return UTC_ZONE
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - most scripts use UTC

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
    """Build a zone from a POSIX rule, by way of a zone file that contains nothing else."""
    from io import BytesIO  # noqa: PLC0415 - few zones are rules
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - few zones are rules

    if "," not in rule and ZONE_LETTERS.search(rule.partition(">")[2] or rule.lstrip("<>+-")[3:]):
        rule += ",M3.2.0,M11.1.0"  # glibc's default for a rule without dates
    counts = bytes.fromhex("00000000 00000000 00000000 00000000 00000001 00000004")
    block = b"TZif2" + bytes(15) + counts + bytes(6) + b"UTC\0"
    return ZoneInfo.from_file(BytesIO(block * 2 + b"\n" + rule.encode("ascii") + b"\n"))
