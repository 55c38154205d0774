"""Functions of arrays and objects: sorting, grouping, entries, searching."""

from __future__ import annotations

from keysh.tools.jq.compile.code import Filter, collect_results
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.arithmetic import add, subtract
from keysh.tools.jq.values.number import as_index
from keysh.tools.jq.values.value import (
    error_about,
    error_about_pair,
    index,
    index_error,
    is_equal,
    is_less,
    items_of,
    keys_of,
    length,
    order_key,
    sort_key_function,
    sort_values,
    tostring,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.compile.code import Env, Value

MAX_FLATTEN_DEPTH = 1000  # levels of arrays in arrays


def sort_array(value: Value) -> Value:
    if value.__class__ is not list:
        raise error_about(value, "cannot be sorted, as it is not an array")
    return sort_values(value)


def keyed_items(body: Filter, value: Value, env: Env, wanted: str) -> list[tuple[Value, Value]]:
    """The items of an array, each behind what it is to be compared by."""
    if value.__class__ is not list:
        keys = [collect_results(body.many(item, env)) for item in items_of(value)]
        raise error_about_pair(value, keys, f"cannot be {wanted}")
    if body.one is not None:
        return [(body.one(item, env), item) for item in value]
    return [(collect_results(body.many(item, env)), item) for item in value]


def sort_pairs(pairs: list[tuple[Value, Value]]) -> list[tuple[Value, Value]]:
    """Pairs in the order of their first parts."""
    key = sort_key_function([first for first, _ in pairs])
    if key is None:
        return sorted(pairs, key=lambda pair: pair[0])
    return sorted(pairs, key=lambda pair: key(pair[0]))


def group_pairs(pairs: list[tuple[Value, Value]]) -> list[list[Value]]:
    """The items with the same first part together, in the order of these."""
    found: list[list[Value]] = []
    before = None
    for first, item in sort_pairs(pairs):
        if found and is_equal(before, first):
            found[-1].append(item)
        else:
            found.append([item])
        before = first
    return found


SORT_ERROR, ITERATION_ERROR = (
    "sorted, as they are not both arrays",
    "iterated over",
)  # what cannot be done


def by_key_builder(
    function: Callable[[list[tuple[Value, Value]]], Value], wanted: str = SORT_ERROR
) -> Callable[[Filter], Filter]:
    """`sort_by(f)` and its like."""

    def build(body: Filter) -> Filter:
        return Filter(one=lambda value, env: function(keyed_items(body, value, env, wanted)))

    return build


def sort_by(pairs: list[tuple[Value, Value]]) -> Value:
    return [item for _, item in sort_pairs(pairs)]


def unique_by(pairs: list[tuple[Value, Value]]) -> Value:
    return [group[0] for group in group_pairs(pairs)]


def min_by(pairs: list[tuple[Value, Value]]) -> Value:
    """The first of the least."""
    if not pairs:
        return None
    return min(pairs, key=lambda pair: order_key(pair[0]))[1]


def max_by(pairs: list[tuple[Value, Value]]) -> Value:
    """The last of the greatest."""
    if not pairs:
        return None
    return max(reversed(pairs), key=lambda pair: order_key(pair[0]))[1]


def compare_by_value(
    function: Callable[[list[tuple[Value, Value]]], Value],
) -> Callable[[Value], Value]:
    """`min` and `max`: items are compared by themselves."""

    def call(value: Value) -> Value:
        if value.__class__ is not list:
            raise error_about_pair(value, value, "cannot be iterated over")
        return function([(item, item) for item in value])

    return call


def sum_items(value: Value) -> Value:
    """`add`"""
    items = list(items_of(value))
    classes = set(map(type, items))
    if len(items) > 2 and classes == {str}:
        return add("".join(items), "")
    if len(items) > 2 and classes == {list}:
        return add([part for item in items for part in item], [])
    if len(items) > 2 and classes == {dict}:
        return {key: item[key] for item in items for key in item}
    made = None
    for item in items:
        made = add(made, item)
    return made


def reverse_value(value: Value) -> Value:
    if value.__class__ in (list, str):
        return value[::-1]
    if not length(value):
        return []
    raise index_error(value, 0)


def to_entries(value: Value) -> Value:
    """`to_entries`"""
    keys = value if value.__class__ is dict else keys_of(value)
    return [{"key": key, "value": value[key]} for key in keys]


def from_entries(value: Value) -> Value:
    """An object of entries, whose keys have several names."""
    made: dict[str, Value] = {}
    for entry in items_of(value):
        key = index(entry, "key")
        for name in ("k", "name", "Name", "Key", "K"):
            key = index(entry, name) if key is None else key
        made[tostring(key)] = entry_value(entry)
    return made


def entry_value(entry: Value) -> Value:
    for name in ("value", "v", "Value", "V"):
        if entry.__class__ is dict and name in entry:
            return entry[name]
    return None


def flatten_value(value: Value, depth: Value) -> Value:
    if is_less(depth, 0):
        raise JqError("flatten depth must not be negative")
    made: list[Value] = []
    flatten_into(items_of(value), depth, made, 0)
    return made


def flatten_into(items: Value, depth: Value, made: list[Value], level: int) -> None:
    if level > MAX_FLATTEN_DEPTH:
        raise JqError(f"arrays are more than {MAX_FLATTEN_DEPTH} levels deep")
    for item in items:
        if item.__class__ is list and depth != 0:
            flatten_into(item, subtract(depth, 1), made, level + 1)
        else:
            made.append(item)


def transpose(value: Value) -> Value:
    rows = list(items_of(value))
    width = max([as_index(length(row)) for row in rows], default=0)
    return [[index(row, column) for row in rows] for column in range(width)]


def binary_search(value: Value, wanted: Value) -> Value:
    """`bsearch`: where a value stands in a sorted array, or -1 - where it would."""
    if value.__class__ is not list:
        raise error_about(value, "cannot be searched from")
    low, high = 0, len(value)
    while low < high:
        middle = (low + high) // 2
        if is_equal(value[middle], wanted):
            return middle
        if is_less(value[middle], wanted):
            low = middle + 1
        else:
            high = middle
    return -1 - low


def to_array(value: Value) -> Value:
    """`toarray`"""
    return value if value.__class__ is list else [value]


def stream_events(value: Value) -> list[Value]:
    """`tostream`: each leaf with its path, and the end of each array and object."""
    found: list[Value] = []
    collect_events(value, (), found)
    return found


def collect_events(value: Value, path: tuple[Value, ...], found: list[Value]) -> None:
    if value.__class__ not in (list, dict) or not value:
        found.append([list(path), value])
        return
    keys = value if value.__class__ is dict else range(len(value))
    last: Value = None
    for key in keys:
        collect_events(value[key], (*path, key), found)
        last = key
    found.append([[*path, last]])
