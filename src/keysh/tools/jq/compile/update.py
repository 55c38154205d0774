"""Paths: reading, setting and deleting what they lead to.

Values are never changed in place, but what an update has copied is its own: it copies a container
once, however many of its items are set.
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
    """What a path leads to."""
    if path.__class__ not in (list, tuple):
        raise JqError("Path must be specified as an array")
    for key in path:
        value = index(value, key)
    return value


def set_path(value: Value, path: Value, new: Value) -> Value:
    """A value with another one at a path."""
    if path.__class__ is not list:
        raise JqError("Path must be specified as an array")
    update = PathUpdate(value)
    update.set(path, new)
    return update.value


class PathUpdate:
    """A value that is being changed, and the containers in it that belong to the change."""

    __slots__ = ("_own", "value")

    def __init__(self, value: Value, own: dict[int, Value] | None = None) -> None:
        self.value = value
        self._own: dict[int, Value] = {} if own is None else own

    def set(self, path: Sequence[Value], new: Value) -> None:
        """Set what is at a path; what is missing on the way is made."""
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
        """A container with a value at a key."""
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
        """An array with a value at a place, filled up with null."""
        if key != key:
            raise JqError("Cannot set array element at NaN index")
        place = as_index(key)
        if place < 0:
            place += len(container)
            if place < 0:
                raise JqError("Out of bounds negative array index")
        if place > MAX_ARRAY_ITEMS:
            raise JqError("Array index too large")
        items = self.owned_copy(container)
        if place >= len(items):
            items.extend([None] * (place + 1 - len(items)))
        items[place] = new
        return items  # type: ignore[no-any-return]

    def with_slice(self, container: list[Value], key: dict[str, Value], new: Value) -> list[Value]:
        """An array with other items in a slice."""
        start, end = slice_bounds(container, key)
        if new.__class__ is not list:
            raise JqError("A slice of an array can only be assigned another array")
        items = self.owned_copy(container)
        items[start:end] = new
        return items  # type: ignore[no-any-return]

    def owned_copy(self, container: Value) -> Value:
        """A container that may be changed: the copy of this one, made now or before."""
        if id(container) in self._own:
            return container
        copy = container.copy()
        self._own[id(copy)] = copy
        return copy


def delete_paths(value: Value, paths: Value) -> Value:
    """A value without what paths lead to."""
    if paths.__class__ is not list:
        raise JqError("Paths must be specified as an array")
    for path in paths:
        if path.__class__ is not list:
            raise JqError(f"Path must be specified as array, not {type_name(path)}")
    found = sorted(paths, key=order_key)
    if not found:
        return value
    return None if not found[0] else without_paths(value, found, 0)


def without_paths(value: Value, paths: list[list[Value]], depth: int) -> Value:
    """A value without what sorted paths lead to, of which so many steps are done."""
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
    """A value without the items at keys; places are those before anything is deleted."""
    if value is None or not keys:
        return value
    if value.__class__ is list:
        gone = set(deleted_indices(value, keys))
        return [item for i, item in enumerate(value) if i not in gone]
    if value.__class__ is not dict:
        raise JqError(f"Cannot delete fields from {type_name(value)}")
    for key in keys:
        if key.__class__ is not str:
            raise JqError(f"Cannot delete {type_name(key)} field of object")
    names = set(keys)
    return {key: item for key, item in value.items() if key not in names}


def deleted_indices(items: list[Value], keys: list[Value]) -> Iterable[int]:
    """The places of an array that numbers and slices mean."""
    for key in keys:
        if is_number(key):
            place = as_index(key)
            yield place + len(items) if place < 0 else place
        elif key.__class__ is dict:
            yield from range(*slice_bounds(items, key))
        else:
            raise JqError(f"Cannot delete {type_name(key)} element of array")
