"""Dates: seconds since the epoch, broken-down times, and formatted times.

A broken-down time is an array: year, month from 0, day, hours, minutes, seconds with a fraction,
weekday with Sunday as 0, day of the year from 0.
"""

from __future__ import annotations

import math
import re

from keysh.text.dates.calendar import DAY_SECONDS, SECOND_NANOSECONDS, date_of, days_before
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import DAY_NAMES, MONTH_NAMES, format_moment_as_c
from keysh.text.dates.time_zone import UTC_ZONE, TimeZone, find_zone
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import int_if_exact
from keysh.tools.jq.values.value import is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.compile.code import Env, Value

MAX_EPOCH_SECONDS = 10**14  # seconds before or after the epoch
UNKNOWN_WEEKDAY, UNKNOWN_YEARDAY = 8, 367  # what jq returns if the text gives none
ISO_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def now(env: Env) -> Value:
    return env[2].now() / SECOND_NANOSECONDS


def local_zone(env: Env) -> TimeZone:
    """Return the local time zone, which TZ sets."""
    return find_zone(env[2].environment().get("TZ"))


def broken_down_time(seconds: float, zone: TimeZone, name: str) -> Value:
    """Convert seconds since the epoch to a broken-down time."""
    if not is_number(seconds):
        raise JqError(f"{name}() requires numeric inputs")
    if not abs(seconds) < MAX_EPOCH_SECONDS:
        raise JqError("error converting number of seconds since epoch to datetime")
    moment = Moment(math.trunc(seconds) * SECOND_NANOSECONDS, zone)
    fraction = seconds - math.floor(seconds)  # positive for negative seconds too
    return [
        moment.year, moment.month - 1, moment.day, moment.hour, moment.minute,
        int_if_exact(moment.second + fraction), moment.weekday, moment.yearday - 1,
    ]  # fmt: skip


def gmtime(value: Value, env: Env) -> Value:
    return broken_down_time(value, UTC_ZONE, "gmtime")


def localtime(value: Value, env: Env) -> Value:
    return broken_down_time(value, local_zone(env), "localtime")


def epoch_seconds(broken: Value, name: str) -> int:
    """Convert a broken-down time in UTC to seconds since the epoch."""
    if broken.__class__ is not list:
        raise JqError(f"{name} requires array inputs")
    fields = broken[:8]  # strptime appends the text that it has not parsed
    if len(fields) < 6 or not all(
        is_number(part) and abs(part) < MAX_EPOCH_SECONDS for part in fields
    ):
        raise JqError(f"{name} requires parsed datetime inputs")
    year, month, day, hour, minute, second = (int(part) for part in fields[:6])
    days = days_before(year, month + 1, day)
    return days * DAY_SECONDS + hour * 3600 + minute * 60 + second


def mktime(value: Value, env: Env) -> Value:
    return epoch_seconds(value, "mktime")


def format_time(value: Value, format_text: Value, name: str, zone: TimeZone, env: Env) -> str:
    """Format a broken-down time, or a number of seconds since the epoch."""
    if is_number(value):
        value = broken_down_time(value, zone, "gmtime")
    elif value.__class__ is not list:
        raise JqError(f"{name}/1 requires parsed datetime inputs")
    if format_text.__class__ is not str:
        raise JqError(f"{name}/1 requires a string format")
    local = epoch_seconds(value, f"{name}/1")
    if zone is UTC_ZONE:
        moment = Moment(local * SECOND_NANOSECONDS, zone)
    else:
        moment = Moment(zone.seconds_at(local) * SECOND_NANOSECONDS, zone)
    return format_moment_as_c(format_text, moment, env[2].check_length)


def strftime(value: Value, format_text: Value, env: Env) -> Value:
    return format_time(value, format_text, "strftime", UTC_ZONE, env)


def strflocaltime(value: Value, format_text: Value, env: Env) -> Value:
    return format_time(value, format_text, "strflocaltime", local_zone(env), env)


def todate(value: Value, env: Env) -> Value:
    return strftime(value, ISO_FORMAT, env)


def fromdate(value: Value, env: Env) -> Value:
    return mktime(strptime(value, ISO_FORMAT, env), env)


# ---------------------------------------------------------------- parsing

DIRECTIVE_NAMES = {
    "a": [name.lower() for name in DAY_NAMES], "b": [name.lower() for name in MONTH_NAMES],
}  # fmt: skip
DIRECTIVE_ALIASES = {"A": "a", "B": "b", "h": "b", "e": "d", "k": "H", "l": "I"}
COMPOUND_DIRECTIVES = {
    "D": "%m/%d/%y", "F": "%Y-%m-%d", "R": "%H:%M", "T": "%H:%M:%S", "c": "%a %b %e %H:%M:%S %Y",
    "r": "%I:%M:%S %p", "x": "%m/%d/%y", "X": "%H:%M:%S",
}  # fmt: skip
# The maximum number of digits, and the range of the number.
DIRECTIVE_DIGITS = {
    "d": (2, 1, 31), "H": (2, 0, 23), "I": (2, 1, 12), "j": (3, 1, 366), "m": (2, 1, 12),
    "M": (2, 0, 59), "S": (2, 0, 61), "y": (2, 0, 99), "Y": (4, 0, 9999), "C": (2, 0, 99),
    "u": (1, 1, 7), "w": (1, 0, 6), "U": (2, 0, 53), "V": (2, 0, 53), "W": (2, 0, 53),
    "G": (4, 0, 9999), "g": (2, 0, 99), "s": (18, 0, MAX_EPOCH_SECONDS),
}  # fmt: skip
ZONE_OFFSET = re.compile(r"Z|([-+])(\d\d):?(\d\d)?")
ZONE_NAME = re.compile(r"[A-Za-z]+")


class DateMismatch(Exception):
    """A date does not match its format."""


def strptime(value: Value, format_text: Value, env: Env) -> Value:
    """Parse a string into a broken-down time."""
    if value.__class__ is not str or format_text.__class__ is not str:
        raise JqError("strptime/1 requires string inputs and arguments")
    fields: dict[str, int] = {}
    try:
        end = read_format(value, 0, format_text, fields)
        if value[end : end + 1].strip():
            raise DateMismatch
    except DateMismatch:
        raise JqError(f'date "{value}" does not match format "{format_text}"') from None
    rest = [value[end:]] if end < len(value) else []  # jq returns the text after a blank
    return time_of_fields(fields) + rest


def read_format(text: str, offset: int, format_text: str, fields: dict[str, int]) -> int:
    """Parse the text from `offset` on; returns where it ends. Raises DateMismatch."""
    i = 0
    while i < len(format_text):
        char = format_text[i]
        i += 1
        if char.isspace():
            offset += len(text[offset:]) - len(text[offset:].lstrip())
        elif char != "%" or i == len(format_text):
            if text[offset : offset + 1] != char:
                raise DateMismatch
            offset += 1
        else:
            letter = format_text[i]
            i += 1
            offset = read_directive(text, offset, letter, fields)
    return offset


def read_directive(text: str, offset: int, letter: str, fields: dict[str, int]) -> int:
    """Parse the text of one directive; returns where it ends."""
    letter = DIRECTIVE_ALIASES.get(letter, letter)
    if letter in COMPOUND_DIRECTIVES:
        return read_format(text, offset, COMPOUND_DIRECTIVES[letter], fields)
    if letter in DIRECTIVE_NAMES:
        return read_name(text, offset, letter, fields)
    if letter in DIRECTIVE_DIGITS:
        return read_number(text, offset, letter, fields)
    if letter == "z":
        zone = ZONE_OFFSET.match(text, offset)
        if zone is None:
            raise DateMismatch
        return zone.end()
    if letter == "Z":
        word = ZONE_NAME.match(text, offset)
        if word is None:
            raise DateMismatch
        return word.end()
    if letter == "p":
        half = text[offset : offset + 2].upper()
        if half not in ("AM", "PM"):
            raise DateMismatch
        fields["p"] = int(half == "PM")
        return offset + 2
    if letter in "nt":
        return offset + len(text[offset:]) - len(text[offset:].lstrip())
    if letter == "%" and text[offset : offset + 1] == "%":
        return offset + 1
    raise DateMismatch


def read_name(text: str, offset: int, letter: str, fields: dict[str, int]) -> int:
    """Parse the name of a day or a month, in full or abbreviated to three letters."""
    here = text[offset : offset + 12].lower()
    for number, whole_name in enumerate(DIRECTIVE_NAMES[letter]):
        for word in (whole_name, whole_name[:3]):
            if here.startswith(word):
                set_field(fields, *(("m", number + 1) if letter == "b" else ("w", number)))
                return offset + len(word)
    raise DateMismatch


def read_number(text: str, offset: int, letter: str, fields: dict[str, int]) -> int:
    """Parse a number, which must be in range, after optional blanks."""
    max_digits, low, high = DIRECTIVE_DIGITS[letter]
    offset += len(text[offset:]) - len(text[offset:].lstrip(" "))
    end = offset
    while end < len(text) and end < offset + max_digits and text[end] in "0123456789":
        end += 1
    if end == offset or not low <= int(text[offset:end]) <= high:
        raise DateMismatch
    value = int(text[offset:end])
    set_field(fields, *(("w", value % 7) if letter == "u" else (letter, value)))
    return end


# Directives of which the last one read replaces the others.
REPLACED_DIRECTIVES = {"Y": "y", "y": "Y", "C": "Y", "H": "I", "I": "H", "U": "W", "W": "U"}


def set_field(fields: dict[str, int], letter: str, value: int) -> None:
    """Set a field, and remove those that it replaces."""
    for other in REPLACED_DIRECTIVES.get(letter, ""):
        fields.pop(other, None)
    fields[letter] = value


def time_of_fields(fields: dict[str, int]) -> Value:
    """Make a broken-down time, with missing fields computed as strptime of the C library does."""
    if "s" in fields:
        return broken_down_time(fields["s"], UTC_ZONE, "gmtime")
    year = year_of(fields)
    month, yearday = (fields[letter] - 1 if letter in fields else None for letter in "mj")
    day, weekday = fields.get("d"), fields.get("w")
    has_date = not fields.keys().isdisjoint("YyCmd")
    if weekday is not None and ("U" in fields or "W" in fields):
        in_week = yearday_in_week(year, fields, weekday) if yearday is None else yearday
        if month is None or day is None:
            month, day = fill_month_and_day(year, month, day, in_week)
        yearday = in_week
    elif weekday is None and has_date and yearday is not None:
        month, day = fill_month_and_day(year, month, day, yearday)
    days = days_before(year, (month or 0) + 1, day or 0)
    if has_date and weekday is None:
        weekday = (days + 4) % 7
    if has_date and yearday is None:
        yearday = days - days_before(year, 1, 1)
    hour = fields["I"] % 12 + 12 * fields.get("p", 0) if "I" in fields else fields.get("H", 0)
    return [
        year, month or 0, day or 0, hour, fields.get("M", 0), fields.get("S", 0),
        UNKNOWN_WEEKDAY if weekday is None else weekday,
        UNKNOWN_YEARDAY if yearday is None else yearday,
    ]  # fmt: skip


def year_of(fields: dict[str, int]) -> int:
    """Return the year of the fields, or 1900."""
    if "y" in fields:
        return fields.get("C", 19 if fields["y"] >= 69 else 20) * 100 + fields["y"]
    return fields["C"] * 100 if "C" in fields else fields.get("Y", 1900)


def fill_month_and_day(
    year: int, month: int | None, day: int | None, yearday: int
) -> tuple[int, int]:
    """Compute the month or the day from the day of the year if it is missing."""
    _, of_year, of_month = date_of(days_before(year, 1, 1) + yearday)
    return of_year - 1 if month is None else month, of_month if day is None else day


def yearday_in_week(year: int, fields: dict[str, int], weekday: int) -> int:
    """Return the day of the year of a weekday in week U (from Sunday) or W (from Monday)."""
    first = int("U" not in fields)
    week = fields["W" if first else "U"]
    january = (days_before(year, 1, 1) + 4) % 7
    return (7 - (january - first)) % 7 + (week - 1) * 7 + (weekday - first) % 7


DATE_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "gmtime/0": gmtime, "localtime/0": localtime, "mktime/0": mktime, "todate/0": todate,
    "todateiso8601/0": todate, "date/0": todate, "fromdate/0": fromdate,
    "fromdateiso8601/0": fromdate, "strftime/1": strftime, "strflocaltime/1": strflocaltime,
    "strptime/1": strptime,
}  # fmt: skip
