"""The time that a date in words means, worked out of what it has said."""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS, SECOND_NANOSECONDS, date_of, days_before
from keysh.text.dates.tokens import InvalidDate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.parts import DateParts
    from keysh.text.dates.time_zone import TimeZone

MAX_SECONDS = 1 << 62  # a later moment is not a date
MAX_DAYS = 1 << 31  # the same for a number of days, months or years
HOURS_A_DAY = 24


def resolve_date(said: DateParts, zone: TimeZone) -> int:
    """The time in nanoseconds since 1970."""
    refuse_repeated_items(said)
    hour, minute, second, nano = said.time if said.has_time else (0, 0, 0, 0)
    clock = hour * 3600 + minute * 60 + second
    summer = said.is_summer
    if not (said.is_dated or said.counts["time"] or said.counts["local"]):
        summer = said.now.is_summer
    days, offset = base_day(said, zone, summer, clock)
    local = days * DAY_SECONDS + clock
    refuse_far_dates(said)
    added = said.shift
    is_shifted = added["year"] or added["month"] or added["day"]
    date = shifted_date(said, date_of(days)) if is_shifted else date_of(days)
    local = days_before(*date) * DAY_SECONDS + clock
    seconds = zone.seconds_at(local, summer, offset)
    if said.counts["zone"]:
        shown = local if summer is None else seconds + zone.offset_at(seconds)[0]
        seconds = shown - said.offset
    late = seconds + added["hour"] * 3600 + added["minute"] * 60 + added["second"]
    if abs(late) > MAX_SECONDS:
        raise InvalidDate
    return late * SECOND_NANOSECONDS + nano + added["nano"]


def refuse_repeated_items(said: DateParts) -> None:
    """See that each item is there but once, and that the hour is one."""
    seen = said.counts
    zones = seen["zone"] + seen["local"]
    if max(seen["time"], seen["date"], seen["day"], zones) > 1:
        raise InvalidDate
    if said.has_time and said.time[0] >= HOURS_A_DAY:
        raise InvalidDate


def base_day(said: DateParts, zone: TimeZone, summer: bool | None, clock: int) -> tuple[int, int]:
    """The day that is said, counted from 1970, without what is to be added; the offset on it."""
    year, month, day = said.year, said.date[1], said.date[2]
    days = days_before(year, month, day)
    local = days * DAY_SECONDS + clock
    _, minute, second, _ = said.time if said.has_time else (0, 0, 0, 0)
    is_there = date_of(days) == (year, month, day) and minute < 60 and second < 60
    seconds = zone.seconds_at(local, summer)
    offset = zone.offset_at(seconds)[0]
    if is_there and not said.counts["zone"]:
        is_there = seconds + offset == local
    if not is_there:
        raise InvalidDate
    if said.counts["day"] and not said.counts["date"]:
        weekday, ordinal = said.day
        ahead = (weekday - (days + 4)) % 7
        days += ahead + 7 * (ordinal - (ordinal > 0 and ahead != 0))
    return days, offset


def refuse_far_dates(said: DateParts) -> None:
    """See that no more days are added than there are."""
    added = said.shift
    parts = (added["year"], added["month"], added["day"], 7 * said.day[1])
    if max(map(abs, parts)) >= MAX_DAYS:
        raise InvalidDate


def shifted_date(said: DateParts, date: tuple[int, int, int]) -> tuple[int, int, int]:
    """A date with the years, months and days that are to be added; no calendar may have it."""
    year, month, day = date
    added = said.shift
    months = year * 12 + month - 1 + added["year"] * 12 + added["month"]
    return months // 12, months % 12 + 1, day + added["day"]
