"""Values: their kinds, their order, and how one is reached in another.

A value is None, a bool, an int or float, a str, a list or a dict. None is ever changed in place
once a filter has seen it.
"""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import as_float, as_index, int_if_exact
from keysh.tools.jq.values.writer import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Value = Any

TYPE_NAMES: dict[type, str] = {
    type(None): "null", bool: "boolean", int: "number", float: "number", str: "string",
    list: "array", dict: "object",
}  # fmt: skip

MAX_STRING_CHARS = 1 << 26  # characters of a text that is computed
MAX_ARRAY_ITEMS = 1 << 24  # of an array that is computed


def type_name(value: Value) -> str:
    """What jq calls a value's type."""
    return TYPE_NAMES.get(value.__class__, "number")


def is_number(value: Value) -> bool:
    """Whether a value is a number; a boolean is none."""
    return isinstance(value, int | float) and value.__class__ is not bool


def is_true(value: Value) -> bool:
    """All but null and false are true."""
    return value is not None and value is not False


def abbreviated_json(value: Value, size: int = 14) -> str:
    """A value in a message: the beginning of its JSON, of so many bytes."""
    text = json_text(value)
    data = bytes_of_text(text)
    if len(data) <= size:
        return text
    return data[: size - 3].decode("utf-8", "replace") + "..."


def error_about(value: Value, message: str) -> JqError:
    """The error about one value."""
    return JqError(f"{type_name(value)} ({abbreviated_json(value)}) {message}")


def error_about_pair(one: Value, other: Value, message: str) -> JqError:
    """The error about two values."""
    both = f"{type_name(one)} ({abbreviated_json(one)}) and {type_name(other)} ({abbreviated_json(other)})"
    return JqError(f"{both} {message}")


# ---------------------------------------------------------------- order

# null < false < true < numbers < texts < arrays < objects
TYPE_RANKS: dict[type, int] = {
    type(None): 0, int: 3, float: 3, str: 4, list: 5, dict: 6
}  # fmt: skip


def order_key(value: Value) -> tuple[Any, ...]:
    """A key by which Python orders values as jq does."""
    if value is True or value is False:
        return (2,) if value else (1,)
    rank = TYPE_RANKS.get(value.__class__, 3)
    if rank == 3:
        return (3, value) if value == value else (2.5, float("nan"))  # less than any
    if rank == 4:
        return (4, value)
    if rank == 5:
        return (5, [order_key(item) for item in value])
    if rank == 6:
        keys = sorted(value)
        return (6, keys, [order_key(value[key]) for key in keys])
    return (0,)


def sort_key_function(values: list[Value]) -> Callable[[Value], Any] | None:
    """What to sort values by: nothing where Python's own order is jq's."""
    classes = set(map(type, values))
    if classes <= {int} or classes <= {str}:
        return None
    return order_key


def sort_values(values: Iterable[Value]) -> list[Value]:
    """Values in order."""
    values = list(values)
    return sorted(values, key=sort_key_function(values))


def is_equal(one: Value, other: Value) -> bool:
    """Whether two values are the same; true is not 1, and nan is not nan."""
    if one.__class__ is other.__class__ and one.__class__ in (str, int):
        return bool(one == other)
    if one.__class__ is int and isinstance(other, float):
        one = as_float(one)  # only two literals are compared by all of their digits
    elif other.__class__ is int and isinstance(one, float):
        other = as_float(other)
    if one != other:
        return False
    return order_key(one) == order_key(other) and one == one


def is_less(one: Value, other: Value) -> bool:
    """Whether a value stands before another; nan before everything, itself included."""
    if one.__class__ is other.__class__ and one.__class__ in (str, int):
        return bool(one < other)
    key, other_key = order_key(one), order_key(other)
    return key < other_key or key[0] == 2.5 == other_key[0]


def is_greater(one: Value, other: Value) -> bool:
    """Whether a value stands behind another; nan behind nothing."""
    return is_less(other, one) and one == one


# ---------------------------------------------------------------- access


def index(value: Value, key: Value) -> Value:
    """`.[key]`."""
    if value.__class__ is dict and key.__class__ is str:
        return value.get(key)
    if value.__class__ is list and is_number(key):
        if key != key:
            return None
        place = as_index(key)
        size = len(value)
        if place < 0:
            place += size
        return value[place] if 0 <= place < size else None
    if key.__class__ is dict and value.__class__ in (list, str):
        start, end = slice_bounds(value, key)
        return value[start:end]
    if value.__class__ is list and key.__class__ is list:
        return sublist_indices(value, key)
    if value is None and (key.__class__ in (str, dict) or is_number(key)):
        return None
    raise index_error(value, key)


def index_error(value: Value, key: Value) -> JqError:
    """The error of `.[key]`; a short key is told."""
    if key.__class__ is str and len(bytes_of_text(key)) < 30:
        return JqError(f'Cannot index {type_name(value)} with string "{key}"')
    return JqError(f"Cannot index {type_name(value)} with {type_name(key)}")


def sublist_indices(items: list[Value], wanted: list[Value]) -> list[int]:
    """Where a list stands in another; the empty one stands nowhere."""
    size = len(wanted)
    if not size:
        return []
    last = len(items) - size + 1
    return [
        at for at in range(last)
        if all(is_equal(items[at + i], wanted[i]) for i in range(size))
    ]  # fmt: skip


def slice_bounds(value: list[Value] | str, key: dict[str, Value]) -> tuple[int, int]:
    """Where a slice `{"start": …, "end": …}` begins and ends."""
    size = len(value)
    start, end = key.get("start", False), key.get("end", False)  # either may be null, not absent
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
    """The error of `.[]`."""
    return JqError(f"Cannot iterate over {type_name(value)} ({abbreviated_json(value)})")


def keys_of(value: Value) -> list[Value]:
    """The keys of an object, in order, or the places of an array."""
    if value.__class__ is dict:
        return sorted(value)
    if value.__class__ is list:
        return list(range(len(value)))
    raise error_about(value, "has no keys")


def has_key(value: Value, key: Value) -> bool:
    """Whether there is such a key, or such a place."""
    if value is None:
        return False
    if value.__class__ is dict and key.__class__ is str:
        return key in value
    if value.__class__ is list and is_number(key):
        return key == key and 0 <= as_index(key) < len(value)
    raise JqError(f"Cannot check whether {type_name(value)} has a {type_name(key)} key")


def contains(value: Value, part: Value) -> bool:
    """Whether a value holds all that another one does."""
    if value.__class__ is dict and part.__class__ is dict:
        return all(key in value and contains(value[key], one) for key, one in part.items())
    if value.__class__ is list and part.__class__ is list:
        return all(any(contains(item, one) for item in value) for one in part)
    if value.__class__ is str and part.__class__ is str:
        return part in value
    return is_equal(value, part)


def length(value: Value) -> Value:
    """How long a value is: a number's is its distance from 0."""
    if value.__class__ in (str, list, dict):
        return len(value)
    if value is None:
        return 0
    if is_number(value):
        return int_if_exact(abs(as_float(value)))
    raise error_about(value, "has no length")


def tostring(value: Value) -> str:
    """A text as it is, any other value as JSON."""
    return value if value.__class__ is str else json_text(value)
