"""Moment: a time in a zone, split into calendar and clock."""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS, SECOND_NANOSECONDS, date_of, days_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import TimeZone


class Moment:
    """A time in a zone. Months and days of the year count from 1, weekdays from 0 for Sunday."""

    __slots__ = (
        "day", "hour", "is_summer", "minute", "month", "nanosecond", "offset", "second", "seconds",
        "weekday", "year", "yearday", "zone",
    )  # fmt: skip

    def __init__(self, nanoseconds: int, zone: TimeZone) -> None:
        self.seconds, self.nanosecond = divmod(nanoseconds, SECOND_NANOSECONDS)
        self.offset, self.zone, self.is_summer = zone.offset_at(self.seconds)
        days, rest = divmod(self.seconds + self.offset, DAY_SECONDS)
        self.hour, rest = divmod(rest, 3600)
        self.minute, self.second = divmod(rest, 60)
        self.year, self.month, self.day = date_of(days)
        self.weekday = (days + 4) % 7
        self.yearday = days - days_before(self.year, 1, 1) + 1


def week_of(moment: Moment) -> tuple[int, int]:
    """Return the ISO 8601 year and week; the first week contains 4 January."""
    from_monday = (moment.weekday + 6) % 7
    thursday = days_before(moment.year, 1, moment.yearday) - from_monday + 3
    year = date_of(thursday)[0]
    return year, (thursday - days_before(year, 1, 1)) // 7 + 1
