"""The values of awk, and how they become numbers, texts and truths.

    float         a number
    str           a text
    Numeric       a text of the input that looks like a number, and counts as one when compared
    UNSET         what has no value yet: 0 as a number, empty as a text
    Array         an array; its keys are texts

A record and its fields are plain texts until they are kept or compared: `input_value` then says
which of them are Numeric.
"""

from __future__ import annotations

import math
import re

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
NUMBER_STARTS = frozenset([*BLANK_CHARACTERS, *"+-.0123456789"])  # what a number can begin with
MAX_CACHED_NUMBER_TEXTS = 50_000  # numbers whose texts are


class Unset(float):
    """The value of a variable without one."""

    __slots__ = ()

    def __str__(self) -> str:
        return ""


UNSET = Unset()


class NumericString(str):
    """A text of the input that looks like a number."""

    __slots__ = ("number",)
    number: float


class AssignedString(str):
    """A text that was assigned to a field: unlike what was read, it never counts as a number."""

    __slots__ = ()


class RegexValue(str):
    """`@/ERE/`: a regular expression as a value."""

    __slots__ = ()


class Array(dict[str, "Value"]):
    """An array: asking for an element makes it."""

    __slots__ = ()

    def __missing__(self, key: str) -> Value:
        self[key] = UNSET
        return UNSET

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class NumberTexts(dict[float, str]):
    """The texts of numbers, remembered. UNSET is not to be asked for: it equals zero."""

    __slots__ = ("formatter",)

    def __init__(self, form: Callable[[float], str]) -> None:
        super().__init__()
        self.formatter = form

    def __missing__(self, number: float) -> str:
        made = str(int(number)) if number.is_integer() else text_of_number(number, self.formatter)
        if len(self) >= MAX_CACHED_NUMBER_TEXTS:
            self.clear()
        self[number] = made
        return made


def text_of_number(number: float, form: Callable[[float], str]) -> str:
    """A number as text: a whole one by its digits, another as CONVFMT or OFMT says."""
    try:
        whole = int(number)
    except (OverflowError, ValueError):
        return inf_nan_text(number)
    return str(whole) if whole == number else form(number)


def inf_nan_text(number: float) -> str:
    """`+inf`, `-nan` and the like."""
    name = "nan" if math.isnan(number) else "inf"
    return ("-" if math.copysign(1.0, number) < 0 else "+") + name


def number_of(value: Value) -> float:
    """A value as a number: of a text, what it begins with."""
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
    found = NUMBER_PATTERN.match(value) or INF_NAN_PATTERN.match(value)
    return float(found[1]) if found is not None else 0.0


def parse_plain_float(text: str) -> float | None:
    """A text as Python reads it, where awk reads it alike; None where it may not."""
    if not text.isascii() or "_" in text or not text.isprintable():
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if -math.inf < number < math.inf else None


class ArrayAsScalar(Exception):
    """An array stands where a number or a text must."""


def input_value(value: Value) -> Value:
    """A text of the input as a value: Numeric if it looks like a number."""
    if value.__class__ is not str:
        return str(value) if value.__class__ is AssignedString else value
    if value[:1] not in NUMBER_STARTS:
        return value
    number = float(value) if value.isascii() and value.isdecimal() else parse_plain_float(value)
    if number is None:
        found = NUMBER_PATTERN.match(value) or INF_NAN_PATTERN.match(value)
        if found is None or value[found.end() :].strip(BLANK_CHARACTERS):
            return value
        number = float(found[1])
    made = NumericString(value)
    made.number = number
    return made


def truth(value: Value) -> bool:
    """Whether a value is true: a number that is not 0, a text that is not empty."""
    kind = value.__class__
    if kind is NumericString:
        return value.number != 0.0  # type: ignore[no-any-return]
    if kind is Array:
        raise ArrayAsScalar
    return bool(value)


def truth_of_input(value: Value) -> bool:
    """Whether a field is true."""
    return truth(input_value(value))


def compare_input(text: str, number: float) -> float:
    """Of a field that is no Assigned, and a number: below 0, 0 or above."""
    found = parse_plain_float(text) if text[:1] in NUMBER_STARTS else None
    if found is not None:
        if found < number:
            return -1
        if found > number:
            return 1
    return compare(input_value(text), number)


def compare(left: Value, right: Value) -> float:
    """Below 0, 0 or above: as numbers where both are or look like some, else as texts. A NaN is
    neither: then it is one, for which nothing holds but that it is not 0.
    """
    here = left.__class__
    there = right.__class__
    if here is Array or there is Array:
        raise ArrayAsScalar
    if here in STRING_TYPES or there in STRING_TYPES:
        a, b = comparison_text(left), comparison_text(right)
        return (a > b) - (a < b)
    x = left.number if here is NumericString else left
    y = right.number if there is NumericString else right
    if x == y:
        return 0
    if x < y:
        return -1
    return 1 if x > y else math.nan


STRING_TYPES = {str, RegexValue}


def comparison_text(value: Value) -> str:
    """A value as text where it is compared with one."""
    return text_of_number(value, default_number_text) if value.__class__ is float else str(value)


def default_number_text(number: float) -> str:
    """A number by the form that holds unless a program sets another."""
    return f"{number:.6g}"


def type_name(value: Value) -> str:
    """What `typeof` calls a value."""
    names = {float: "number", NumericString: "strnum", Unset: "untyped", Array: "array",
             RegexValue: "regexp"}  # fmt: skip
    return names.get(value.__class__, "string")


def type_of_field(index: float, fields: list[Value], value: Value) -> str:
    """What `typeof` calls a field; one behind the last has no type yet."""
    return "unassigned" if index > len(fields) else type_name(value)


def is_text(value: Value) -> bool:
    """Whether a value counts as a text only."""
    return value.__class__ not in (float, NumericString, Unset)
