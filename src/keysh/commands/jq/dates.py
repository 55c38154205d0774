"""Dates: seconds since 1970, times in parts, and times as text.

A time in parts is an array: year, month from 0, day, hours, minutes, seconds with a fraction,
weekday from Sunday as 0, day of the year from 0.
"""

from __future__ import annotations

import math
import re

from keysh.commands.jq.failure import JqError
from keysh.commands.jq.number import whole
from keysh.commands.jq.value import is_number
from keysh.text.calendar import DAY, SECOND, date_of, days_before
from keysh.text.moment import Moment
from keysh.text.strftime import DAYS, MONTHS, formatted
from keysh.text.time_zone import UTC_ZONE, Zone, zone_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.commands.jq.code import Env, Value

FARTHEST = 10**14  # seconds from 1970
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
    if len(broken) < 6 or not all(is_number(part) and abs(part) < FARTHEST for part in broken):
        raise JqError(f"{name} requires parsed datetime inputs")
    year, month, day, hour, minute, second = (int(part) for part in broken[:6])
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
        return formatted(form, Moment(local * SECOND, zone))
    return formatted(form, Moment(zone.seconds_at(local) * SECOND, zone))


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
    "u": (1, 1, 7), "w": (1, 0, 6), "U": (2, 0, 53), "V": (2, 1, 53), "W": (2, 0, 53),
    "s": (18, 0, FARTHEST),
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
        if end < len(value):
            raise NoMatch
    except NoMatch:
        raise JqError(f'date "{value}" does not match format "{form}"') from None
    return assembled(found)


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
                found[letter] = place
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
    found[letter] = int(text[at:end])
    return end


def assembled(found: dict[str, int]) -> Value:
    """The parts of a time out of what was read."""
    if "s" in found:
        return parts(found["s"], UTC_ZONE, "gmtime")
    year = found.get("Y", 1900)
    if "y" in found:
        year = found["y"] + (1900 if found["y"] >= 69 else 2000)
        if "C" in found:
            year = found["C"] * 100 + found["y"]
    month = found["m"] - 1 if "m" in found else found.get("b", 0)
    day = found.get("d", 0)
    hour = found.get("H", 0)
    if "I" in found:
        hour = found["I"] % 12 + 12 * found.get("p", 0)
    if "j" in found and "d" not in found:
        _, of_year, day = date_of(days_before(year, 1, 1) + found["j"] - 1)
        month = of_year - 1
    days = days_before(year, month + 1, day)
    yearday = days - days_before(year, 1, 1)
    return [
        year, month, day, hour, found.get("M", 0), found.get("S", 0), (days + 4) % 7, yearday,
    ]  # fmt: skip


TIMED: dict[str, Callable[..., Value]] = {
    "gmtime/0": gmtime, "localtime/0": localtime, "mktime/0": mktime, "todate/0": todate,
    "todateiso8601/0": todate, "date/0": todate, "fromdate/0": fromdate,
    "fromdateiso8601/0": fromdate, "strftime/1": strftime, "strflocaltime/1": strflocaltime,
    "strptime/1": strptime,
}  # fmt: skip
