"""Parse dates in words, as GNU's `date -d` and `touch -d` do.

    next friday    2 days ago    2024-02-29 +1 month    tomorrow 10:00    @1700000000.5
    20240229T101500Z    29 Feb 2024 10:15 CET    TZ="Asia/Tokyo" 9am    (comment) now

A date consists of items in any order: at most one time, date, day of the week and zone, and any
number of relative items. Missing parts are as of now, but a date alone means midnight.
"""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS
from keysh.text.dates.moment import Moment
from keysh.text.dates.parts import DateParts
from keysh.text.dates.result import HOURS_A_DAY, MAX_SECONDS, resolve_date
from keysh.text.dates.time_zone import find_zone
from keysh.text.dates.tokens import (
    InvalidDate,
    NumberToken,
    UnknownDateWord,
    parse_epoch_seconds,
    split_zone,
    tokenize_date,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.debug import Trace
    from keysh.text.dates.time_zone import TimeZone
    from keysh.text.dates.tokens import Token

MAX_DATE_CHARACTERS = 4096


def parse_date(text: str, now: int, zone: TimeZone, trace: Trace | None = None) -> int | None:
    """Return nanoseconds since 1970; None for an invalid date. A trace records each step."""
    text = text.lstrip() or "0"
    try:
        if len(text) > MAX_DATE_CHARACTERS:
            raise InvalidDate
        if text.startswith('TZ="'):
            name, text = split_zone(text)
            zone = find_zone(name)
            if trace is not None:
                trace.take_zone(name, zone)
        if text.startswith("@"):
            seconds = parse_epoch_seconds(text)
            if trace is not None:
                trace.seconds(seconds)
            return seconds
        said = DateParser(text, now, zone, trace)
        said.read_all()
        return resolve_date(said, zone, trace)
    except InvalidDate:
        return None


class DateParser(DateParts):
    """Parses one text. The tokens before `_position` have been read."""

    __slots__ = ("_position", "_tokens", "_trace", "_unread")

    def __init__(self, text: str, now: int, zone: TimeZone, trace: Trace | None) -> None:
        super().__init__(Moment(now, zone))
        self._trace = trace
        self._tokens: list[Token] = []
        self._unread: UnknownDateWord | None = None  # the word after the tokens
        self._position = 0
        try:
            for token in tokenize_date(text, local_names(zone, self.now)):
                self._tokens.append(token)
        except UnknownDateWord as word:
            self._unread = word

    def read_all(self) -> None:
        """Read all items up to an unknown word."""
        trace, unread = self._trace, self._unread
        if trace is None and unread is not None:
            raise unread
        try:
            while self._position < len(self._tokens):
                before = dict(self.counts) if trace is not None else {}
                name = self._read_item()
                if trace is not None:
                    trace.part(name, self, before)
        except InvalidDate:
            if trace is not None:
                trace.no_date("")
            raise
        if trace is not None and unread is not None:
            trace.unknown(unread.word)
            trace.no_date(unread.rest)
            raise unread

    # ------------------------------------------------------------ tokens

    def _peek_kind(self, ahead: int = 0) -> str:
        position = self._position + ahead
        return self._tokens[position][0] if position < len(self._tokens) else ""

    def _take(self) -> object:
        """Take a token and return its value."""
        self._position += 1
        return self._tokens[self._position - 1][1]

    def _take_number(self, kind: str = "number") -> NumberToken:
        """Take a number, which must be an integer."""
        if self._peek_kind() != kind:
            raise InvalidDate
        value = self._take()
        if not isinstance(value, NumberToken) or not value.is_whole:
            raise InvalidDate
        return value

    def _is_whole(self, ahead: int = 0) -> bool:
        """Whether a token is a number without a fraction."""
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

    def _read_item(self) -> str:
        """Read an item and return its kind."""
        kind = self._peek_kind()
        if kind == "number":
            return self._read_number_item()
        if kind in ("signed", "unit"):
            self._read_relative(1)
        elif kind == "ordinal":
            return self._read_ordinal()
        elif kind == "month":
            self._read_month_day()
            return "date"
        elif kind == "day":
            self._read_weekday(0)
            self._position += self._peek_kind() == ","
            return "day"
        elif kind == "shift":
            self._add("day", self._take_integer("shift"), 0)
        elif kind == "local":
            self._read_local_zone()
            return "local_zone"
        elif kind in ("zone", "T", "daylight"):
            self._read_named_zone(kind)
            return "zone"
        else:
            raise InvalidDate
        return "relative"

    def _read_local_zone(self) -> None:
        self.counts["local"] += 1
        self.is_summer = bool(self._take())
        if self._peek_kind() == "dst":
            self._position += 1
            self.is_summer = True

    def _read_number_item(self) -> str:
        """Read an item that starts with an unsigned number, and return its kind."""
        next_kind = self._peek_kind(1)
        if next_kind == "unit":
            self._read_relative(1)
            return "relative"
        if next_kind in ("meridian", ":"):
            self._read_clock()
            return "time"
        if next_kind == "/":
            self._read_slash_date()
            return "date"
        if next_kind == "month":
            self._read_day_month()
            return "date"
        if next_kind == "day":
            self.has_ordinal = True
            self._read_weekday(self._take_number().value)
            return "day"
        if next_kind == "signed" and self._peek_kind(2) == "signed" and self._is_whole(2):
            return self._read_iso_date()
        if next_kind == "signed" and self._peek_kind(2) != "unit":
            self._read_clock()
            return "time"
        return self._read_bare_number(self._take_number())

    def _read_clock(self, *, allows_meridian: bool = True) -> None:
        """Read `10pm`, `10:15`, `10:15:30.5 pm`, `10+02:00`; in `10:15 +2 days`, 2 is an offset."""
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
                number = self._take()
                assert isinstance(number, NumberToken)
                second, nano = number.value, number.nanosecond
        self._set_clock(hour, minute, second, nano)
        if self._peek_kind() == "meridian" and allows_meridian:
            half_day = self._take_integer("meridian")
            self.meridian = "pm" if half_day else "am"
            hour = hour % 12 + half_day if 1 <= hour <= 12 else HOURS_A_DAY
        elif self._peek_kind() == "meridian":
            raise InvalidDate
        elif self._peek_kind() == "signed" and self._is_whole():
            self._read_zone_offset()
        self.time = (hour, minute, second, nano)

    def _set_clock(self, hour: int, minute: int, second: int, nano: int) -> None:
        fraction = f".{nano:09}" if nano else ""
        self.clock = f"{hour:02}:{minute:02}:{second:02}{fraction}"

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
        """Whether the number just read has a minus sign, even `-0`."""
        value = self._tokens[self._position - 1][1]
        return isinstance(value, NumberToken) and value.is_negative

    def _read_named_zone(self, kind: str) -> None:
        """Read `UTC`, `UTC+2`, `EST DST`, `T`, or `Z -3 days`, which has a relative item."""
        self.counts["zone"] += 1
        value = self._take()
        self.offset = value if isinstance(value, int) else -7 * 3600
        if kind == "daylight":
            return
        if self._is_added_only():
            self._read_relative(1, may_turn=False)
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
        if self._trace is not None:
            self._trace.slashed(str(first.value), first.count)
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

    def _read_iso_date(self) -> str:
        """Read `2024-02-29`, optionally followed by `T10:15`."""
        year = self._take_number()
        month, day = -self._take_number("signed").value, -self._take_number("signed").value
        self._set_date(year, month, day)
        if self._peek_kind() != "T":
            return "date"
        self._position += 1
        if self._peek_kind(1) not in (":", "signed"):
            raise InvalidDate
        self._read_clock(allows_meridian=False)
        return "datetime"

    def _set_date(self, year: NumberToken | None, month: int, day: int) -> None:
        self.counts["date"] += 1
        self.date[1:] = [month, day]
        if year is not None:
            self.date[0], self.year_digits = abs(year.value), year.count

    def _read_weekday(self, ordinal: int) -> None:
        """Read `friday`, `friday,`, `next friday` or `2 friday`."""
        self.counts["day"] += 1
        self.day = (self._take_integer("day"), ordinal)

    def _read_ordinal(self) -> str:
        """Read `next friday` or `last month`."""
        number = self._take_integer("ordinal")
        if self._peek_kind() == "day":
            self.has_ordinal = True
            self._read_weekday(number)
            return "day"
        if self._peek_kind() == "unit":
            self._add_scaled(number, 0)
            return "relative"
        raise InvalidDate

    def _read_bare_number(self, number: NumberToken) -> str:
        """Read `20240229`, `1015`, or the year in `Feb 29 10:15 2024`."""
        if not number.is_whole:
            raise InvalidDate
        counts, value = self.counts, number.value
        if (
            counts["date"] and not self.year_digits and not counts["added"]
            and (counts["time"] or number.count > 2)
        ):  # fmt: skip
            self.date[0], self.year_digits = value, number.count
            self.has_year = True
        elif number.count > 4:
            counts["date"] += 1
            self.date = [value // 10000, value // 100 % 100, value % 100]
            self.year_digits = number.count - 4
        else:
            counts["time"] += 1
            hour, minute = (value, 0) if number.count <= 2 else divmod(value, 100)
            self.time = (hour, minute, 0, 0)
            self._set_clock(hour, minute, 0, 0)
        if not self._is_added_only():
            return "number"
        self._read_relative(1, may_turn=False)
        return "hybrid"

    # ------------------------------------------------------------ relative items

    def _is_added_only(self) -> bool:
        """Whether a signed integer and a unit follow."""
        return self._peek_kind() == "signed" and self._is_whole() and self._peek_kind(1) == "unit"

    def _read_relative(self, count: int, *, may_turn: bool = True) -> None:
        """Read `2 days`, `+2 days ago` or `day`; without `may_turn` no `ago` is taken."""
        nano = 0
        if self._peek_kind() in ("number", "signed"):
            number = self._take()
            assert isinstance(number, NumberToken)
            count, nano = number.value, number.nanosecond
            unit = self._tokens[self._position][1] if self._peek_kind() else None
            is_second = unit == ("second", 1)
            if self._peek_kind() != "unit" or (not number.is_whole and not is_second):
                raise InvalidDate
        self._add_scaled(count, nano, may_turn=may_turn)

    def _add_scaled(self, count: int, nano: int, *, may_turn: bool = True) -> None:
        unit = self._take()
        assert isinstance(unit, tuple)
        factor = self._take_integer("ago") if may_turn and self._peek_kind() == "ago" else 1
        name, size = unit
        self._add(name, count * size * factor, nano * factor)

    def _add(self, unit: str, count: int, nano: int) -> None:
        self.counts["added"] += 1
        self.shift[unit] += count
        self.shift["nano"] += nano
        if abs(self.shift[unit]) > MAX_SECONDS:
            raise InvalidDate


def local_names(zone: TimeZone, now: Moment) -> dict[str, bool]:
    """Return the zone's names within a year, and which of them are summer time's."""
    names: dict[str, bool] = {}
    for ahead in range(4):
        _, name, is_summer = zone.offset_at(now.seconds + ahead * 90 * DAY_SECONDS)
        names.setdefault(name.lower(), is_summer)
    return names
