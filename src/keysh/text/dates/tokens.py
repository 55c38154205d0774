"""The tokens of a date in words, `next friday 10:00 +2 days`, and what each word means.

A token is a kind and a value. The kinds: "number" and "signed" (a NumberToken), "unit" (a name and
a count), "month", "day" (of the week), "ordinal", "shift" (days: tomorrow), "ago", "meridian",
"zone" and "daylight" (seconds east of UTC), "local" (a name of the local zone, and whether it is
summer time), "dst", and the characters `T : / ,`, which stand for themselves.
"""

from __future__ import annotations

import re

from keysh.text.dates.calendar import SECOND_NANOSECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Token: TypeAlias = "tuple[str, object]"

MONTH_WORDS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
DAY_WORDS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
ODD_WORDS: dict[str, Token] = {
    "sept": ("month", 9), "tues": ("day", 2), "wednes": ("day", 3), "thur": ("day", 4),
    "thurs": ("day", 4), "am": ("meridian", 0), "a.m.": ("meridian", 0), "pm": ("meridian", 12),
    "p.m.": ("meridian", 12), "dst": ("dst", None), "ago": ("ago", -1), "hence": ("ago", 1),
    "t": ("T", None),
}  # fmt: skip
UNIT_WORDS = {
    "year": ("year", 1), "month": ("month", 1), "fortnight": ("day", 14), "week": ("day", 7),
    "day": ("day", 1), "hour": ("hour", 1), "minute": ("minute", 1), "min": ("minute", 1),
    "second": ("second", 1), "sec": ("second", 1),
}  # fmt: skip
SHIFT_WORDS = {"tomorrow": 1, "yesterday": -1, "today": 0, "now": 0}
ORDINAL_WORDS = {
    "last": -1, "this": 0, "next": 1, "first": 1, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip
HOUR_SECONDS = 3600
# Names of zones that are built into GNU's parser; "daylight" ones are an hour ahead.
UTC_NAMES = ("gmt", "ut", "utc")
ZONE_OFFSETS = {
    "wet": 0.0, "art": -3.0, "brt": -3.0, "nst": -3.5, "ast": -4.0, "clt": -4.0, "est": -5.0,
    "cst": -6.0, "mst": -7.0, "pst": -8.0, "akst": -9.0, "hst": -10.0, "hast": -10.0, "sst": -12.0,
    "wat": 1.0, "cet": 1.0, "met": 1.0, "mez": 1.0, "eet": 2.0, "cat": 2.0, "sast": 2.0,
    "eat": 3.0, "msk": 3.0, "ist": 5.5, "sgt": 8.0, "kst": 9.0, "jst": 9.0, "gst": 10.0,
    "nzst": 12.0,
}  # fmt: skip
DAYLIGHT_OFFSETS = {
    "west": 0.0, "bst": 0.0, "brst": -3.0, "ndt": -3.5, "adt": -4.0, "clst": -4.0, "edt": -5.0,
    "cdt": -6.0, "mdt": -7.0, "pdt": -8.0, "akdt": -9.0, "hadt": -10.0, "cest": 1.0, "mest": 1.0,
    "mesz": 1.0, "eest": 2.0, "msd": 3.0, "nzdt": 12.0,
}  # fmt: skip
MILITARY_OFFSETS = {
    **{letter: HOUR_SECONDS * (index + 1) for index, letter in enumerate("abcdefghiklm")},
    **{letter: -HOUR_SECONDS * (index + 1) for index, letter in enumerate("nopqrs")},
    **{letter: -HOUR_SECONDS * (index + 8) for index, letter in enumerate("uvwxy")},
    "z": 0,
}

TOKEN_PATTERN = re.compile(
    r"(?P<sign>[-+](?:\s*[-+])*)?\s*(?P<whole>[0-9]+)(?:[.,](?P<fraction>[0-9]+))?"
    r"|[-+]\s*|(?P<word>[A-Za-z][A-Za-z.]*)|(?P<other>.)",
    re.DOTALL,
)
DATE_BLANKS = " \t\n\v\f\r"


class InvalidDate(Exception):
    """The text is not a date."""


class NumberToken:
    """A number: its value, the count of its digits, and its fraction in nanoseconds."""

    __slots__ = ("count", "is_negative", "is_whole", "nanosecond", "value")

    def __init__(self, digits: str, fraction: str | None, is_negative: bool) -> None:
        self.count, self.is_whole, self.is_negative = len(digits), fraction is None, is_negative
        value = int(digits)
        if value >= 1 << 63:
            raise InvalidDate
        # A fraction finer than nanoseconds is rounded down.
        billionths = value * 10**9 + int((fraction or "0")[:9].ljust(9, "0"))
        if is_negative:
            billionths = -billionths - bool((fraction or "")[9:].strip("0"))
        whole, self.nanosecond = divmod(billionths, 10**9)
        self.value = -value if is_negative and fraction is None else whole


def tokenize_date(text: str, local: dict[str, bool]) -> Iterator[Token]:
    """Yield the tokens; `local` maps the local zone's names to whether they are summer time."""
    position = 0
    while position < len(text):
        char = text[position]
        if char in DATE_BLANKS:
            position += 1
        elif char == "(":
            position = comment_end(text, position)
        else:
            match = TOKEN_PATTERN.match(text, position)
            assert match is not None
            position = match.end()
            if match["whole"] is not None:
                sign = match["sign"]
                number = NumberToken(match["whole"], match["fraction"], (sign or "")[-1:] == "-")
                yield ("signed" if sign else "number"), number
            elif match["word"] is not None:
                yield word_token(match["word"].lower(), local)
            elif match["other"] is not None:
                yield match["other"], None


def comment_end(text: str, position: int) -> int:
    """Return the position after a comment in parentheses; they nest, and may stay open."""
    depth = 0
    while position < len(text):
        depth += (text[position] == "(") - (text[position] == ")")
        position += 1
        if not depth:
            break
    return position


def word_token(word: str, local: dict[str, bool]) -> Token:
    """Return the token of a word."""
    short = word.removesuffix(".") if len(word) == 4 else word
    for kind, names in (("month", MONTH_WORDS), ("day", DAY_WORDS)):
        for index, name in enumerate(names):
            if word == name or (len(short) == 3 and name.startswith(short)):
                return kind, index + (kind == "month")
    if word in ODD_WORDS:
        return ODD_WORDS[word]
    zone = zone_token(word, local)
    if zone is not None:
        return zone
    unit = UNIT_WORDS.get(word) or UNIT_WORDS.get(word.removesuffix("s"))
    if unit is not None:
        return "unit", unit
    if word in SHIFT_WORDS:
        return "shift", SHIFT_WORDS[word]
    if word in ORDINAL_WORDS:
        return "ordinal", ORDINAL_WORDS[word]
    if word in MILITARY_OFFSETS:
        return "zone", MILITARY_OFFSETS[word]
    zone = zone_token(word.replace(".", ""), local) if "." in word else None
    if zone is None:
        raise InvalidDate
    return zone


def zone_token(word: str, local: dict[str, bool]) -> Token | None:
    """Return the token of a zone's name, or None if it is unknown."""
    if word in UTC_NAMES:
        return "zone", 0
    if word in local:
        return "local", local[word]
    if word in ZONE_OFFSETS:
        return "zone", int(ZONE_OFFSETS[word] * HOUR_SECONDS)
    if word in DAYLIGHT_OFFSETS:
        return "daylight", int(DAYLIGHT_OFFSETS[word] * HOUR_SECONDS) + HOUR_SECONDS
    return None


def split_zone(text: str) -> tuple[str, str]:
    """Return the name in `TZ="…"`, and the rest of the text."""
    name: list[str] = []
    position = len('TZ="')
    while position < len(text):
        char = text[position]
        if char == '"':
            return "".join(name), text[position + 1 :].lstrip()
        position += char == "\\"
        name.append(text[position : position + 1])
        position += 1
    raise InvalidDate


def parse_epoch_seconds(text: str) -> int:
    """Return the time of `@SECONDS` in nanoseconds."""
    tokens = [*tokenize_date(text[1:], {})]
    if len(tokens) != 1 or not isinstance(tokens[0][1], NumberToken):
        raise InvalidDate
    number = tokens[0][1]
    return number.value * SECOND_NANOSECONDS + number.nanosecond
