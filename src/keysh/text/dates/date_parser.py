"""Parse dates in words, as `date -d` and `touch -d` of GNU do.

    next friday    2 days ago    2024-02-29 +1 month    tomorrow 10:00    @1700000000.5
    20240229T101500Z    29 Feb 2024 10:15 CET    TZ="Asia/Tokyo" 9am    (comment) now

The items may be in any order: at most one time, date, weekday and zone, and any number of relative
items. Missing items are those of the current time; a date alone means its midnight.
"""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS
from keysh.text.dates.date_result import HOURS_A_DAY, MAX_SECONDS, resolve_date
from keysh.text.dates.moment import Moment
from keysh.text.dates.parts import DateParts
from keysh.text.dates.time_zone import find_zone
from keysh.text.dates.tokens import (
    InvalidDate,
    NumberToken,
    parse_epoch_seconds,
    split_zone,
    tokenize_date,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import TimeZone
    from keysh.text.dates.tokens import Token

MAX_DATE_CHARACTERS = 4096


def parse_date(text: str, now: int, zone: TimeZone) -> int | None:
    """Return the time in nanoseconds since 1970, or None if the text is not a date."""
    text = text.lstrip() or "0"
    try:
        if len(text) > MAX_DATE_CHARACTERS:
            raise InvalidDate
        if text.startswith('TZ="'):
            name, text = split_zone(text)
            zone = find_zone(name)
        if text.startswith("@"):
            return parse_epoch_seconds(text)
        parser = DateParser(text, now, zone)
        parser.read_all()
        return resolve_date(parser, zone)
    except InvalidDate:
        return None


class DateParser(DateParts):
    """Reads the tokens of one date. Those before `_position` have been read."""

    __slots__ = ("_position", "_tokens")

    def __init__(self, text: str, now: int, zone: TimeZone) -> None:
        super().__init__(Moment(now, zone))
        self._tokens: list[Token] = list(tokenize_date(text, local_names(zone, self.now)))
        self._position = 0

    def read_all(self) -> None:
        while self._position < len(self._tokens):
            self._read_item()

    # ------------------------------------------------------------ tokens

    def _peek_kind(self, ahead: int = 0) -> str:
        position = self._position + ahead
        return self._tokens[position][0] if position < len(self._tokens) else ""

    def _take(self) -> object:
        """Take the next token and return its value."""
        self._position += 1
        return self._tokens[self._position - 1][1]

    def _take_number(self, kind: str = "number") -> NumberToken:
        """Take the next token, which must be a whole number."""
        if self._peek_kind() != kind:
            raise InvalidDate
        number = self._take()
        if not isinstance(number, NumberToken) or not number.is_whole:
            raise InvalidDate
        return number

    def _is_whole(self, ahead: int = 0) -> bool:
        """Whether the token is a number without a fraction."""
        position = self._position + ahead
        value = self._tokens[position][1] if position < len(self._tokens) else None
        return isinstance(value, NumberToken) and value.is_whole

    def _take_integer(self, kind: str) -> int:
        if self._peek_kind() != kind:
            raise InvalidDate
        value = self._take()
        assert isinstance(value, int)
        return value

    # ------------------------------------------------------------ items

    def _read_item(self) -> None:
        kind = self._peek_kind()
        if kind == "number":
            self._read_number_item()
        elif kind in ("signed", "unit"):
            self._read_relative(1)
        elif kind == "ordinal":
            self._read_ordinal()
        elif kind == "month":
            self._read_month_day()
        elif kind == "day":
            self._read_weekday(0)
            self._position += self._peek_kind() == ","
        elif kind == "shift":
            self._add("day", self._take_integer("shift"), 0)
        elif kind == "local":
            self._read_local_zone()
        elif kind in ("zone", "T", "daylight"):
            self._read_named_zone(kind)
        else:
            raise InvalidDate

    def _read_local_zone(self) -> None:
        self.counts["local"] += 1
        self.is_summer = bool(self._take())
        if self._peek_kind() == "dst":
            self._position += 1
            self.is_summer = True

    def _read_number_item(self) -> None:
        """Read an item that begins with an unsigned number; the next token decides its kind."""
        next_kind = self._peek_kind(1)
        if next_kind == "unit":
            self._read_relative(1)
        elif next_kind in ("meridian", ":"):
            self._read_clock()
        elif next_kind == "/":
            self._read_slash_date()
        elif next_kind == "month":
            self._read_day_month()
        elif next_kind == "day":
            self._read_weekday(self._take_number().value)
        elif next_kind == "signed" and self._peek_kind(2) == "signed" and self._is_whole(2):
            self._read_iso_date()
        elif next_kind == "signed" and self._peek_kind(2) != "unit":
            self._read_clock()
        else:
            self._read_bare_number(self._take_number())

    def _read_clock(self, *, allows_meridian: bool = True) -> None:
        """Read `10pm`, `10:15:30.5 pm` or `10+02:00`; in `10:15 +2 days` the 2 is an offset."""
        self.counts["time"] += 1
        hour = self._take_number().value
        minute = second = nano = 0
        if self._peek_kind() == ":":
            self._position += 1
            minute = self._take_number().value
            if self._peek_kind() == ":":
                self._position += 1
                if self._peek_kind() != "number":
                    raise InvalidDate
                seconds = self._take()
                assert isinstance(seconds, NumberToken)
                second, nano = seconds.value, seconds.nanosecond
        if self._peek_kind() == "meridian" and allows_meridian:
            meridian_hours = self._take_integer("meridian")
            hour = hour % 12 + meridian_hours if 1 <= hour <= 12 else HOURS_A_DAY
        elif self._peek_kind() == "meridian":
            raise InvalidDate
        elif self._peek_kind() == "signed" and self._is_whole():
            self._read_zone_offset()
        self.time = (hour, minute, second, nano)

    def _read_zone_offset(self, base: int = 0) -> None:
        """Read `+2`, `+0200` or `+02:00`."""
        self.counts["zone"] += 1
        self.offset = base + self._read_hours_minutes()

    def _read_hours_minutes(self) -> int:
        number = self._take_number("signed")
        sign = -1 if self._is_negative() else 1
        hours, minutes = abs(number.value), 0
        if self._peek_kind() == ":":
            self._position += 1
            minutes = self._take_number().value
        elif number.count > 2:
            hours, minutes = divmod(hours, 100)
        if hours * 60 + minutes > 24 * 60:
            raise InvalidDate
        return sign * (hours * 60 + minutes) * 60

    def _is_negative(self) -> bool:
        """Whether the number just read has a minus sign; `-0` does."""
        number = self._tokens[self._position - 1][1]
        return isinstance(number, NumberToken) and number.is_negative

    def _read_named_zone(self, kind: str) -> None:
        """Read `UTC`, `UTC+2`, `EST DST`, `T`, or `Z -3 days`, where -3 is not an offset."""
        self.counts["zone"] += 1
        value = self._take()
        self.offset = value if isinstance(value, int) else -7 * 3600
        if kind == "daylight":
            return
        if self._is_relative_next():
            self._read_relative(1, allows_ago=False)
        elif kind == "zone" and self._peek_kind() == "signed" and self._is_whole():
            self.offset += self._read_hours_minutes()
        elif kind == "zone" and self._peek_kind() == "dst":
            self._position += 1
            self.offset += 3600

    def _read_slash_date(self) -> None:
        """Read `2/29`, `2/29/2024` or `2024/2/29`."""
        first = self._take_number()
        self._position += 1
        second = self._take_number()
        if self._peek_kind() != "/":
            self._set_date(None, first.value, second.value)
            return
        self._position += 1
        third = self._take_number()
        if first.count >= 4:
            self._set_date(first, second.value, third.value)
        else:
            self._set_date(third, first.value, second.value)

    def _read_day_month(self) -> None:
        """Read `29 Feb`, `29 Feb 2024` or `29-Feb-2024`."""
        day = self._take_number().value
        month = self._take_integer("month")
        has_year = self._peek_kind() in ("number", "signed") and self._is_whole()
        self._set_date(self._take_number(self._peek_kind()) if has_year else None, month, day)

    def _read_month_day(self) -> None:
        """Read `Feb 29`, `Feb 29, 2024` or `Feb-29-2024`."""
        month = self._take_integer("month")
        year = None
        if self._peek_kind() == "signed":
            day = -self._take_number("signed").value
            year = self._take_number("signed")
        else:
            day = self._take_number().value
            if self._peek_kind() == ",":
                self._position += 1
                year = self._take_number()
        self._set_date(year, month, day)

    def _read_iso_date(self) -> None:
        """Read `2024-02-29`, optionally followed by `T10:15`."""
        year = self._take_number()
        month, day = -self._take_number("signed").value, -self._take_number("signed").value
        self._set_date(year, month, day)
        if self._peek_kind() != "T":
            return
        self._position += 1
        if self._peek_kind(1) not in (":", "signed"):
            raise InvalidDate
        self._read_clock(allows_meridian=False)

    def _set_date(self, year: NumberToken | None, month: int, day: int) -> None:
        self.counts["date"] += 1
        self.date[1:] = [month, day]
        if year is not None:
            self.date[0], self.year_digits = abs(year.value), year.count

    def _read_weekday(self, ordinal: int) -> None:
        """Read `friday`, `friday,`, `next friday` or `2 friday`."""
        self.counts["day"] += 1
        self.day = (self._take_integer("day"), ordinal)

    def _read_ordinal(self) -> None:
        """Read `next friday` or `last month`."""
        number = self._take_integer("ordinal")
        if self._peek_kind() == "day":
            self._read_weekday(number)
        elif self._peek_kind() == "unit":
            self._add_scaled(number, 0)
        else:
            raise InvalidDate

    def _read_bare_number(self, number: NumberToken) -> None:
        """Read `20240229`, `1015`, or the year after `Feb 29 10:15`."""
        if not number.is_whole:
            raise InvalidDate
        seen, value = self.counts, number.value
        if (
            seen["date"] and not self.year_digits and not seen["added"]
            and (seen["time"] or number.count > 2)
        ):  # fmt: skip
            self.date[0], self.year_digits = value, number.count
        elif number.count > 4:
            seen["date"] += 1
            self.date = [value // 10000, value // 100 % 100, value % 100]
            self.year_digits = number.count - 4
        else:
            seen["time"] += 1
            hour, minute = (value, 0) if number.count <= 2 else divmod(value, 100)
            self.time = (hour, minute, 0, 0)
        if self._is_relative_next():
            self._read_relative(1, allows_ago=False)

    # ------------------------------------------------------------ relative items

    def _is_relative_next(self) -> bool:
        """Whether a signed whole number and a unit follow."""
        return self._peek_kind() == "signed" and self._is_whole() and self._peek_kind(1) == "unit"

    def _read_relative(self, count: int, *, allows_ago: bool = True) -> None:
        """Read `2 days`, `+2 days ago` or `day`; after some items `ago` is not allowed."""
        nano = 0
        if self._peek_kind() in ("number", "signed"):
            number = self._take()
            assert isinstance(number, NumberToken)
            count, nano = number.value, number.nanosecond
            if self._peek_kind() != "unit":
                raise InvalidDate
            if not number.is_whole and self._tokens[self._position][1] != ("second", 1):
                raise InvalidDate
        self._add_scaled(count, nano, allows_ago=allows_ago)

    def _add_scaled(self, count: int, nano: int, *, allows_ago: bool = True) -> None:
        unit = self._take()
        assert isinstance(unit, tuple)
        factor = self._take_integer("ago") if allows_ago and self._peek_kind() == "ago" else 1
        name, size = unit
        self._add(name, count * size * factor, nano * factor)

    def _add(self, unit: str, count: int, nano: int) -> None:
        self.counts["added"] += 1
        self.shift[unit] += count
        self.shift["nano"] += nano
        if abs(self.shift[unit]) > MAX_SECONDS:
            raise InvalidDate


def local_names(zone: TimeZone, now: Moment) -> dict[str, bool]:
    """Return the names of the zone over the next nine months, and which is summer time's."""
    names: dict[str, bool] = {}
    for ahead in range(4):
        _, name, is_summer = zone.offset_at(now.seconds + ahead * 90 * DAY_SECONDS)
        names.setdefault(name.lower(), is_summer)
    return names
