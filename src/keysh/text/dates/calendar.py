"""The proleptic Gregorian calendar. Days count from 1970-01-01."""

from __future__ import annotations

DAY_SECONDS = 86400
SECOND_NANOSECONDS = 10**9
CYCLE_DAYS = 146097  # 400 years, after which the calendar repeats, weekdays included


def days_before(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a date. Excess months and days carry over."""
    years, month = divmod(month - 1, 12)
    # Count from March, so that the leap day comes last.
    year += years - (month < 2)
    from_march = (month + 10) % 12
    cycle, year = divmod(year, 400)
    in_year = (153 * from_march + 2) // 5 + day - 1
    return cycle * CYCLE_DAYS + year * 365 + year // 4 - year // 100 + in_year - 719468


def date_of(days: int) -> tuple[int, int, int]:
    """Return the year, month and day for a number of days."""
    cycle, day = divmod(days + 719468, CYCLE_DAYS)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    in_year = day - (365 * year + year // 4 - year // 100)
    from_march = (5 * in_year + 2) // 153
    month = (from_march + 2) % 12 + 1
    return cycle * 400 + year + (month < 3), month, in_year - (153 * from_march + 2) // 5 + 1
