"""Library functions of arrays and objects: sorting, grouping, entries, searching."""

from __future__ import annotations

from keysh.text.bounds.slices import sorted_in_slices, with_ticks
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
from keysh.tools.jq.values.writer import do_nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.compile.code import Env, Value
    from keysh.tools.jq.values.bounds import JqBounds
    from keysh.tools.jq.values.value import Turn

    # What becomes of the items of an array, each with its key.
    PairsFunction = Callable[[list[tuple[Value, Value]], JqBounds], Value]

MAX_FLATTEN_DEPTH = 1000  # levels of nested arrays


def sort_array(value: Value, bounds: JqBounds) -> Value:
    if value.__class__ is not list:
        raise error_about(value, "cannot be sorted, as it is not an array")
    return sort_values(value, bounds)


def keyed_items(body: Filter, value: Value, env: Env, action: str) -> list[tuple[Value, Value]]:
    """Return a (key, item) pair for each item of an array."""
    if value.__class__ is not list:
        keys = [collect_results(body.many(item, env)) for item in items_of(value)]
        raise error_about_pair(value, keys, f"cannot be {action}")
    value = with_ticks(value, env[2].tick)
    if body.one is not None:
        return [(body.one(item, env), item) for item in value]
    return [(collect_results(body.many(item, env)), item) for item in value]


def sort_pairs(pairs: list[tuple[Value, Value]], bounds: JqBounds) -> list[tuple[Value, Value]]:
    """Sort (key, item) pairs by their keys."""
    key = sort_key_function([first for first, _ in pairs], bounds.turn)
    if key is None:
        return sorted_in_slices(pairs, bounds.tick, lambda pair: pair[0])
    return sorted_in_slices(pairs, bounds.tick, lambda pair: key(pair[0]))


def group_pairs(pairs: list[tuple[Value, Value]], bounds: JqBounds) -> list[list[Value]]:
    """Group the items that have equal keys, and sort the groups by key."""
    grouped: list[list[Value]] = []
    last_key = None
    for key, item in sort_pairs(pairs, bounds):
        if grouped and is_equal(last_key, key, bounds.turn):
            grouped[-1].append(item)
        else:
            grouped.append([item])
        last_key = key
    return grouped


# What cannot be done, in error messages.
SORT_ERROR, ITERATION_ERROR = "sorted, as they are not both arrays", "iterated over"


def by_key_builder(function: PairsFunction, action: str = SORT_ERROR) -> Callable[[Filter], Filter]:
    """Return the builder of `sort_by(f)` or a similar function."""

    def build(body: Filter) -> Filter:
        return Filter(
            one=lambda value, env: function(keyed_items(body, value, env, action), env[2])
        )

    return build


def sort_by(pairs: list[tuple[Value, Value]], bounds: JqBounds) -> Value:
    return [item for _, item in sort_pairs(pairs, bounds)]


def unique_by(pairs: list[tuple[Value, Value]], bounds: JqBounds) -> Value:
    return [group[0] for group in group_pairs(pairs, bounds)]


def min_by(pairs: list[tuple[Value, Value]], bounds: JqBounds) -> Value:
    """Return the first of the smallest items."""
    if not pairs:
        return None
    return min(pairs, key=lambda pair: order_key(pair[0], bounds.turn))[1]


def max_by(pairs: list[tuple[Value, Value]], bounds: JqBounds) -> Value:
    """Return the last of the greatest items."""
    if not pairs:
        return None
    return max(reversed(pairs), key=lambda pair: order_key(pair[0], bounds.turn))[1]


def compare_by_value(function: PairsFunction) -> Callable[[Value, JqBounds], Value]:
    """`min` and `max`: compare the items themselves."""

    def call(value: Value, bounds: JqBounds) -> Value:
        if value.__class__ is not list:
            raise error_about_pair(value, value, "cannot be iterated over")
        return function([(item, item) for item in value], bounds)

    return call


def sum_items(value: Value, bounds: JqBounds) -> Value:
    """`add`"""
    items = list(items_of(value))
    classes = set(map(type, items))
    if len(items) > 2 and classes == {str}:
        bounds.check_texts(items)
        return "".join(items)
    if len(items) > 2 and classes == {list}:
        bounds.check_items(sum(map(len, items)))
        return [part for item in items for part in item]
    if len(items) > 2 and classes == {dict}:
        return {key: item[key] for item in with_ticks(items, bounds.tick) for key in item}
    result = None
    for item in items:
        bounds.turn()
        result = add(result, item, bounds)
    return result


def reverse_value(value: Value) -> Value:
    if value.__class__ in (list, str):
        return value[::-1]
    if not length(value):
        return []
    raise index_error(value, 0)


def sorted_keys(value: Value, bounds: JqBounds) -> Value:
    """`keys`"""
    return sorted_in_slices(value, bounds.tick) if value.__class__ is dict else keys_of(value)


def to_entries(value: Value, bounds: JqBounds) -> Value:
    """`to_entries`"""
    keys = value if value.__class__ is dict else keys_of(value)
    return [{"key": key, "value": value[key]} for key in with_ticks(keys, bounds.tick)]


def from_entries(value: Value, bounds: JqBounds) -> Value:
    """`from_entries`, which accepts several names for the key and the value."""
    result: dict[str, Value] = {}
    for entry in with_ticks(items_of(value), bounds.tick):
        key = index(entry, "key")
        for name in ("k", "name", "Name", "Key", "K"):
            key = index(entry, name) if key is None else key
        result[tostring(key, bounds)] = entry_value(entry)
    return result


def entry_value(entry: Value) -> Value:
    for name in ("value", "v", "Value", "V"):
        if entry.__class__ is dict and name in entry:
            return entry[name]
    return None


def flatten_value(value: Value, depth: Value, bounds: JqBounds) -> Value:
    if is_less(depth, 0):
        raise JqError("flatten depth must not be negative")
    result: list[Value] = []
    flatten_into(items_of(value), depth, result, 0, bounds)
    return result


def flatten_into(
    items: Value, depth: Value, result: list[Value], level: int, bounds: JqBounds
) -> None:
    bounds.turn()
    bounds.check_items(len(result) + len(items))
    if level > MAX_FLATTEN_DEPTH:
        raise JqError(f"arrays are nested more than {MAX_FLATTEN_DEPTH} levels deep")
    for item in items:
        if item.__class__ is list and depth != 0:
            flatten_into(item, subtract(depth, 1, bounds), result, level + 1, bounds)
        else:
            result.append(item)


def transpose(value: Value, bounds: JqBounds) -> Value:
    rows = list(items_of(value))
    width = max([as_index(length(row)) for row in rows], default=0)
    bounds.check_items(width * len(rows))
    columns = with_ticks(range(width), bounds.tick)
    return [[index(row, column) for row in rows] for column in columns]


def binary_search(value: Value, target: Value, bounds: JqBounds) -> Value:
    """`bsearch`: the index of a value in a sorted array, or -1 - the index to insert it at."""
    if value.__class__ is not list:
        raise error_about(value, "cannot be searched from")
    low, high = 0, len(value)
    while low < high:
        middle = (low + high) // 2
        if is_equal(value[middle], target, bounds.turn):
            return middle
        if is_less(value[middle], target, bounds.turn):
            low = middle + 1
        else:
            high = middle
    return -1 - low


def to_array(value: Value) -> Value:
    """`toarray`"""
    return value if value.__class__ is list else [value]


def stream_events(value: Value, turn: Turn = do_nothing) -> list[Value]:
    """`tostream`: each leaf with its path, and an event at the end of each array and object."""
    collected: list[Value] = []
    collect_events(value, (), collected, turn)
    return collected


def collect_events(
    value: Value, path: tuple[Value, ...], collected: list[Value], turn: Turn
) -> None:
    turn()
    if value.__class__ not in (list, dict) or not value:
        collected.append([list(path), value])
        return
    keys = value if value.__class__ is dict else range(len(value))
    last: Value = None
    for key in keys:
        collect_events(value[key], (*path, key), collected, turn)
        last = key
    collected.append([[*path, last]])
