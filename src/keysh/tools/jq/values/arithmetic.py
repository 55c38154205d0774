"""The operators `+ - * / %` on every pair of kinds that has one."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import MAX_EXACT_INT, NAN, as_float, int_if_exact
from keysh.tools.jq.values.value import (
    MAX_ARRAY_ITEMS,
    MAX_STRING_CHARS,
    error_about,
    error_about_pair,
    is_equal,
    is_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.jq.values.value import Value

MIN_INT64, MAX_INT64 = -(1 << 63), (1 << 63) - 1


def add(one: Value, other: Value) -> Value:
    """`+`: numbers are added, texts and arrays joined, objects merged; null is nothing."""
    kind, other_kind = one.__class__, other.__class__
    if kind is int and other_kind is int:
        total = one + other
        return (
            total if -MAX_EXACT_INT <= total <= MAX_EXACT_INT else as_float(one) + as_float(other)
        )
    if kind is str and other_kind is str:
        return check_value_size(one + other, MAX_STRING_CHARS)
    if one is None:
        return other
    if other is None:
        return one
    if is_number(one) and is_number(other):
        return as_float(one) + as_float(other)
    if kind is list and other_kind is list:
        return check_value_size(one + other, MAX_ARRAY_ITEMS)
    if kind is dict and other_kind is dict:
        return one | other
    raise error_about_pair(one, other, "cannot be added")


def check_value_size(made: Value, most: int) -> Value:
    """A text or an array that has not grown beyond all bounds."""
    if len(made) > most:
        what = "characters" if made.__class__ is str else "items"
        raise JqError(f"a value has {len(made)} {what}, {most} are allowed")
    return made


def subtract(one: Value, other: Value) -> Value:
    """`-`: numbers, or an array without the items of another."""
    kind, other_kind = one.__class__, other.__class__
    if kind is int and other_kind is int:
        total = one - other
        return (
            total if -MAX_EXACT_INT <= total <= MAX_EXACT_INT else as_float(one) - as_float(other)
        )
    if is_number(one) and is_number(other):
        return as_float(one) - as_float(other)
    if kind is list and other_kind is list:
        return [item for item in one if not any(is_equal(item, gone) for gone in other)]
    raise error_about_pair(one, other, "cannot be subtracted")


def multiply(one: Value, other: Value) -> Value:
    """`*`: numbers, a text so many times, or objects merged deeply."""
    kind, other_kind = one.__class__, other.__class__
    if is_number(one) and is_number(other):
        if kind is int and other_kind is int:
            product = one * other
            if product and -MAX_EXACT_INT <= product <= MAX_EXACT_INT:
                return product
        return int_if_exact(as_float(one) * as_float(other))
    if kind is str and is_number(other):
        return repeat_text(one, other)
    if other_kind is str and is_number(one):
        return repeat_text(other, one)
    if kind is dict and other_kind is dict:
        return merge_objects(one, other)
    raise error_about_pair(one, other, "cannot be multiplied")


def repeat_text(text: str, times: float) -> Value:
    """A text so many times; null where that is less than none."""
    if not times >= 0:
        return None
    count = int(min(times, MAX_STRING_CHARS + 1))
    if count * len(text) > MAX_STRING_CHARS:
        message = f"a value has {count * len(text)} characters, {MAX_STRING_CHARS} are allowed"
        raise JqError(message)
    return text * count


def merge_objects(one: dict[str, Value], other: dict[str, Value]) -> dict[str, Value]:
    """Two objects as one; where both have an object, these are merged too."""
    made = dict(one)
    for key, value in other.items():
        there = made.get(key)
        if isinstance(there, dict) and isinstance(value, dict):
            made[key] = merge_objects(there, value)
        else:
            made[key] = value
    return made


def divide(one: Value, other: Value) -> Value:
    """`/`: numbers, or a text cut at another."""
    if is_number(one) and is_number(other):
        if other == 0:
            raise error_about_pair(one, other, "cannot be divided because the divisor is zero")
        return int_if_exact(as_float(one) / as_float(other))
    if one.__class__ is str and other.__class__ is str:
        return split_at(one, other)
    raise error_about_pair(one, other, "cannot be divided")


def split_at(text: str, separator: str) -> list[str]:
    """A text cut at each separator, at each character for an empty one."""
    if not text:
        return []
    return text.split(separator) if separator else list(text)


def remainder(one: Value, other: Value) -> Value:
    """`%`: of whole numbers, with the sign of the first."""
    if not (is_number(one) and is_number(other)):
        raise error_about_pair(one, other, "cannot be divided (remainder)")
    if one != one or other != other:
        return NAN
    number, divisor = clamp_to_int64(one), clamp_to_int64(other)
    if divisor == 0:
        raise error_about_pair(
            one, other, "cannot be divided (remainder) because the divisor is zero"
        )
    rest = abs(number) % abs(divisor)
    return -rest if number < 0 else rest


def clamp_to_int64(number: float) -> int:
    """A number as a whole one of 64 bits."""
    return int(min(max(as_float(number), MIN_INT64), MAX_INT64))


def negate(value: Value) -> Value:
    """`-`, in front of one number."""
    if not is_number(value):
        raise error_about(value, "cannot be negated")
    if value.__class__ is int and value:
        return -value if -MAX_EXACT_INT <= value <= MAX_EXACT_INT else -as_float(value)
    return -as_float(value)
