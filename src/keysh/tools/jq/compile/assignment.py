"""Assignments: `=`, `|=`, `+=` and so on replace the values at the paths on their left."""

from __future__ import annotations

from keysh.tools.jq.compile.code import Filter, require_path
from keysh.tools.jq.compile.construct import BINARY_OPERATORS
from keysh.tools.jq.compile.growth import admit_value
from keysh.tools.jq.compile.update import PathUpdate, delete_paths, get_path
from keysh.tools.jq.values.value import is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Value
    from keysh.tools.jq.compile.growth import Own
    from keysh.tools.jq.values.bounds import JqBounds


def update_each_path(
    targets: Filter,
    value: Value,
    env: Env,
    change: Callable[[Value], Iterator[Value]],
    own: Own | None = None,
) -> Value:
    """Replace the value at each path by the first result of `change`.

    Paths for which `change` has no result are deleted.
    """
    update = PathUpdate(value, own)
    deleted: list[Value] = []
    tick = env[2].tick
    for path, reached_value in targets.paths((), value, env):
        tick()
        keys = require_path(path, reached_value)
        for new in change(get_path(update.value, keys)):
            if own:
                admit_value(new, own)
            update.set(keys, new)
            break
        else:
            deleted.append(list(keys))
    if not deleted:
        return update.value
    if own:
        own.clear()  # deleting copies the containers
    return delete_paths(update.value, deleted)


def compile_assignment(operator: str, left: Filter, right: Filter) -> Filter:
    """`left = right`: `|=` runs the right side at each path, the others once, on the input."""
    if operator == "|=":

        def update_paths(value: Value, env: Env, own: Own | None = None) -> Value:
            return update_each_path(left, value, env, lambda old: right.many(old, env), own)

        return Filter(one=update_paths, grow=update_paths)

    def one(value: Value, env: Env, new: Value, own: Own | None = None) -> Value:
        return update_each_path(
            left, value, env, lambda old: iter((combined(old, new, env[2]),)), own
        )

    combined = PLAIN_ASSIGNMENTS.get(operator) or BINARY_OPERATORS[operator[:-1]]
    if right.one is not None:
        only = right.one
        return Filter(
            one=lambda value, env: one(value, env, only(value, env)),
            grow=lambda value, env, own: one(value, env, only(value, env), own),
        )
    return Filter(many=lambda value, env: (one(value, env, new) for new in right.many(value, env)))


PLAIN_ASSIGNMENTS: dict[str, Callable[[Value, Value, JqBounds], Value]] = {
    "=": lambda old, new, bounds: new,
    "//=": lambda old, new, bounds: old if is_true(old) else new,
}
