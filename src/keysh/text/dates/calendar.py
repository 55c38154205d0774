"""Calendar: days, months and years. It is Gregorian, without end; days count from 1970-01-01."""

from __future__ import annotations

DAY_SECONDS = 86400
SECOND_NANOSECONDS = 10**9  # in nanoseconds
CYCLE_DAYS = 146097  # days of 400 years, after which the calendar begins anew, on the same weekday


def days_before(year: int, month: int, day: int) -> int:
    """The days from 1970-01-01 to a date. A month or a day too many leads on into the next."""
    years, month = divmod(month - 1, 12)
    # Counted from March, so that the leap day is a year's last.
    year += years - (month < 2)
    from_march = (month + 10) % 12
    cycle, year = divmod(year, 400)
    in_year = (153 * from_march + 2) // 5 + day - 1
    return cycle * CYCLE_DAYS + year * 365 + year // 4 - year // 100 + in_year - 719468


def date_of(days: int) -> tuple[int, int, int]:
    """The year, month and day that a count of days leads to."""
    cycle, day = divmod(days + 719468, CYCLE_DAYS)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    in_year = day - (365 * year + year // 4 - year // 100)
    from_march = (5 * in_year + 2) // 153
    month = (from_march + 2) % 12 + 1
    return cycle * 400 + year + (month < 3), month, in_year - (153 * from_march + 2) // 5 + 1
