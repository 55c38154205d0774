"""Assignments: `=`, `|=`, `+=` and their like change what the paths on their left lead to."""

from __future__ import annotations

from keysh.commands.jq.code import Code, certain
from keysh.commands.jq.construct import OPERATORS
from keysh.commands.jq.update import Update, delete_paths, get_path
from keysh.commands.jq.value import is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.commands.jq.code import Env, Value


def changed(
    places: Code, value: Value, env: Env, change: Callable[[Value], Iterator[Value]]
) -> Value:
    """A value with the first result of a change at each place; where there is none, without it."""
    update = Update(value)
    gone: list[Value] = []
    tick = env[2].tick
    for path, reached in places.paths((), value, env):
        tick()
        keys = certain(path, reached)
        for new in change(get_path(update.value, keys)):
            update.set(keys, new)
            break
        else:
            gone.append(list(keys))
    return delete_paths(update.value, gone) if gone else update.value


def assign(operator: str, left: Code, right: Code) -> Code:
    """`left = right`: `|=` runs the right side at each place, the others once, on the input."""
    if operator == "|=":
        return Code(
            one=lambda value, env: changed(left, value, env, lambda there: right.many(there, env))
        )

    def one(value: Value, env: Env, new: Value) -> Value:
        return changed(left, value, env, lambda there: iter((combined(there, new),)))

    combined = COMBINED.get(operator) or OPERATORS[operator[:-1]]
    if right.one is not None:
        only = right.one
        return Code(one=lambda value, env: one(value, env, only(value, env)))
    return Code(many=lambda value, env: (one(value, env, new) for new in right.many(value, env)))


COMBINED: dict[str, Callable[[Value, Value], Value]] = {
    "=": lambda there, new: new,
    "//=": lambda there, new: there if is_true(there) else new,
}
