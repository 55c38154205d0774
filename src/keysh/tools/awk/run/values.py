"""The values of awk and their conversion to numbers, strings and truth values.

    float           a number
    str             a string
    NumericString   a string from the input that looks like a number and is compared as one
    UNSET           no value yet: 0 as a number, empty as a string
    Array           an array; its keys are strings

A record and its fields are plain strings until they are stored or compared. Then `input_value`
turns those that look like numbers into NumericStrings.
"""

from __future__ import annotations

import math
import re

from keysh.tools.awk.run.hash_order import hash_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Value: TypeAlias = Any  # a float, a str or an Array: generated code tells them apart

NUMBER_PATTERN = re.compile(
    r"[ \t\n\v\f\r]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
)
INF_NAN_PATTERN = re.compile(r"[ \t\n]*([-+](?:nan|inf))(?![a-z0-9_])", re.IGNORECASE)
BLANK_CHARACTERS = " \t\n\v\f\r"
NUMBER_STARTS = frozenset([*BLANK_CHARACTERS, *"+-.0123456789"])  # first characters of numbers
MAX_CACHED_NUMBER_TEXTS, MAX_CACHED_TEXT_CHARACTERS = 50_000, 1000


class Unset(float):
    """The value of an unset variable."""

    __slots__ = ()

    def __str__(self) -> str:
        return ""


UNSET = Unset()


class NumericString(str):
    """A string from the input that looks like a number (gawk's strnum)."""

    __slots__ = ("number",)
    number: float


class AssignedString(str):
    """A string assigned to a field. Unlike one read from the input it is never a number."""

    __slots__ = ()


class RegexValue(str):
    """`@/ERE/`: a regular expression as a value."""

    __slots__ = ()


class Array(dict[str, "Value"]):
    """An array. Reading a missing element creates it."""

    # What its order depends on once keys were deleted: the first key, and the largest number of
    # keys. Not slots, since few arrays have values of their own.
    first: str | None = None
    peak = 0

    def __missing__(self, key: str) -> Value:
        self[key] = UNSET
        return UNSET

    def remove(self, key: str) -> None:
        """Remove an element, if it exists."""
        if key in self:
            if self.first is None:
                self.first = next(iter(self))
            self.peak = max(self.peak, len(self))
            del self[key]
            if not self:
                self.clear()

    def clear(self) -> None:
        super().clear()
        if self.peak:
            self.first, self.peak = None, 0

    def order(self, tick: Callable[[], object]) -> list[str]:
        """Return the keys in the order of `for (k in array)`."""
        if not self:
            return []
        return hash_order(
            [*self], next(iter(self)) if self.first is None else self.first, self.peak, tick
        )

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class NumberTexts(dict[float, str]):
    """A cache of numbers as text. Never look up UNSET, because it equals zero."""

    __slots__ = ("formatter",)

    def __init__(self, formatter: Callable[[float], str]) -> None:
        super().__init__()
        self.formatter = formatter

    def __missing__(self, number: float) -> str:
        text = str(int(number)) if number.is_integer() else text_of_number(number, self.formatter)
        if len(self) >= MAX_CACHED_NUMBER_TEXTS:
            self.clear()
        if len(text) <= MAX_CACHED_TEXT_CHARACTERS:
            self[number] = text
        return text


def text_of_number(number: float, formatter: Callable[[float], str]) -> str:
    """Return a number as text: an integer in full, another by CONVFMT or OFMT."""
    try:
        whole = int(number)
    except (OverflowError, ValueError):
        return inf_nan_text(number)
    return str(whole) if whole == number else formatter(number)


def inf_nan_text(number: float) -> str:
    """Return `+inf`, `-inf`, `+nan` or `-nan`."""
    name = "nan" if math.isnan(number) else "inf"
    return ("-" if math.copysign(1.0, number) < 0 else "+") + name


def number_of(value: Value) -> float:
    """Return a value as a number. Of a string that is the number it begins with."""
    kind = value.__class__
    if kind is float:
        return value  # type: ignore[no-any-return]
    if kind is NumericString:
        return value.number  # type: ignore[no-any-return]
    if kind is Unset:
        return 0.0
    if kind is Array:
        raise ArrayAsScalar
    if value[:1] not in NUMBER_STARTS:
        return 0.0
    number = parse_plain_float(value)
    if number is not None:
        return number
    match = NUMBER_PATTERN.match(value) or INF_NAN_PATTERN.match(value)
    return float(match[1]) if match is not None else 0.0


def parse_plain_float(text: str) -> float | None:
    """Return the number that Python reads; None where awk might read another."""
    if not text.isascii() or "_" in text or not text.isprintable():
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if -math.inf < number < math.inf else None


class ArrayAsScalar(Exception):
    """An array is used as a number or a string."""


def input_value(value: Value) -> Value:
    """Return text from the input as a value: a NumericString if it looks like a number."""
    if value.__class__ is not str:
        return str(value) if value.__class__ is AssignedString else value
    if value[:1] not in NUMBER_STARTS:
        return value
    number = float(value) if value.isascii() and value.isdecimal() else parse_plain_float(value)
    if number is None:
        match = NUMBER_PATTERN.match(value) or INF_NAN_PATTERN.match(value)
        if match is None or value[match.end() :].strip(BLANK_CHARACTERS):
            return value
        number = float(match[1])
    numeric = NumericString(value)
    numeric.number = number
    return numeric


def truth(value: Value) -> bool:
    """Return whether a value is true: a number other than 0, or a string that is not empty."""
    kind = value.__class__
    if kind is NumericString:
        return value.number != 0.0  # type: ignore[no-any-return]
    if kind is Array:
        raise ArrayAsScalar
    return bool(value)


def truth_of_input(value: Value) -> bool:
    """Return whether a field is true."""
    return truth(input_value(value))


def compare_input(text: str, number: float) -> float:
    """Compare a field as it was read with a number, like `compare`."""
    field_number = parse_plain_float(text) if text[:1] in NUMBER_STARTS else None
    if field_number is not None:
        if field_number < number:
            return -1
        if field_number > number:
            return 1
    return compare(input_value(text), number)


def compare(left: Value, right: Value) -> float:
    """Return a number below 0, 0 or above 0; NaN if the values are unordered.

    Two values are compared as numbers if both are numbers or look like numbers, else as strings.
    """
    left_type = left.__class__
    right_type = right.__class__
    if left_type is Array or right_type is Array:
        raise ArrayAsScalar
    if left_type in STRING_TYPES or right_type in STRING_TYPES:
        a, b = comparison_text(left), comparison_text(right)
        return (a > b) - (a < b)
    x = left.number if left_type is NumericString else left
    y = right.number if right_type is NumericString else right
    if x == y:
        return 0
    if x < y:
        return -1
    return 1 if x > y else math.nan


STRING_TYPES = {str, RegexValue}


def comparison_text(value: Value) -> str:
    """Return a value as text for comparison with a string."""
    return text_of_number(value, default_number_text) if value.__class__ is float else str(value)


def default_number_text(number: float) -> str:
    """Format a number by the default CONVFMT."""
    return f"{number:.6g}"


def type_name(value: Value) -> str:
    """Return the name of a value's type, for `typeof`."""
    names = {float: "number", NumericString: "strnum", Unset: "untyped", Array: "array",
             RegexValue: "regexp"}  # fmt: skip
    return names.get(value.__class__, "string")


def type_of_field(index: float, fields: list[Value], value: Value) -> str:
    """Return the name of a field's type, for `typeof`. Fields after the last are unassigned."""
    return "unassigned" if index > len(fields) else type_name(value)


def is_text(value: Value) -> bool:
    """Return whether a value is a string only, and never a number."""
    return value.__class__ not in (float, NumericString, Unset)
