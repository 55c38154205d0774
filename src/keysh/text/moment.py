"""Moment: a time as a calendar and a clock show it. The calendar is Gregorian, without end.

Days are counted from 1970-01-01, as seconds and nanoseconds are.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.time_zone import Zone

DAY = 86400
SECOND = 10**9  # in nanoseconds
CYCLE = 146097  # days of 400 years, after which the calendar begins anew, on the same weekday


class Moment:
    """The parts of a time in a zone: month 1 to 12, weekday 0 for Sunday, yearday from 1."""

    __slots__ = (
        "day", "hour", "is_summer", "minute", "month", "nanosecond", "offset", "second", "seconds",
        "weekday", "year", "yearday", "zone",
    )  # fmt: skip

    def __init__(self, nanoseconds: int, zone: Zone) -> None:
        self.seconds, self.nanosecond = divmod(nanoseconds, SECOND)
        self.offset, self.zone, self.is_summer = zone.at(self.seconds)
        days, rest = divmod(self.seconds + self.offset, DAY)
        self.hour, rest = divmod(rest, 3600)
        self.minute, self.second = divmod(rest, 60)
        self.year, self.month, self.day = date_of(days)
        self.weekday = (days + 4) % 7
        self.yearday = days - days_before(self.year, 1, 1) + 1


def days_before(year: int, month: int, day: int) -> int:
    """The days from 1970-01-01 to a date. A month or a day too many leads on into the next."""
    years, month = divmod(month - 1, 12)
    # Counted from March, so that the leap day is a year's last.
    year += years - (month < 2)
    from_march = (month + 10) % 12
    cycle, year = divmod(year, 400)
    in_year = (153 * from_march + 2) // 5 + day - 1
    return cycle * CYCLE + year * 365 + year // 4 - year // 100 + in_year - 719468


def date_of(days: int) -> tuple[int, int, int]:
    """The year, month and day that a count of days leads to."""
    cycle, day = divmod(days + 719468, CYCLE)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    in_year = day - (365 * year + year // 4 - year // 100)
    from_march = (5 * in_year + 2) // 153
    month = (from_march + 2) % 12 + 1
    return cycle * 400 + year + (month < 3), month, in_year - (153 * from_march + 2) // 5 + 1


def week_of(moment: Moment) -> tuple[int, int]:
    """The year and the number of a week by ISO 8601: the first one holds the year's 4 January."""
    from_monday = (moment.weekday + 6) % 7
    thursday = days_before(moment.year, 1, moment.yearday) - from_monday + 3
    year = date_of(thursday)[0]
    return year, (thursday - days_before(year, 1, 1)) // 7 + 1
