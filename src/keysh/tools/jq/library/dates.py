"""Dates: seconds since 1970, times in parts, and times as text.

A time in parts is an array: year, month from 0, day, hours, minutes, seconds with a fraction,
weekday from Sunday as 0, day of the year from 0.
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

MAX_EPOCH_SECONDS = 10**14  # seconds from 1970
UNKNOWN_WEEKDAY, UNKNOWN_YEARDAY = 8, 367  # what jq says where a text does not tell
ISO_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def now(env: Env) -> Value:
    return env[2].now() / SECOND_NANOSECONDS


def local_zone(env: Env) -> TimeZone:
    """The local zone, by the variable TZ."""
    return find_zone(env[2].environment().get("TZ"))


def broken_down_time(seconds: float, zone: TimeZone, name: str) -> Value:
    """A time in parts."""
    if not is_number(seconds):
        raise JqError(f"{name}() requires numeric inputs")
    if not abs(seconds) < MAX_EPOCH_SECONDS:
        raise JqError("error converting number of seconds since epoch to datetime")
    moment = Moment(math.trunc(seconds) * SECOND_NANOSECONDS, zone)
    fraction = seconds - math.floor(seconds)  # below 0 too
    return [
        moment.year, moment.month - 1, moment.day, moment.hour, moment.minute,
        int_if_exact(moment.second + fraction), moment.weekday, moment.yearday - 1,
    ]  # fmt: skip


def gmtime(value: Value, env: Env) -> Value:
    return broken_down_time(value, UTC_ZONE, "gmtime")


def localtime(value: Value, env: Env) -> Value:
    return broken_down_time(value, local_zone(env), "localtime")


def epoch_seconds(broken: Value, name: str) -> int:
    """The seconds since 1970 of a time in parts, taken as UTC."""
    if broken.__class__ is not list:
        raise JqError(f"{name} requires array inputs")
    told = broken[:8]  # behind them may stand what strptime has left
    if len(told) < 6 or not all(is_number(part) and abs(part) < MAX_EPOCH_SECONDS for part in told):
        raise JqError(f"{name} requires parsed datetime inputs")
    year, month, day, hour, minute, second = (int(part) for part in told[:6])
    days = days_before(year, month + 1, day)
    return days * DAY_SECONDS + hour * 3600 + minute * 60 + second


def mktime(value: Value, env: Env) -> Value:
    return epoch_seconds(value, "mktime")


def format_time(value: Value, form: Value, name: str, zone: TimeZone) -> str:
    """A time as text; a number of seconds is a time too."""
    if is_number(value):
        value = broken_down_time(value, zone, "gmtime")
    elif value.__class__ is not list:
        raise JqError(f"{name}/1 requires parsed datetime inputs")
    if form.__class__ is not str:
        raise JqError(f"{name}/1 requires a string format")
    local = epoch_seconds(value, f"{name}/1")
    if zone is UTC_ZONE:
        return format_moment_as_c(form, Moment(local * SECOND_NANOSECONDS, zone))
    return format_moment_as_c(form, Moment(zone.seconds_at(local) * SECOND_NANOSECONDS, zone))


def strftime(value: Value, form: Value, env: Env) -> Value:
    return format_time(value, form, "strftime", UTC_ZONE)


def strflocaltime(value: Value, form: Value, env: Env) -> Value:
    return format_time(value, form, "strflocaltime", local_zone(env))


def todate(value: Value, env: Env) -> Value:
    return strftime(value, ISO_FORMAT, env)


def fromdate(value: Value, env: Env) -> Value:
    return mktime(strptime(value, ISO_FORMAT, env), env)


# ---------------------------------------------------------------- reading

DIRECTIVE_NAMES = {
    "a": [name.lower() for name in DAY_NAMES], "b": [name.lower() for name in MONTH_NAMES],
}  # fmt: skip
DIRECTIVE_ALIASES = {"A": "a", "B": "b", "h": "b", "e": "d", "k": "H", "l": "I"}
COMPOUND_DIRECTIVES = {"D": "%m/%d/%y", "F": "%Y-%m-%d", "R": "%H:%M", "T": "%H:%M:%S",
            "c": "%a %b %e %H:%M:%S %Y", "r": "%I:%M:%S %p", "x": "%m/%d/%y",
            "X": "%H:%M:%S"}  # fmt: skip
# The most digits of a number, and its bounds.
DIRECTIVE_DIGITS = {
    "d": (2, 1, 31), "H": (2, 0, 23), "I": (2, 1, 12), "j": (3, 1, 366), "m": (2, 1, 12),
    "M": (2, 0, 59), "S": (2, 0, 61), "y": (2, 0, 99), "Y": (4, 0, 9999), "C": (2, 0, 99),
    "u": (1, 1, 7), "w": (1, 0, 6), "U": (2, 0, 53), "V": (2, 0, 53), "W": (2, 0, 53),
    "G": (4, 0, 9999), "g": (2, 0, 99), "s": (18, 0, MAX_EPOCH_SECONDS),
}  # fmt: skip
ZONE_OFFSET = re.compile(r"Z|([-+])(\d\d):?(\d\d)?")
ZONE_NAME = re.compile(r"[A-Za-z]+")


class DateMismatch(Exception):
    """A text is not as its format says."""


def strptime(value: Value, form: Value, env: Env) -> Value:
    """A text as a time in parts."""
    if value.__class__ is not str or form.__class__ is not str:
        raise JqError("strptime/1 requires string inputs and arguments")
    found: dict[str, int] = {}
    try:
        end = read_format(value, 0, form, found)
        if value[end : end + 1].strip():
            raise DateMismatch
    except DateMismatch:
        raise JqError(f'date "{value}" does not match format "{form}"') from None
    rest = [value[end:]] if end < len(value) else []  # what stands behind a blank is given back
    return time_of_fields(found) + rest


def read_format(text: str, at: int, form: str, found: dict[str, int]) -> int:
    """Read a text by a format; where it ends. NoMatch."""
    i = 0
    while i < len(form):
        char = form[i]
        i += 1
        if char.isspace():
            at += len(text[at:]) - len(text[at:].lstrip())
        elif char != "%" or i == len(form):
            if text[at : at + 1] != char:
                raise DateMismatch
            at += 1
        else:
            letter = form[i]
            i += 1
            at = read_directive(text, at, letter, found)
    return at


def read_directive(text: str, at: int, letter: str, found: dict[str, int]) -> int:
    """Read what a directive stands for; where it ends."""
    letter = DIRECTIVE_ALIASES.get(letter, letter)
    if letter in COMPOUND_DIRECTIVES:
        return read_format(text, at, COMPOUND_DIRECTIVES[letter], found)
    if letter in DIRECTIVE_NAMES:
        return read_name(text, at, letter, found)
    if letter in DIRECTIVE_DIGITS:
        return read_number(text, at, letter, found)
    if letter == "z":
        offset = ZONE_OFFSET.match(text, at)
        if offset is None:
            raise DateMismatch
        return offset.end()
    if letter == "Z":
        word = ZONE_NAME.match(text, at)
        if word is None:
            raise DateMismatch
        return word.end()
    if letter == "p":
        half = text[at : at + 2].upper()
        if half not in ("AM", "PM"):
            raise DateMismatch
        found["p"] = int(half == "PM")
        return at + 2
    if letter in "nt":
        return at + len(text[at:]) - len(text[at:].lstrip())
    if letter == "%" and text[at : at + 1] == "%":
        return at + 1
    raise DateMismatch


def read_name(text: str, at: int, letter: str, found: dict[str, int]) -> int:
    """Read the name of a day or of a month, whole or by three letters."""
    here = text[at : at + 12].lower()
    for place, whole_name in enumerate(DIRECTIVE_NAMES[letter]):
        for word in (whole_name, whole_name[:3]):
            if here.startswith(word):
                set_field(found, *(("m", place + 1) if letter == "b" else ("w", place)))
                return at + len(word)
    raise DateMismatch


def read_number(text: str, at: int, letter: str, found: dict[str, int]) -> int:
    """Read a number within its bounds, and blanks in front of it."""
    most, low, high = DIRECTIVE_DIGITS[letter]
    at += len(text[at:]) - len(text[at:].lstrip(" "))
    end = at
    while end < len(text) and end < at + most and text[end] in "0123456789":
        end += 1
    if end == at or not low <= int(text[at:end]) <= high:
        raise DateMismatch
    value = int(text[at:end])
    set_field(found, *(("w", value % 7) if letter == "u" else (letter, value)))
    return end


# What another one that comes later says instead.
REPLACED_DIRECTIVES = {"Y": "y", "y": "Y", "C": "Y", "H": "I", "I": "H", "U": "W", "W": "U"}


def set_field(found: dict[str, int], letter: str, value: int) -> None:
    """Note what was read, in place of what says otherwise."""
    for other in REPLACED_DIRECTIVES.get(letter, ""):
        found.pop(other, None)
    found[letter] = value


def time_of_fields(found: dict[str, int]) -> Value:
    """The parts of a time out of what was read, completed as by strptime of the C library."""
    if "s" in found:
        return broken_down_time(found["s"], UTC_ZONE, "gmtime")
    year = year_of(found)
    month, yearday = (found[letter] - 1 if letter in found else None for letter in "mj")
    day, weekday = found.get("d"), found.get("w")
    has_date = not found.keys().isdisjoint("YyCmd")
    if weekday is not None and ("U" in found or "W" in found):
        in_week = yearday_in_week(year, found, weekday) if yearday is None else yearday
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
    hour = found["I"] % 12 + 12 * found.get("p", 0) if "I" in found else found.get("H", 0)
    return [
        year, month or 0, day or 0, hour, found.get("M", 0), found.get("S", 0),
        UNKNOWN_WEEKDAY if weekday is None else weekday, UNKNOWN_YEARDAY if yearday is None else yearday,
    ]  # fmt: skip


def year_of(found: dict[str, int]) -> int:
    """The year that was read, or 1900."""
    if "y" in found:
        return found.get("C", 19 if found["y"] >= 69 else 20) * 100 + found["y"]
    return found["C"] * 100 if "C" in found else found.get("Y", 1900)


def fill_month_and_day(
    year: int, month: int | None, day: int | None, yearday: int
) -> tuple[int, int]:
    """The month and the day, those that were not read by the day of the year."""
    _, of_year, of_month = date_of(days_before(year, 1, 1) + yearday)
    return of_year - 1 if month is None else month, of_month if day is None else day


def yearday_in_week(year: int, found: dict[str, int], weekday: int) -> int:
    """The day of the year that a weekday is in a week, which begins with Sunday or Monday."""
    first = int("U" not in found)
    week = found["W" if first else "U"]
    january = (days_before(year, 1, 1) + 4) % 7
    return (7 - (january - first)) % 7 + (week - 1) * 7 + (weekday - first) % 7


DATE_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "gmtime/0": gmtime, "localtime/0": localtime, "mktime/0": mktime, "todate/0": todate,
    "todateiso8601/0": todate, "date/0": todate, "fromdate/0": fromdate,
    "fromdateiso8601/0": fromdate, "strftime/1": strftime, "strflocaltime/1": strflocaltime,
    "strptime/1": strptime,
}  # fmt: skip
