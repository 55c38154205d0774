"""The parts of a parsed date, before they are resolved to a time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.moment import Moment

ITEM_KINDS = ("time", "date", "day", "zone", "local")
SHIFT_UNITS = ("year", "month", "day", "hour", "minute", "second", "nano")


class DateParts:
    """The parts; those that were not given are as of now.

    `counts` counts the items of each kind. `clock` is the time as it was written, `meridian` its
    `am` or `pm`. An invalid hour is kept until the whole text is read.
    """

    __slots__ = (
        "clock", "counts", "date", "day", "has_ordinal", "has_year", "is_summer", "meridian",
        "now", "offset", "shift", "time", "year_digits",
    )  # fmt: skip

    def __init__(self, now: Moment) -> None:
        self.now = now
        self.date = [now.year, now.month, now.day]
        self.year_digits = 0
        self.has_year = False  # whether the year was an item of its own
        self.time = (now.hour, now.minute, now.second, now.nanosecond)
        self.clock = self.meridian = ""
        self.day = (0, 0)  # of the week, and the ordinal
        self.has_ordinal = False
        self.is_summer: bool | None = None
        self.offset = 0
        self.shift = dict.fromkeys(SHIFT_UNITS, 0)
        self.counts = dict.fromkeys((*ITEM_KINDS, "added"), 0)

    @property
    def is_dated(self) -> bool:
        return bool(self.counts["date"] or self.counts["day"])

    @property
    def has_time(self) -> bool:
        """Whether the time counts, possibly as of now; otherwise it is midnight."""
        return bool(self.counts["time"] or (self.counts["added"] and not self.is_dated))

    @property
    def year(self) -> int:
        """The year. Two digits stand for 1969 to 2068."""
        year = self.date[0]
        if self.year_digits == 2:
            year += 2000 if year < 69 else 1900
        return year
