"""The operators `+ - * / %`, on every pair of types that supports them."""

from __future__ import annotations

from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS, split_in_slices
from keysh.text.chunks import text_bytes
from keysh.tools.jq.values.bounds import FREE_CHARACTERS
from keysh.tools.jq.values.number import MAX_EXACT_INT, NAN, as_float, int_if_exact
from keysh.tools.jq.values.value import (
    error_about,
    error_about_pair,
    is_equal,
    is_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.jq.values.bounds import JqBounds
    from keysh.tools.jq.values.value import Value

MIN_INT64, MAX_INT64 = -(1 << 63), (1 << 63) - 1


def add(left: Value, right: Value, bounds: JqBounds) -> Value:
    """`+`: add numbers, join strings or arrays, merge objects; null changes nothing."""
    left_kind, right_kind = left.__class__, right.__class__
    if left_kind is int and right_kind is int:
        total = left + right
        return (
            total if -MAX_EXACT_INT <= total <= MAX_EXACT_INT else as_float(left) + as_float(right)
        )
    if left_kind is str and right_kind is str:
        if len(left) + len(right) > FREE_CHARACTERS:
            bounds.check_texts((left, right))
        return left + right
    if left is None:
        return right
    if right is None:
        return left
    if is_number(left) and is_number(right):
        return as_float(left) + as_float(right)
    if left_kind is list and right_kind is list:
        bounds.check_items(len(left) + len(right))
        return left + right
    if left_kind is dict and right_kind is dict:
        bounds.check_items(len(left) + len(right))
        return left | right
    raise error_about_pair(left, right, "cannot be added")


def subtract(left: Value, right: Value, bounds: JqBounds) -> Value:
    """`-`: subtract numbers, or remove the items of one array from another."""
    left_kind, right_kind = left.__class__, right.__class__
    if left_kind is int and right_kind is int:
        total = left - right
        return (
            total if -MAX_EXACT_INT <= total <= MAX_EXACT_INT else as_float(left) - as_float(right)
        )
    if is_number(left) and is_number(right):
        return as_float(left) - as_float(right)
    if left_kind is list and right_kind is list:
        turn = bounds.turn
        return [
            item
            for item in left
            if not any(turn() or is_equal(item, removed, turn) for removed in right)
        ]
    raise error_about_pair(left, right, "cannot be subtracted")


def multiply(left: Value, right: Value, bounds: JqBounds) -> Value:
    """`*`: multiply numbers, repeat a string, or merge objects deeply."""
    left_kind, right_kind = left.__class__, right.__class__
    if is_number(left) and is_number(right):
        if left_kind is int and right_kind is int:
            product = left * right
            if product and -MAX_EXACT_INT <= product <= MAX_EXACT_INT:
                return product
        return int_if_exact(as_float(left) * as_float(right))
    if left_kind is str and is_number(right):
        return repeat_text(left, right, bounds)
    if right_kind is str and is_number(left):
        return repeat_text(right, left, bounds)
    if left_kind is dict and right_kind is dict:
        return merge_objects(left, right, bounds)
    raise error_about_pair(left, right, "cannot be multiplied")


def repeat_text(text: str, times: float, bounds: JqBounds) -> Value:
    """Repeat a string; null if `times` is negative."""
    if not times >= 0:
        return None
    count = int(min(times, MAX_INT64))
    bounds.check_size(count * text_bytes(text))
    return text * count


def merge_objects(
    left: dict[str, Value], right: dict[str, Value], bounds: JqBounds
) -> dict[str, Value]:
    """Merge two objects; if a key holds an object in both, merge those too."""
    bounds.turn()
    bounds.check_items(len(left) + len(right))
    result = dict(left)
    for key, value in right.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = merge_objects(old, value, bounds)
        else:
            result[key] = value
    return result


def divide(left: Value, right: Value, bounds: JqBounds) -> Value:
    """`/`: divide numbers, or split a string."""
    if is_number(left) and is_number(right):
        if right == 0:
            raise error_about_pair(left, right, "cannot be divided because the divisor is zero")
        return int_if_exact(as_float(left) / as_float(right))
    if left.__class__ is str and right.__class__ is str:
        return split_at(left, right, bounds)
    raise error_about_pair(left, right, "cannot be divided")


def split_at(text: str, separator: str, bounds: JqBounds) -> list[str]:
    """Split a string at each separator; an empty separator splits it into characters."""
    if not text:
        return []
    if len(text) > FREE_CHARACTERS:
        bounds.check_items(text.count(separator) + 1)
    if len(text) > MAX_SLICE_CHARACTERS and len(separator) <= 1:
        return split_in_slices(text, separator, bounds.tick)
    return text.split(separator) if separator else list(text)


def remainder(left: Value, right: Value, bounds: JqBounds) -> Value:
    """`%`: the remainder of the integer parts, with the sign of the first operand."""
    if not (is_number(left) and is_number(right)):
        raise error_about_pair(left, right, "cannot be divided (remainder)")
    if left != left or right != right:
        return NAN
    number, divisor = clamp_to_int64(left), clamp_to_int64(right)
    if divisor == 0:
        raise error_about_pair(
            left, right, "cannot be divided (remainder) because the divisor is zero"
        )
    rest = abs(number) % abs(divisor)
    return -rest if number < 0 else rest


def clamp_to_int64(number: float) -> int:
    """Truncate a number to an integer of 64 bits."""
    return int(min(max(as_float(number), MIN_INT64), MAX_INT64))


def negate(value: Value) -> Value:
    """Unary `-`."""
    if not is_number(value):
        raise error_about(value, "cannot be negated")
    if value.__class__ is int and value:
        return -value if -MAX_EXACT_INT <= value <= MAX_EXACT_INT else -as_float(value)
    return -as_float(value)
