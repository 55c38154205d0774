"""Dates: seconds since 1970, times in parts, and times as text.

A time in parts is an array: year, month from 0, day, hours, minutes, seconds with a fraction,
weekday from Sunday as 0, day of the year from 0.
"""

from __future__ import annotations

import math
import re

from keysh.text.dates.calendar import DAY, SECOND, date_of, days_before
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import DAYS, MONTHS, formatted_by_c
from keysh.text.dates.time_zone import UTC_ZONE, Zone, zone_named
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import whole
from keysh.tools.jq.values.value import is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.compile.code import Env, Value

FARTHEST = 10**14  # seconds from 1970
NO_WEEKDAY, NO_YEARDAY = 8, 367  # what jq says where a text does not tell
ISO = "%Y-%m-%dT%H:%M:%SZ"


def now(env: Env) -> Value:
    return env[2].now() / SECOND


def zone_of(env: Env) -> Zone:
    """The local zone, by the variable TZ."""
    return zone_named(env[2].environment().get("TZ"))


def parts(seconds: float, zone: Zone, name: str) -> Value:
    """A time in parts."""
    if not is_number(seconds):
        raise JqError(f"{name}() requires numeric inputs")
    if not abs(seconds) < FARTHEST:
        raise JqError("error converting number of seconds since epoch to datetime")
    moment = Moment(math.trunc(seconds) * SECOND, zone)
    fraction = seconds - math.floor(seconds)  # below 0 too
    return [
        moment.year, moment.month - 1, moment.day, moment.hour, moment.minute,
        whole(moment.second + fraction), moment.weekday, moment.yearday - 1,
    ]  # fmt: skip


def gmtime(value: Value, env: Env) -> Value:
    return parts(value, UTC_ZONE, "gmtime")


def localtime(value: Value, env: Env) -> Value:
    return parts(value, zone_of(env), "localtime")


def seconds_of(broken: Value, name: str) -> int:
    """The seconds since 1970 of a time in parts, taken as UTC."""
    if broken.__class__ is not list:
        raise JqError(f"{name} requires array inputs")
    told = broken[:8]  # behind them may stand what strptime has left
    if len(told) < 6 or not all(is_number(part) and abs(part) < FARTHEST for part in told):
        raise JqError(f"{name} requires parsed datetime inputs")
    year, month, day, hour, minute, second = (int(part) for part in told[:6])
    days = days_before(year, month + 1, day)
    return days * DAY + hour * 3600 + minute * 60 + second


def mktime(value: Value, env: Env) -> Value:
    return seconds_of(value, "mktime")


def written(value: Value, form: Value, name: str, zone: Zone) -> str:
    """A time as text; a number of seconds is a time too."""
    if is_number(value):
        value = parts(value, zone, "gmtime")
    elif value.__class__ is not list:
        raise JqError(f"{name}/1 requires parsed datetime inputs")
    if form.__class__ is not str:
        raise JqError(f"{name}/1 requires a string format")
    local = seconds_of(value, f"{name}/1")
    if zone is UTC_ZONE:
        return formatted_by_c(form, Moment(local * SECOND, zone))
    return formatted_by_c(form, Moment(zone.seconds_at(local) * SECOND, zone))


def strftime(value: Value, form: Value, env: Env) -> Value:
    return written(value, form, "strftime", UTC_ZONE)


def strflocaltime(value: Value, form: Value, env: Env) -> Value:
    return written(value, form, "strflocaltime", zone_of(env))


def todate(value: Value, env: Env) -> Value:
    return strftime(value, ISO, env)


def fromdate(value: Value, env: Env) -> Value:
    return mktime(strptime(value, ISO, env), env)


# ---------------------------------------------------------------- reading

NAMES = {
    "a": [name.lower() for name in DAYS], "b": [name.lower() for name in MONTHS],
}  # fmt: skip
SAME = {"A": "a", "B": "b", "h": "b", "e": "d", "k": "H", "l": "I"}
TOGETHER = {"D": "%m/%d/%y", "F": "%Y-%m-%d", "R": "%H:%M", "T": "%H:%M:%S",
            "c": "%a %b %e %H:%M:%S %Y", "r": "%I:%M:%S %p", "x": "%m/%d/%y",
            "X": "%H:%M:%S"}  # fmt: skip
# The most digits of a number, and its bounds.
DIGITS = {
    "d": (2, 1, 31), "H": (2, 0, 23), "I": (2, 1, 12), "j": (3, 1, 366), "m": (2, 1, 12),
    "M": (2, 0, 59), "S": (2, 0, 61), "y": (2, 0, 99), "Y": (4, 0, 9999), "C": (2, 0, 99),
    "u": (1, 1, 7), "w": (1, 0, 6), "U": (2, 0, 53), "V": (2, 0, 53), "W": (2, 0, 53),
    "G": (4, 0, 9999), "g": (2, 0, 99), "s": (18, 0, FARTHEST),
}  # fmt: skip
OFFSET = re.compile(r"Z|([-+])(\d\d):?(\d\d)?")
WORD = re.compile(r"[A-Za-z]+")


class NoMatch(Exception):
    """A text is not as its format says."""


def strptime(value: Value, form: Value, env: Env) -> Value:
    """A text as a time in parts."""
    if value.__class__ is not str or form.__class__ is not str:
        raise JqError("strptime/1 requires string inputs and arguments")
    found: dict[str, int] = {}
    try:
        end = read(value, 0, form, found)
        if value[end : end + 1].strip():
            raise NoMatch
    except NoMatch:
        raise JqError(f'date "{value}" does not match format "{form}"') from None
    rest = [value[end:]] if end < len(value) else []  # what stands behind a blank is given back
    return assembled(found) + rest


def read(text: str, at: int, form: str, found: dict[str, int]) -> int:
    """Read a text by a format; where it ends. NoMatch."""
    i = 0
    while i < len(form):
        char = form[i]
        i += 1
        if char.isspace():
            at += len(text[at:]) - len(text[at:].lstrip())
        elif char != "%" or i == len(form):
            if text[at : at + 1] != char:
                raise NoMatch
            at += 1
        else:
            letter = form[i]
            i += 1
            at = directive(text, at, letter, found)
    return at


def directive(text: str, at: int, letter: str, found: dict[str, int]) -> int:
    """Read what a directive stands for; where it ends."""
    letter = SAME.get(letter, letter)
    if letter in TOGETHER:
        return read(text, at, TOGETHER[letter], found)
    if letter in NAMES:
        return name(text, at, letter, found)
    if letter in DIGITS:
        return number(text, at, letter, found)
    if letter == "z":
        offset = OFFSET.match(text, at)
        if offset is None:
            raise NoMatch
        return offset.end()
    if letter == "Z":
        word = WORD.match(text, at)
        if word is None:
            raise NoMatch
        return word.end()
    if letter == "p":
        half = text[at : at + 2].upper()
        if half not in ("AM", "PM"):
            raise NoMatch
        found["p"] = int(half == "PM")
        return at + 2
    if letter in "nt":
        return at + len(text[at:]) - len(text[at:].lstrip())
    if letter == "%" and text[at : at + 1] == "%":
        return at + 1
    raise NoMatch


def name(text: str, at: int, letter: str, found: dict[str, int]) -> int:
    """Read the name of a day or of a month, whole or by three letters."""
    here = text[at : at + 12].lower()
    for place, whole_name in enumerate(NAMES[letter]):
        for word in (whole_name, whole_name[:3]):
            if here.startswith(word):
                keep(found, *(("m", place + 1) if letter == "b" else ("w", place)))
                return at + len(word)
    raise NoMatch


def number(text: str, at: int, letter: str, found: dict[str, int]) -> int:
    """Read a number within its bounds, and blanks in front of it."""
    most, low, high = DIGITS[letter]
    at += len(text[at:]) - len(text[at:].lstrip(" "))
    end = at
    while end < len(text) and end < at + most and text[end] in "0123456789":
        end += 1
    if end == at or not low <= int(text[at:end]) <= high:
        raise NoMatch
    value = int(text[at:end])
    keep(found, *(("w", value % 7) if letter == "u" else (letter, value)))
    return end


# What another one that comes later says instead.
INSTEAD = {"Y": "y", "y": "Y", "C": "Y", "H": "I", "I": "H", "U": "W", "W": "U"}


def keep(found: dict[str, int], letter: str, value: int) -> None:
    """Note what was read, in place of what says otherwise."""
    for other in INSTEAD.get(letter, ""):
        found.pop(other, None)
    found[letter] = value


def assembled(found: dict[str, int]) -> Value:
    """The parts of a time out of what was read, completed as by strptime of the C library."""
    if "s" in found:
        return parts(found["s"], UTC_ZONE, "gmtime")
    year = year_of(found)
    month, yearday = (found[letter] - 1 if letter in found else None for letter in "mj")
    day, weekday = found.get("d"), found.get("w")
    has_date = not found.keys().isdisjoint("YyCmd")
    if weekday is not None and ("U" in found or "W" in found):
        in_week = day_in_week(year, found, weekday) if yearday is None else yearday
        if month is None or day is None:
            month, day = filled(year, month, day, in_week)
        yearday = in_week
    elif weekday is None and has_date and yearday is not None:
        month, day = filled(year, month, day, yearday)
    days = days_before(year, (month or 0) + 1, day or 0)
    if has_date and weekday is None:
        weekday = (days + 4) % 7
    if has_date and yearday is None:
        yearday = days - days_before(year, 1, 1)
    hour = found["I"] % 12 + 12 * found.get("p", 0) if "I" in found else found.get("H", 0)
    return [
        year, month or 0, day or 0, hour, found.get("M", 0), found.get("S", 0),
        NO_WEEKDAY if weekday is None else weekday, NO_YEARDAY if yearday is None else yearday,
    ]  # fmt: skip


def year_of(found: dict[str, int]) -> int:
    """The year that was read, or 1900."""
    if "y" in found:
        return found.get("C", 19 if found["y"] >= 69 else 20) * 100 + found["y"]
    return found["C"] * 100 if "C" in found else found.get("Y", 1900)


def filled(year: int, month: int | None, day: int | None, yearday: int) -> tuple[int, int]:
    """The month and the day, those that were not read by the day of the year."""
    _, of_year, of_month = date_of(days_before(year, 1, 1) + yearday)
    return of_year - 1 if month is None else month, of_month if day is None else day


def day_in_week(year: int, found: dict[str, int], weekday: int) -> int:
    """The day of the year that a weekday is in a week, which begins with Sunday or Monday."""
    first = int("U" not in found)
    week = found["W" if first else "U"]
    january = (days_before(year, 1, 1) + 4) % 7
    return (7 - (january - first)) % 7 + (week - 1) * 7 + (weekday - first) % 7


TIMED: dict[str, Callable[..., Value]] = {
    "gmtime/0": gmtime, "localtime/0": localtime, "mktime/0": mktime, "todate/0": todate,
    "todateiso8601/0": todate, "date/0": todate, "fromdate/0": fromdate,
    "fromdateiso8601/0": fromdate, "strftime/1": strftime, "strflocaltime/1": strflocaltime,
    "strptime/1": strptime,
}  # fmt: skip
