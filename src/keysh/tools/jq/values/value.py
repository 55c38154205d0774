"""JSON values: their types, their order, and access to their parts.

A value is None, a bool, an int or float, a str, a list or a dict. It is never changed in place
once a filter has seen it.
"""

from __future__ import annotations

from keysh.text.bounds.slices import sorted_in_slices
from keysh.text.chunks import bytes_of_text
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import as_float, as_index, int_if_exact
from keysh.tools.jq.values.writer import do_nothing, json_beginning, json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from keysh.tools.jq.values.bounds import JqBounds

    Value = Any
    Turn = Callable[[], object]  # counts a step of a walk through a value

TYPE_NAMES: dict[type, str] = {
    type(None): "null", bool: "boolean", int: "number", float: "number", str: "string",
    list: "array", dict: "object",
}  # fmt: skip

MAX_STRING_CHARS = 1 << 26  # of a computed string
MAX_ARRAY_ITEMS = 1 << 24  # of a computed array


def type_name(value: Value) -> str:
    """Return jq's name of a value's type."""
    return TYPE_NAMES.get(value.__class__, "number")


def is_number(value: Value) -> bool:
    """Whether a value is a number, not a boolean."""
    return isinstance(value, int | float) and value.__class__ is not bool


def is_true(value: Value) -> bool:
    """Whether a value is true: all but null and false are."""
    return value is not None and value is not False


def abbreviated_json(value: Value, size: int = 14) -> str:
    """Return the JSON of a value for an error message, cut to `size` bytes."""
    text = json_beginning(value, size + 1)
    data = bytes_of_text(text)
    if len(data) <= size:
        return text
    return data[: size - 3].decode("utf-8", "replace") + "..."


def error_about(value: Value, message: str) -> JqError:
    """Make an error about one value."""
    return JqError(f"{type_name(value)} ({abbreviated_json(value)}) {message}")


def error_about_pair(left: Value, right: Value, message: str) -> JqError:
    """Make an error about two values."""
    shown_left = f"{type_name(left)} ({abbreviated_json(left)})"
    shown_right = f"{type_name(right)} ({abbreviated_json(right)})"
    return JqError(f"{shown_left} and {shown_right} {message}")


# ---------------------------------------------------------------- order

# null < false < true < numbers < strings < arrays < objects
TYPE_RANKS: dict[type, int] = {
    type(None): 0, int: 3, float: 3, str: 4, list: 5, dict: 6
}  # fmt: skip


def order_key(value: Value, turn: Turn = do_nothing) -> tuple[Any, ...]:
    """Return a key that makes Python order values as jq does."""
    turn()
    if value is True or value is False:
        return (2,) if value else (1,)
    rank = TYPE_RANKS.get(value.__class__, 3)
    if rank == 3:
        return (3, value) if value == value else (2.5, float("nan"))  # nan is less than any number
    if rank == 4:
        return (4, value)
    if rank == 5:
        return (5, [order_key(item, turn) for item in value])
    if rank == 6:
        keys = sorted(value)
        return (6, keys, [order_key(value[key], turn) for key in keys])
    return (0,)


def sort_key_function(
    values: list[Value], turn: Turn = do_nothing
) -> Callable[[Value], Any] | None:
    """Return the sort key for these values, or None if Python's own order is the same."""
    classes = set(map(type, values))
    if classes <= {int} or classes <= {str}:
        return None
    return lambda value: order_key(value, turn)


def sort_values(values: list[Value], bounds: JqBounds) -> list[Value]:
    """Sort values."""
    return sorted_in_slices(values, bounds.tick, sort_key_function(values, bounds.turn))


def is_equal(left: Value, right: Value, turn: Turn = do_nothing) -> bool:
    """Whether two values are equal; true is not 1, and nan is not nan."""
    kind = left.__class__
    if kind is right.__class__:
        if kind is str or kind is int:
            return bool(left == right)
        # Python compares arrays in one step, which may take for ever where they share parts.
        if kind is list:
            return len(left) == len(right) and all(
                turn() or is_equal(item, other, turn)
                for item, other in zip(left, right, strict=True)
            )
        if kind is dict:
            return left.keys() == right.keys() and all(
                turn() or is_equal(item, right[key], turn) for key, item in left.items()
            )
        return bool(left == right)
    if not (is_number(left) and is_number(right)):
        return False
    # Only two ints are compared by all of their digits.
    return as_float(left) == as_float(right)


def is_less(left: Value, right: Value, turn: Turn = do_nothing) -> bool:
    """Whether a value is less than another; nan is less than every number, even itself."""
    kind = left.__class__
    if kind is right.__class__ and (kind is int or kind is str):
        return bool(left < right)
    left_key, right_key = order_key(left, turn), order_key(right, turn)
    return left_key < right_key or left_key[0] == 2.5 == right_key[0]


def is_greater(left: Value, right: Value, turn: Turn = do_nothing) -> bool:
    """Whether a value is greater than another; nan never is."""
    kind = left.__class__
    if kind is right.__class__ and (kind is int or kind is str):
        return bool(left > right)
    return is_less(right, left, turn) and not (isinstance(left, float) and left != left)


# ---------------------------------------------------------------- access


def index(value: Value, key: Value, turn: Turn = do_nothing) -> Value:
    """`.[key]`."""
    if value.__class__ is dict and key.__class__ is str:
        return value.get(key)
    if value.__class__ is list and is_number(key):
        if key != key:
            return None
        position = as_index(key)
        size = len(value)
        if position < 0:
            position += size
        return value[position] if 0 <= position < size else None
    if key.__class__ is dict and value.__class__ in (list, str):
        start, end = slice_bounds(value, key)
        turn()
        return value[start:end]
    if value.__class__ is list and key.__class__ is list:
        return sublist_indices(value, key, turn)
    if value is None and (key.__class__ in (str, dict) or is_number(key)):
        return None
    raise index_error(value, key)


def index_error(value: Value, key: Value) -> JqError:
    """Make the error of `.[key]`, with the key if it is a short string."""
    if key.__class__ is str and len(bytes_of_text(key)) < 30:
        return JqError(f'Cannot index {type_name(value)} with string "{key}"')
    return JqError(f"Cannot index {type_name(value)} with {type_name(key)}")


def sublist_indices(items: list[Value], sublist: list[Value], turn: Turn = do_nothing) -> list[int]:
    """Return the indices where a list occurs in another; the empty one occurs nowhere."""
    size = len(sublist)
    if not size:
        return []
    last = len(items) - size + 1
    return [
        start for start in range(last)
        if all(turn() or is_equal(items[start + i], sublist[i], turn) for i in range(size))
    ]  # fmt: skip


def slice_bounds(value: list[Value] | str, key: dict[str, Value]) -> tuple[int, int]:
    """Return the indices where a slice `{"start": …, "end": …}` begins and ends."""
    size = len(value)
    start, end = key.get("start", False), key.get("end", False)  # may be null, not missing
    start = 0 if start is None else start
    end = size if end is None else end
    if not (is_number(start) and is_number(end)):
        raise JqError("Array/string slice indices must be integers")
    start = 0 if start != start else start
    end = size if end != end else end
    if start < 0:
        start += size
    start = int(min(max(start, 0), size))
    if end < 0:
        end += size
    if end < 0:
        end = start
    # The start is rounded down, the end up.
    end = size if end >= size else int(end) + (end > int(end))
    return start, max(start, end)


def items_of(value: Value) -> Iterable[Value]:
    """`.[]`."""
    if value.__class__ is list:
        items: Iterable[Value] = value
        return items
    if value.__class__ is dict:
        return value.values()
    raise iteration_error(value)


def iteration_error(value: Value) -> JqError:
    """Make the error of `.[]`."""
    return JqError(f"Cannot iterate over {type_name(value)} ({abbreviated_json(value)})")


def keys_of(value: Value) -> list[Value]:
    """Return the sorted keys of an object, or the indices of an array."""
    if value.__class__ is dict:
        return sorted(value)
    if value.__class__ is list:
        return list(range(len(value)))
    raise error_about(value, "has no keys")


def has_key(value: Value, key: Value) -> bool:
    """Whether an object has a key, or an array an index."""
    if value is None:
        return False
    if value.__class__ is dict and key.__class__ is str:
        return key in value
    if value.__class__ is list and is_number(key):
        return key == key and 0 <= as_index(key) < len(value)
    raise JqError(f"Cannot check whether {type_name(value)} has a {type_name(key)} key")


def contains(value: Value, part: Value, turn: Turn = do_nothing) -> bool:
    """`contains`: whether a value contains another, recursively."""
    turn()
    if value.__class__ is dict and part.__class__ is dict:
        return all(
            key in value and contains(value[key], inner, turn) for key, inner in part.items()
        )
    if value.__class__ is list and part.__class__ is list:
        return all(any(contains(item, inner, turn) for item in value) for inner in part)
    if value.__class__ is str and part.__class__ is str:
        return part in value
    return is_equal(value, part, turn)


def length(value: Value) -> Value:
    """Return the length of a value; that of a number is its absolute value."""
    if value.__class__ in (str, list, dict):
        return len(value)
    if value is None:
        return 0
    if is_number(value):
        return int_if_exact(abs(as_float(value)))
    raise error_about(value, "has no length")


def tostring(value: Value, bounds: JqBounds | None = None) -> str:
    """Return a string unchanged, any other value as JSON."""
    return value if value.__class__ is str else json_text(value, bounds)
