"""Trace: how a date in words is read and worked out, told as `date --debug` tells it."""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS, SECOND_NANOSECONDS, date_of
from keysh.text.dates.parts import SHIFT_UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.text.dates.parts import DateParts
    from keysh.text.dates.time_zone import TimeZone

DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
WHICH = (
    "last", "this", "next/first", "(SECOND)", "third", "fourth", "fifth", "sixth", "seventh",
    "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
UNITS = ("year(s)", "month(s)", "day(s)", "hour(s)", "minutes", "seconds", "nanoseconds")
UNIVERSAL = "UTC0"  # the zone of `date -u`
MIDDLE, NOON = 15, 12  # of a month; the hours from which adding leads to no surprise


class Trace:
    """The lines that are told, and the zone: its name, None where no TZ is set."""

    __slots__ = ("_is_in_text", "_name", "_zone", "lines")

    def __init__(self, name: str | None, zone: TimeZone) -> None:
        self._name, self._zone, self._is_in_text = name, zone, False
        self.lines: list[str] = []

    def take_zone(self, name: str, zone: TimeZone) -> None:
        """The text names a zone of its own."""
        self._name, self._zone, self._is_in_text = name, zone, True

    # ------------------------------------------------------------ reading

    def part(self, name: str, said: DateParts, before: Mapping[str, int]) -> None:
        """An item has been read; `before` counts what had been seen until then."""
        if said.counts["added"] != before["added"]:
            added = [f"{said.shift[key]:+} {unit}" for key, unit in zip(SHIFT_UNITS, UNITS, strict=True)
                     if said.shift[key]]  # fmt: skip
            which = "hybrid" if name == "hybrid" else "relative"
            self.lines.append(f"parsed {which} part: {' '.join(added) or 'today/this/now'}")
        if name in ("relative", "hybrid"):
            return
        texts = [item_text(said, item) for item in ("date", "time", "day", "local", "zone")
                 if said.counts[item] == 1 and not before[item]]  # fmt: skip
        if name == "number" and said.has_year and not texts:
            texts.append(f"year: {said.date[0]:04}")
        self.lines.append(f"parsed {name} part: {' '.join(texts)}")

    def slashed(self, first: str, count: int) -> None:
        """A date with slashes begins with a year, or with a month."""
        if count >= 4:
            self.lines.append(f"warning: value {first} has {count} digits. Assuming YYYY/MM/DD")
        else:
            says = f"warning: value {first} has less than 4 digits. Assuming MM/DD/YY[YY]"
            self.lines.append(says)

    def unknown(self, word: str) -> None:
        """A word that means nothing; what stands before it is told behind it, being read later."""
        at = max(len(self.lines) - 1, 0)
        self.lines.insert(at, f"error: unknown word '{word.upper()}'")

    def no_date(self, rest: str) -> None:
        stopped = f", stopped at '{rest}'" if rest else ""
        self.lines.append(f"error: parsing failed{stopped}")

    def seconds(self, seconds: int) -> None:
        """`@SECONDS`."""
        self.lines.append(
            f"parsed number of seconds part: number of seconds: {seconds // SECOND_NANOSECONDS}"
        )
        self.lines.append("input timezone: '@timespec' - always UTC")
        self._final(seconds)

    # ------------------------------------------------------------ working it out

    def zone(self, said: DateParts) -> None:
        """Which zone the text is in."""
        if said.counts["zone"]:
            where = "parsed date/time string"
        elif self._is_in_text:
            where = f'TZ="{self._name}" in date string'
        elif self._name is None:
            where = "system default"
        else:
            where = f'TZ="{self._name}" environment value'
            where += " or -u" if self._name == UNIVERSAL else ""
        is_summer = said.counts["local"] and not said.counts["zone"] and said.is_summer
        offset = f" ({offset_text(said.offset)})" if said.counts["zone"] else ""
        self.lines.append(f"input timezone: {where}{', dst' if is_summer else ''}{offset}")

    def several(self, said: DateParts) -> None:
        """Items are there more than once."""
        seen = said.counts
        zones = seen["zone"] + seen["local"]
        counts = {"time": seen["time"], "date": seen["date"], "days": seen["day"],
                  "time-zone": zones}  # fmt: skip
        for name, count in counts.items():
            if count > 1:
                self.lines.append(f"error: seen multiple {name} parts")

    def year(self, said: DateParts) -> None:
        """A year of two digits."""
        if said.year != said.date[0]:
            self.lines.append(f"warning: adjusting year value {said.date[0]} to {said.year}")

    def no_hour(self, said: DateParts) -> None:
        hour = int(said.clock.partition(":")[0])
        self.lines.append(f"error: invalid hour {hour}{said.meridian}")

    def time(self, said: DateParts) -> None:
        """Which time the day is taken at."""
        if said.has_time:
            hour, minute, second, _ = said.time
            which = "specified" if said.counts["time"] else "current"
            clock = f"{hour:02}:{minute:02}:{second:02}"
            self.lines.append(f"using {which} time as starting value: '{clock}'")
        else:
            self.lines.append("warning: using midnight as starting time: 00:00:00")

    def impossible(self, said: DateParts, seconds: int) -> None:
        """The calendar or the clock does not have what is said; what it has in its place."""
        hour, minute, second, _ = said.time if said.has_time else (0, 0, 0, 0)
        given = [said.year, said.date[1], said.date[2], hour, minute, second]
        local = seconds if said.counts["zone"] else seconds + self._zone.offset_at(seconds)[0]
        days, rest = divmod(local, DAY_SECONDS)
        found = [*date_of(days), rest // 3600, rest % 3600 // 60, rest % 60]
        same = [one == other for one, other in zip(given, found, strict=True)]
        marks = ["  " if is_same else "--" for is_same in same[1:]]
        year = "    " if same[0] else "----"
        tail = zone_tail(said)
        self.lines += [
            "error: invalid date/time value:",
            f"    user provided time: '{parts_text(given)}{tail}'",
            f"       normalized time: '{parts_text(found)}{tail}'",
            f"{' ' * 33}{year} {' '.join(marks)}".rstrip(),
            "     possible reasons:",
        ]
        if same == [True, True, True, False, True, True]:
            self.lines.append("       non-existing due to daylight-saving time;")
        if not (same[1] or same[2]):
            self.lines.append("       invalid day/month combination;")
        why = "incorrect" if said.counts["zone"] else "missing"
        self.lines += ["       numeric values overflow;", f"       {why} timezone"]

    def start(self, said: DateParts, local: int) -> None:
        """The date and the time before anything is added."""
        shown = local_text(local) + zone_tail(said)
        is_dated, has_day = said.counts["date"], said.counts["day"]
        if has_day and not is_dated:
            self.lines.append(f"new start date: '{day_text(said)}' is '{shown}'")
        if not (is_dated or has_day):
            date = local_text(local).rpartition(" ")[0]
            self.lines.append(f"using current date as starting value: '{date}'")
        if is_dated and has_day:
            day = day_text(said)
            self.lines.append(f"warning: day ({day}) ignored when explicit dates are given")
        self.lines.append(f"starting date/time: '{shown}'")

    def _advise(self, said: DateParts, day: int) -> None:
        """What is to be thought of where dates are added to."""
        added = said.shift
        if (added["year"] or added["month"]) and day != MIDDLE:
            self.lines.append(
                "warning: when adding relative months/years, it is recommended to specify the 15th "
                "of the months"
            )
        hour = said.time[0] if said.has_time else 0
        if added["day"] and hour != NOON:
            self.lines.append(
                "warning: when adding relative days, it is recommended to specify noon"
            )

    def shifted(
        self,
        said: DateParts,
        day: int,
        wanted: tuple[int, int, int],
        seconds: int,
        summer: bool | None,
    ) -> None:
        """The date after what is added to a day; the calendar might not have what is wanted."""
        self._advise(said, day)
        added = said.shift
        here = seconds + self._zone.offset_at(seconds)[0]
        days = f"{added['year']:+} years, {added['month']:+} months, {added['day']:+} days"
        shown = local_text(here) + zone_tail(said)
        self.lines.append(f"after date adjustment ({days}),")
        self.lines.append(f"    new date/time = '{shown}'")
        if summer is not None and self._zone.offset_at(seconds)[2] != summer:
            self.lines.append("warning: daylight saving time changed after date adjustment")
        year, month, day = date_of(here // DAY_SECONDS)
        if not added["day"] and (day != wanted[2] or (not added["month"] and month != wanted[1])):
            self.lines += [
                "warning: month/year adjustment resulted in shifted dates:",
                f"     adjusted Y M D: {wanted[0]:04} {wanted[1]:02} {wanted[2]:02}",
                f"   normalized Y M D: {year:04} {month:02} {day:02}",
            ]

    def end(self, said: DateParts, local: int, seconds: int, result: int) -> None:
        """The time: without, and with, what is added to it."""
        if not said.counts["zone"]:
            local = seconds + self._zone.offset_at(seconds)[0]
        shown = local_text(local) + zone_tail(said)
        self.lines.append(f"'{shown}' = {seconds} epoch-seconds")
        added = said.shift
        if added["hour"] or added["minute"] or added["second"] or added["nano"]:
            late = result // SECOND_NANOSECONDS
            times = f"{added['hour']:+} hours, {added['minute']:+} minutes"
            rest = f"{added['second']:+} seconds, {added['nano']:+} ns"
            self.lines.append(f"after time adjustment ({times}, {rest}),")
            self.lines.append(f"    new time = {late} epoch-seconds")
            if self._zone.offset_at(late)[2] != self._zone.offset_at(seconds)[2]:
                self.lines.append("warning: daylight saving time changed after time adjustment")
        self._final(result)

    def _final(self, result: int) -> None:
        seconds, nano = divmod(result, SECOND_NANOSECONDS)
        name = f'TZ="{self._name}" environment value'
        name = {None: "system default", UNIVERSAL: "Universal Time"}.get(self._name, name)
        offset = self._zone.offset_at(seconds)[0]
        self.lines += [
            f"timezone: {name}",
            f"final: {seconds}.{nano:09} (epoch-seconds)",
            f"final: {local_text(seconds)} (UTC)",
            f"final: {local_text(seconds + offset)} (UTC{offset_text(offset)})",
        ]


def item_text(said: DateParts, item: str) -> str:
    """What an item has said."""
    if item == "date":
        year, month, day = said.date
        return f"(Y-M-D) {year:04}-{month:02}-{day:02}"
    if item == "time":
        return said.clock + ("pm" if said.meridian == "pm" else "")
    if item == "day":
        number, ordinal = said.day
        return f"{day_text(said)} (day ordinal={ordinal} number={number})"
    if item == "local":
        return f"isdst={int(bool(said.is_summer))}"
    return f"UTC{offset_text(said.offset)}"


def day_text(said: DateParts) -> str:
    """The day of the week, and which one."""
    number, ordinal = said.day
    which = WHICH[ordinal + 1] if -1 <= ordinal < len(WHICH) - 1 else str(ordinal)
    return f"{which} {DAYS[number]}" if said.has_ordinal else DAYS[number]


def local_text(local: int) -> str:
    """The date and the time that a zone's clocks show, as seconds of their own."""
    days, rest = divmod(local, DAY_SECONDS)
    return parts_text([*date_of(days), rest // 3600, rest % 3600 // 60, rest % 60])


def parts_text(parts: list[int]) -> str:
    year, month, day, hour, minute, second = parts
    return f"(Y-M-D) {year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"


def zone_tail(said: DateParts) -> str:
    return f" TZ={offset_text(said.offset)}" if said.counts["zone"] else ""


def offset_text(offset: int) -> str:
    """`+02`, `-05:30`."""
    sign, offset = "-" if offset < 0 else "+", abs(offset)
    text = f"{sign}{offset // 3600:02}"
    if offset % 3600:
        text += f":{offset % 3600 // 60:02}"
    return f"{text}:{offset % 60:02}" if offset % 60 else text
