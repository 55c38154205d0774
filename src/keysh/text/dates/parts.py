"""The items of a date in words, before they are combined into a time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.moment import Moment

ITEM_KINDS = ("time", "date", "day", "zone", "local")
SHIFT_UNITS = ("year", "month", "day", "hour", "minute", "second", "nano")


class DateParts:
    """The items read so far; missing ones are those of the current time.

    `counts` is the number of items of each kind, `shift` the sum of the relative items. An invalid
    hour is kept: it is refused when the date is resolved.
    """

    __slots__ = (
        "counts", "date", "day", "is_summer", "now", "offset", "shift", "time", "year_digits",
    )  # fmt: skip

    def __init__(self, now: Moment) -> None:
        self.now = now
        self.date = [now.year, now.month, now.day]
        self.year_digits = 0
        self.time = (now.hour, now.minute, now.second, now.nanosecond)
        self.day = (0, 0)  # the weekday, and its ordinal: 1 in `next friday`
        self.is_summer: bool | None = None
        self.offset = 0
        self.shift = dict.fromkeys(SHIFT_UNITS, 0)
        self.counts = dict.fromkeys((*ITEM_KINDS, "added"), 0)

    @property
    def is_dated(self) -> bool:
        return bool(self.counts["date"] or self.counts["day"])

    @property
    def has_time(self) -> bool:
        """Whether the time of day is given or is the current one; otherwise it is midnight."""
        return bool(self.counts["time"] or (self.counts["added"] and not self.is_dated))

    @property
    def year(self) -> int:
        """The year; one of two digits is between 1969 and 2068."""
        year = self.date[0]
        if self.year_digits == 2:
            year += 2000 if year < 69 else 1900
        return year
