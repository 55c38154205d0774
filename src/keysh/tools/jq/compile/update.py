"""Paths: get, set and delete the values at them.

Values are immutable, but an update owns the containers that it has copied and changes them in
place: it copies each container only once.
"""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import as_index
from keysh.tools.jq.values.value import (
    MAX_ARRAY_ITEMS,
    index,
    is_equal,
    is_number,
    order_key,
    slice_bounds,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.tools.jq.values.value import Value


def get_path(value: Value, path: Value) -> Value:
    """Return the value at a path."""
    if path.__class__ not in (list, tuple):
        raise JqError("Path must be specified as an array")
    for key in path:
        value = index(value, key)
    return value


def set_path(value: Value, path: Value, new: Value) -> Value:
    """Return a copy of a value with another value at a path."""
    if path.__class__ is not list:
        raise JqError("Path must be specified as an array")
    update = PathUpdate(value)
    update.set(path, new)
    return update.value


class PathUpdate:
    """A value being updated, and the containers in it that the update owns."""

    __slots__ = ("_own", "value")

    def __init__(self, value: Value, own: dict[int, Value] | None = None) -> None:
        self.value = value
        self._own: dict[int, Value] = {} if own is None else own

    def set(self, path: Sequence[Value], new: Value) -> None:
        """Set the value at a path; missing containers are created."""
        if not path:
            self.value = new
            return
        containers = [self.value]
        for key in path:
            containers.append(index(containers[-1], key))
        for container, key in zip(containers[-2::-1], reversed(path), strict=True):
            new = self.with_item(container, key, new)
        self.value = new

    def with_item(self, container: Value, key: Value, new: Value) -> Value:
        """Return a container with a value at a key."""
        if key.__class__ is str and (container is None or container.__class__ is dict):
            record = self.owned_copy({} if container is None else container)
            record[key] = new
            return record
        if container is None or container.__class__ is list:
            if is_number(key):
                return self.with_array_item(container or [], key, new)
            if key.__class__ is dict:
                return self.with_slice(container or [], key, new)
        if key.__class__ is dict and container.__class__ is str:
            raise JqError("Cannot update string slices")
        raise JqError(f"Cannot update field at {type_name(key)} index of {type_name(container)}")

    def with_array_item(self, container: list[Value], key: float, new: Value) -> list[Value]:
        """Return an array with a value at an index, padded with null."""
        if key != key:
            raise JqError("Cannot set array element at NaN index")
        position = as_index(key)
        if position < 0:
            position += len(container)
            if position < 0:
                raise JqError("Out of bounds negative array index")
        if position > MAX_ARRAY_ITEMS:
            raise JqError("Array index too large")
        items = self.owned_copy(container)
        if position >= len(items):
            items.extend([None] * (position + 1 - len(items)))
        items[position] = new
        return items  # type: ignore[no-any-return]

    def with_slice(self, container: list[Value], key: dict[str, Value], new: Value) -> list[Value]:
        """Return an array with a slice replaced."""
        start, end = slice_bounds(container, key)
        if new.__class__ is not list:
            raise JqError("A slice of an array can only be assigned another array")
        items = self.owned_copy(container)
        items[start:end] = new
        return items  # type: ignore[no-any-return]

    def owned_copy(self, container: Value) -> Value:
        """Return the container if the update owns it, else a copy that it owns."""
        if id(container) in self._own:
            return container
        copy = container.copy()
        self._own[id(copy)] = copy
        return copy


def delete_paths(value: Value, paths: Value) -> Value:
    """Return a value without the values at some paths."""
    if paths.__class__ is not list:
        raise JqError("Paths must be specified as an array")
    for path in paths:
        if path.__class__ is not list:
            raise JqError(f"Path must be specified as array, not {type_name(path)}")
    sorted_paths = sorted(paths, key=order_key)
    if not sorted_paths:
        return value
    return None if not sorted_paths[0] else without_paths(value, sorted_paths, 0)


def without_paths(value: Value, paths: list[list[Value]], depth: int) -> Value:
    """Return a value without the values at sorted paths; `depth` keys were followed already."""
    update = PathUpdate(value)
    keys: list[Value] = []
    end = len(paths)
    while end:
        key = paths[end - 1][depth]
        start = end
        while start and is_equal(paths[start - 1][depth], key):
            start -= 1
        if len(paths[start]) == depth + 1:
            keys.append(key)
        else:
            inner = None if update.value is None else index(update.value, key)
            if inner is not None:
                update.set([key], without_paths(inner, paths[start:end], depth + 1))
        end = start
    return without_keys(update.value, keys)


def without_keys(value: Value, keys: list[Value]) -> Value:
    """Return a value without the items at some keys; indices are those before any deletion."""
    if value is None or not keys:
        return value
    if value.__class__ is list:
        deleted = set(deleted_indices(value, keys))
        return [item for i, item in enumerate(value) if i not in deleted]
    if value.__class__ is not dict:
        raise JqError(f"Cannot delete fields from {type_name(value)}")
    for key in keys:
        if key.__class__ is not str:
            raise JqError(f"Cannot delete {type_name(key)} field of object")
    names = set(keys)
    return {key: item for key, item in value.items() if key not in names}


def deleted_indices(items: list[Value], keys: list[Value]) -> Iterable[int]:
    """Yield the array indices that numbers and slices select."""
    for key in keys:
        if is_number(key):
            position = as_index(key)
            yield position + len(items) if position < 0 else position
        elif key.__class__ is dict:
            yield from range(*slice_bounds(items, key))
        else:
            raise JqError(f"Cannot delete {type_name(key)} element of array")
