"""Moment: a time as a calendar and a clock show it. Nanoseconds are counted from 1970-01-01."""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS, SECOND_NANOSECONDS, date_of, days_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import TimeZone


class Moment:
    """The parts of a time in a zone: month 1 to 12, weekday 0 for Sunday, yearday from 1."""

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
    """The year and the number of a week by ISO 8601: the first one holds the year's 4 January."""
    from_monday = (moment.weekday + 6) % 7
    thursday = days_before(moment.year, 1, moment.yearday) - from_monday + 3
    year = date_of(thursday)[0]
    return year, (thursday - days_before(year, 1, 1)) // 7 + 1
