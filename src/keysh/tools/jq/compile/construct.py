"""Filters that take values apart and put them together: `.a`, `.[1:2]`, `[…]`, `{…}`, `"\\(…)"`."""

from __future__ import annotations

import keysh.tools.jq.values.arithmetic as arithmetic
from keysh.tools.jq.compile.code import (
    NOTHING,
    Code,
    alone,
    combinations,
    elsewhere,
    gathered,
    native,
    step,
)
from keysh.tools.jq.compile.combine import IDENTITY
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.compile.growth import added
from keysh.tools.jq.values.value import (
    LONGEST,
    each,
    index,
    is_equal,
    is_greater,
    is_less,
    is_true,
    kind,
    shown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, One, Pair, Path, Value
    from keysh.tools.jq.compile.growth import Own

OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": arithmetic.add, "-": arithmetic.subtract, "*": arithmetic.multiply,
    "/": arithmetic.divide, "%": arithmetic.remainder,
    "==": is_equal, "!=": lambda one, other: not is_equal(one, other),
    "<": is_less, ">": is_greater,
    "<=": lambda one, other: not is_greater(one, other),
    ">=": lambda one, other: not is_less(one, other),
}  # fmt: skip


def literal(value: Value) -> Code:
    """A filter whose result is always the same."""
    one: One = lambda _, env: value  # noqa: E731
    return Code(one=one, paths=elsewhere(alone(one)), constant=value)


def indexed(term: Code, key: Code) -> Code:
    """`term[key]`: for each key, each value of the term."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for place in key.many(value, env):
            for inner, result in term.paths(path, value, env):
                further = step(inner, result, place)
                yield further, index(result, place)

    source, constant = term.one, key.constant
    if source is not None and constant.__class__ is str:
        return Code(one=field(source, constant), paths=paths)
    if source is not None and key.one is not None:
        place = key.one

        def one(value: Value, env: Env) -> Value:
            wanted = place(value, env)
            return index(source(value, env), wanted)

        return Code(one=one, paths=paths)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for place in key.many(value, env):
            for result in term.many(value, env):
                yield index(result, place)

    return Code(many=many, paths=paths)


def field(source: One, name: str) -> One:
    """`term.name`"""

    def one(value: Value, env: Env) -> Value:
        value = source(value, env)
        return value.get(name) if value.__class__ is dict else index(value, name)

    return one


def slice_key(start: Code, end: Code) -> Code:
    """What `[start:end]` is as a key."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for first in start.many(value, env):
            for last in end.many(value, env):
                yield {"start": first, "end": last}

    if start.one is None or end.one is None:
        return Code(many=many)
    first, last = start.one, end.one
    return Code(one=lambda value, env: {"start": first(value, env), "end": last(value, env)})


def iterated(term: Code) -> Code:
    """`term[]`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for inner, result in term.paths(path, value, env):
            if inner is None:
                place = shown(result, 29)
                raise JqError(f"Invalid path expression near attempt to iterate through {place}")
            items = each(result)
            if result.__class__ is dict:
                yield from ((step(inner, result, key), result[key]) for key in result)
            else:
                yield from (((*inner, i), item) for i, item in enumerate(items))

    source = term.one
    if source is not None:
        return Code(many=lambda value, env: iter(each(source(value, env))), paths=paths)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for result in term.many(value, env):
            yield from each(result)

    return Code(many=many, paths=paths)


def collected(body: Code) -> Code:
    """`[body]`"""
    if body.one is not None:
        only = body.one
        return Code(one=lambda value, env: [only(value, env)])
    return Code(one=lambda value, env: gathered(body.many(value, env)))


def record(pairs: list[tuple[Code, Code]]) -> Code:
    """`{key: value, …}`: the results of the last change fastest."""
    ones = [(key.constant, value.one) for key, value in pairs]
    if all(key.__class__ is str and one is not None for key, one in ones):
        return Code(
            one=lambda value, env: {key: one(value, env) for key, one in ones if one is not None}
        )

    def many(value: Value, env: Env) -> Iterator[Value]:
        yield from extended({}, 0, value, env)

    def extended(made: dict[str, Value], at: int, value: Value, env: Env) -> Iterator[Value]:
        if at == len(pairs):
            yield made
            return
        for key in pairs[at][0].many(value, env):
            for item in pairs[at][1].many(value, env):
                if key.__class__ is not str:
                    raise JqError(f"Cannot use {kind(key)} ({shown(key)}) as object key")
                yield from extended({**made, key: item}, at + 1, value, env)

    if all(key.one is not None and item.one is not None for key, item in pairs):
        return Code(one=lambda value, env: next(many(value, env)))
    return Code(many=many)


def text(form: Callable[[Value], str], parts: list[str | Code]) -> Code:
    """`"…"` with filters in it, each of whose results is formatted."""
    codes = [part for part in parts if isinstance(part, Code)]

    def filled(results: tuple[Value, ...]) -> str:
        left = iter(results)
        made = "".join(part if isinstance(part, str) else form(next(left)) for part in parts)
        bounded: str = arithmetic.bounded(made, LONGEST)
        return bounded

    ones = [code.one for code in codes if code.one is not None]
    if len(ones) == len(codes):
        last_first = ones[::-1]  # as `combinations` has them
        return Code(
            one=lambda value, env: filled(tuple([one(value, env) for one in last_first][::-1]))
        )
    return Code(many=lambda value, env: map(filled, combinations(codes, value, env)))


def operation(operator: str, left: Code, right: Code) -> Code:
    """`left + right` and its like: for each value of the right one, each of the left one."""
    function = OPERATORS[operator]
    first, last = left.one, right.one
    if first is None or last is None:
        code = native(lambda _, one, other: function(one, other), [left, right])
    elif right.constant is not NOTHING:
        constant = right.constant
        code = Code(one=lambda value, env: function(first(value, env), constant))
    else:

        def one(value: Value, env: Env) -> Value:
            other = last(value, env)
            return function(first(value, env), other)

        def grow(value: Value, env: Env, own: Own) -> Value:
            return added(value, last(value, env), own)

        code = Code(one=one, grow=grow if operator == "+" and left is IDENTITY else None)
    return code


def logic(operator: str, left: Code, right: Code) -> Code:
    """`and`, `or`: the right one is asked only where it counts."""
    decides = operator == "or"

    def many(value: Value, env: Env) -> Iterator[Value]:
        for one in left.many(value, env):
            if is_true(one) is decides:
                yield decides
            else:
                yield from (is_true(other) for other in right.many(value, env))

    first, last = left.one, right.one
    if first is None or last is None:
        return Code(many=many)
    if decides:
        return Code(one=lambda value, env: is_true(first(value, env)) or is_true(last(value, env)))
    return Code(one=lambda value, env: is_true(first(value, env)) and is_true(last(value, env)))
