"""Dates in words, as `date -d` and `touch -d` of GNU take them.

    next friday    2 days ago    2024-02-29 +1 month    tomorrow 10:00    @1700000000.5
    20240229T101500Z    29 Feb 2024 10:15 CET    TZ="Asia/Tokyo" 9am    (comment) now

A text is any number of items in any order: a time, a date, a day of the week, a zone, at most one
of each, and what is to be added. What is not said is as it is now; a date alone is its midnight.
"""

from __future__ import annotations

from keysh.text.dates.calendar import DAY
from keysh.text.dates.moment import Moment
from keysh.text.dates.parts import Said
from keysh.text.dates.result import HOURS, MOST, result_of
from keysh.text.dates.time_zone import zone_named
from keysh.text.dates.tokens import Digits, NoDate, UnknownWord, quoted_zone, seconds_since, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.debug import Trace
    from keysh.text.dates.time_zone import Zone
    from keysh.text.dates.tokens import Token

LONGEST = 4096  # characters; nobody says a date in more


def time_of(text: str, now: int, zone: Zone, trace: Trace | None = None) -> int | None:
    """The time that a text means, in nanoseconds since 1970; None where it means none.

    A trace is told how that is found out.
    """
    text = text.lstrip() or "0"
    try:
        if len(text) > LONGEST:
            raise NoDate
        if text.startswith('TZ="'):
            name, text = quoted_zone(text)
            zone = zone_named(name)
            if trace is not None:
                trace.take_zone(name, zone)
        if text.startswith("@"):
            seconds = seconds_since(text)
            if trace is not None:
                trace.seconds(seconds)
            return seconds
        said = Reading(text, now, zone, trace)
        said.read_all()
        return result_of(said, zone, trace)
    except NoDate:
        return None


class Reading(Said):
    """One text: its tokens, of which those before `at` are read."""

    __slots__ = ("_at", "_tokens", "_trace", "_unread")

    def __init__(self, text: str, now: int, zone: Zone, trace: Trace | None) -> None:
        super().__init__(Moment(now, zone))
        self._trace = trace
        self._tokens: list[Token] = []
        self._unread: UnknownWord | None = None  # the word behind the tokens
        self._at = 0
        try:
            for token in tokens(text, local_names(zone, self.now)):
                self._tokens.append(token)
        except UnknownWord as word:
            self._unread = word

    def read_all(self) -> None:
        """Read the items, up to a word that means nothing."""
        trace, unread = self._trace, self._unread
        if trace is None and unread is not None:
            raise unread
        try:
            while self._at < len(self._tokens):
                before = dict(self.seen) if trace is not None else {}
                name = self._item()
                if trace is not None:
                    trace.part(name, self, before)
        except NoDate:
            if trace is not None:
                trace.no_date("")
            raise
        if trace is not None and unread is not None:
            trace.unknown(unread.word)
            trace.no_date(unread.rest)
            raise unread

    # ------------------------------------------------------------ tokens

    def _kind(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at][0] if at < len(self._tokens) else ""

    def _next(self) -> object:
        """Take a token; its value."""
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _number(self, kind: str = "number") -> Digits:
        """Take a number that must be there, and whole."""
        if self._kind() != kind:
            raise NoDate
        found = self._next()
        if not isinstance(found, Digits) or not found.is_whole:
            raise NoDate
        return found

    def _is_whole(self, ahead: int = 0) -> bool:
        """Whether the token is a number without a point."""
        at = self._at + ahead
        found = self._tokens[at][1] if at < len(self._tokens) else None
        return isinstance(found, Digits) and found.is_whole

    def _integer(self, kind: str) -> int:
        if self._kind() != kind:
            raise NoDate
        found = self._next()
        assert isinstance(found, int)
        return found

    # ------------------------------------------------------------ items

    def _item(self) -> str:
        """Read one; what it is called."""
        kind = self._kind()
        if kind == "number":
            return self._from_number()
        if kind in ("signed", "unit"):
            self._relative(1)
        elif kind == "ordinal":
            return self._ordinal()
        elif kind == "month":
            self._from_month()
            return "date"
        elif kind == "day":
            self._weekday(0)
            self._at += self._kind() == ","
            return "day"
        elif kind == "shift":
            self._add("day", self._integer("shift"), 0)
        elif kind == "local":
            self._local_zone()
            return "local_zone"
        elif kind in ("zone", "T", "daylight"):
            self._named_zone(kind)
            return "zone"
        else:
            raise NoDate
        return "relative"

    def _local_zone(self) -> None:
        self.seen["local"] += 1
        self.is_summer = bool(self._next())
        if self._kind() == "dst":
            self._at += 1
            self.is_summer = True

    def _from_number(self) -> str:
        """What begins with a number without a sign; what stands behind it decides."""
        behind = self._kind(1)
        if behind == "unit":
            self._relative(1)
            return "relative"
        if behind in ("meridian", ":"):
            self._clock()
            return "time"
        if behind == "/":
            self._slashed()
            return "date"
        if behind == "month":
            self._day_month()
            return "date"
        if behind == "day":
            self.has_ordinal = True
            self._weekday(self._number().value)
            return "day"
        if behind == "signed" and self._kind(2) == "signed" and self._is_whole(2):
            return self._iso_date()
        if behind == "signed" and self._kind(2) != "unit":
            self._clock()
            return "time"
        return self._bare_number(self._number())

    def _clock(self, *, has_halves: bool = True) -> None:
        """`10pm`, `10:15`, `10:15:30.5 pm`, `10+02:00`; the 2 of `10:15 +2 days` is an offset."""
        self.seen["time"] += 1
        hour = self._number().value
        minute = second = nano = 0
        if self._kind() == ":":
            self._at += 1
            minute = self._number().value
            if self._kind() == ":":
                self._at += 1
                if self._kind() != "number":
                    raise NoDate
                found = self._next()
                assert isinstance(found, Digits)
                second, nano = found.value, found.nanosecond
        self._write_clock(hour, minute, second, nano)
        if self._kind() == "meridian" and has_halves:
            later = self._integer("meridian")
            self.half = "pm" if later else "am"
            hour = hour % 12 + later if 1 <= hour <= 12 else HOURS
        elif self._kind() == "meridian":
            raise NoDate
        elif self._kind() == "signed" and self._is_whole():
            self._zone_offset()
        self.time = (hour, minute, second, nano)

    def _write_clock(self, hour: int, minute: int, second: int, nano: int) -> None:
        fraction = f".{nano:09}" if nano else ""
        self.clock = f"{hour:02}:{minute:02}:{second:02}{fraction}"

    def _zone_offset(self, base: int = 0) -> None:
        """`+2`, `+0200`, `+02:00`."""
        self.seen["zone"] += 1
        self.offset = base + self._hours_minutes()

    def _hours_minutes(self) -> int:
        number = self._number("signed")
        sign = -1 if self._is_negative() else 1
        hours, minutes = abs(number.value), 0
        if self._kind() == ":":
            self._at += 1
            minutes = self._number().value
        elif number.count > 2:
            hours, minutes = divmod(hours, 100)
        if hours * 60 + minutes > 24 * 60:
            raise NoDate
        return sign * (hours * 60 + minutes) * 60

    def _is_negative(self) -> bool:
        """Whether the number just read has a minus, be it `-0`."""
        found = self._tokens[self._at - 1][1]
        return isinstance(found, Digits) and found.is_negative

    def _named_zone(self, kind: str) -> None:
        """`UTC`, `UTC+2`, `EST DST`, `T`, and `Z -3 days`, in which only the days are added."""
        self.seen["zone"] += 1
        value = self._next()
        self.offset = value if isinstance(value, int) else -7 * 3600
        if kind == "daylight":
            return
        if self._is_added_only():
            self._relative(1, may_turn=False)
        elif kind == "zone" and self._kind() == "signed" and self._is_whole():
            self.offset += self._hours_minutes()
        elif kind == "zone" and self._kind() == "dst":
            self._at += 1
            self.offset += 3600

    def _slashed(self) -> None:
        """`2/29`, `2/29/2024`, `2024/2/29`."""
        first = self._number()
        self._at += 1
        second = self._number()
        if self._kind() != "/":
            self._set_date(None, first.value, second.value)
            return
        self._at += 1
        third = self._number()
        if self._trace is not None:
            self._trace.slashed(str(first.value), first.count)
        if first.count >= 4:
            self._set_date(first, second.value, third.value)
        else:
            self._set_date(third, first.value, second.value)

    def _day_month(self) -> None:
        """`29 Feb`, `29 Feb 2024`, `29-Feb-2024`."""
        day = self._number().value
        month = self._integer("month")
        has_year = self._kind() in ("number", "signed") and self._is_whole()
        self._set_date(self._number(self._kind()) if has_year else None, month, day)

    def _from_month(self) -> None:
        """`Feb 29`, `Feb 29, 2024`, `Feb-29-2024`."""
        month = self._integer("month")
        year = None
        if self._kind() == "signed":
            day = -self._number("signed").value
            year = self._number("signed")
        else:
            day = self._number().value
            if self._kind() == ",":
                self._at += 1
                year = self._number()
        self._set_date(year, month, day)

    def _iso_date(self) -> str:
        """`2024-02-29`, and `T10:15` behind it."""
        year = self._number()
        month, day = -self._number("signed").value, -self._number("signed").value
        self._set_date(year, month, day)
        if self._kind() != "T":
            return "date"
        self._at += 1
        if self._kind(1) not in (":", "signed"):
            raise NoDate
        self._clock(has_halves=False)
        return "datetime"

    def _set_date(self, year: Digits | None, month: int, day: int) -> None:
        self.seen["date"] += 1
        self.date[1:] = [month, day]
        if year is not None:
            self.date[0], self.year_digits = abs(year.value), year.count

    def _weekday(self, ordinal: int) -> None:
        """`friday`, `friday,`, `next friday`, `2 friday`."""
        self.seen["day"] += 1
        self.day = (self._integer("day"), ordinal)

    def _ordinal(self) -> str:
        """`next friday`, `last month`."""
        number = self._integer("ordinal")
        if self._kind() == "day":
            self.has_ordinal = True
            self._weekday(number)
            return "day"
        if self._kind() == "unit":
            self._scaled(number, 0)
            return "relative"
        raise NoDate

    def _bare_number(self, number: Digits) -> str:
        """`20240229`, `1015`, or the year behind `Feb 29 10:15`."""
        if not number.is_whole:
            raise NoDate
        seen, value = self.seen, number.value
        if (
            seen["date"] and not self.year_digits and not seen["added"]
            and (seen["time"] or number.count > 2)
        ):  # fmt: skip
            self.date[0], self.year_digits = value, number.count
            self.has_year = True
        elif number.count > 4:
            seen["date"] += 1
            self.date = [value // 10000, value // 100 % 100, value % 100]
            self.year_digits = number.count - 4
        else:
            seen["time"] += 1
            hour, minute = (value, 0) if number.count <= 2 else divmod(value, 100)
            self.time = (hour, minute, 0, 0)
            self._write_clock(hour, minute, 0, 0)
        if not self._is_added_only():
            return "number"
        self._relative(1, may_turn=False)
        return "hybrid"

    # ------------------------------------------------------------ what is added

    def _is_added_only(self) -> bool:
        """Whether a signed number and a unit follow; behind one with a point there is an `ago`."""
        return self._kind() == "signed" and self._is_whole() and self._kind(1) == "unit"

    def _relative(self, count: int, *, may_turn: bool = True) -> None:
        """`2 days`, `+2 days ago`, `day`; behind some items there is no `ago`."""
        nano = 0
        if self._kind() in ("number", "signed"):
            number = self._next()
            assert isinstance(number, Digits)
            count, nano = number.value, number.nanosecond
            is_second = self._kind() == "unit" and self._tokens[self._at][1] == ("second", 1)
            if self._kind() != "unit" or (not number.is_whole and not is_second):
                raise NoDate
        self._scaled(count, nano, may_turn=may_turn)

    def _scaled(self, count: int, nano: int, *, may_turn: bool = True) -> None:
        unit = self._next()
        assert isinstance(unit, tuple)
        factor = self._integer("ago") if may_turn and self._kind() == "ago" else 1
        name, size = unit
        self._add(name, count * size * factor, nano * factor)

    def _add(self, unit: str, count: int, nano: int) -> None:
        self.seen["added"] += 1
        self.added[unit] += count
        self.added["nano"] += nano
        if abs(self.added[unit]) > MOST:
            raise NoDate


def local_names(zone: Zone, now: Moment) -> dict[str, bool]:
    """What the zone is called now and half a year on."""
    names: dict[str, bool] = {}
    for ahead in range(4):
        _, name, is_summer = zone.at(now.seconds + ahead * 90 * DAY)
        names.setdefault(name.lower(), is_summer)
    return names
