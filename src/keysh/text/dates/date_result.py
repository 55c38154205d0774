"""Combine the items of a date in words into a time."""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS, SECOND_NANOSECONDS, date_of, days_before
from keysh.text.dates.tokens import InvalidDate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.parts import DateParts
    from keysh.text.dates.time_zone import TimeZone

MAX_SECONDS = 1 << 62  # the largest distance from 1970
MAX_DAYS = 1 << 31  # the largest number of days, months or years to add
HOURS_A_DAY = 24


def resolve_date(parts: DateParts, zone: TimeZone) -> int:
    """Return the time in nanoseconds since 1970."""
    refuse_repeated_items(parts)
    hour, minute, second, nano = parts.time if parts.has_time else (0, 0, 0, 0)
    clock = hour * 3600 + minute * 60 + second
    summer = parts.is_summer
    if not (parts.is_dated or parts.counts["time"] or parts.counts["local"]):
        summer = parts.now.is_summer
    days, offset = base_day(parts, zone, summer, clock)
    local = days * DAY_SECONDS + clock
    refuse_far_dates(parts)
    added = parts.shift
    is_shifted = added["year"] or added["month"] or added["day"]
    date = shifted_date(parts, date_of(days)) if is_shifted else date_of(days)
    local = days_before(*date) * DAY_SECONDS + clock
    seconds = zone.seconds_at(local, summer, offset)
    if parts.counts["zone"]:
        wall_clock = local if summer is None else seconds + zone.offset_at(seconds)[0]
        seconds = wall_clock - parts.offset
    seconds += added["hour"] * 3600 + added["minute"] * 60 + added["second"]
    if abs(seconds) > MAX_SECONDS:
        raise InvalidDate
    return seconds * SECOND_NANOSECONDS + nano + added["nano"]


def refuse_repeated_items(parts: DateParts) -> None:
    """Refuse an item that is given twice, and an invalid hour."""
    seen = parts.counts
    zones = seen["zone"] + seen["local"]
    if max(seen["time"], seen["date"], seen["day"], zones) > 1:
        raise InvalidDate
    if parts.has_time and parts.time[0] >= HOURS_A_DAY:
        raise InvalidDate


def base_day(parts: DateParts, zone: TimeZone, summer: bool | None, clock: int) -> tuple[int, int]:
    """Return the day without relative items, counted from 1970, and the zone's offset on it."""
    year, month, day = parts.year, parts.date[1], parts.date[2]
    days = days_before(year, month, day)
    local = days * DAY_SECONDS + clock
    _, minute, second, _ = parts.time if parts.has_time else (0, 0, 0, 0)
    is_valid = date_of(days) == (year, month, day) and minute < 60 and second < 60
    seconds = zone.seconds_at(local, summer)
    offset = zone.offset_at(seconds)[0]
    if is_valid and not parts.counts["zone"]:
        is_valid = seconds + offset == local
    if not is_valid:
        raise InvalidDate
    if parts.counts["day"] and not parts.counts["date"]:
        weekday, ordinal = parts.day
        ahead = (weekday - (days + 4)) % 7
        days += ahead + 7 * (ordinal - (ordinal > 0 and ahead != 0))
    return days, offset


def refuse_far_dates(parts: DateParts) -> None:
    """Refuse relative items that are too large."""
    added = parts.shift
    sums = (added["year"], added["month"], added["day"], 7 * parts.day[1])
    if max(map(abs, sums)) >= MAX_DAYS:
        raise InvalidDate


def shifted_date(parts: DateParts, date: tuple[int, int, int]) -> tuple[int, int, int]:
    """Add the years, months and days; the result may be 31 February or day -3."""
    year, month, day = date
    added = parts.shift
    months = year * 12 + month - 1 + added["year"] * 12 + added["month"]
    return months // 12, months % 12 + 1, day + added["day"]
