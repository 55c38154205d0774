"""Compile terms and operators: `.a`, `.[1:2]`, `.[]`, `[…]`, `{…}`, `"\\(…)"`, `+`, `and`."""

from __future__ import annotations

import keysh.tools.jq.values.arithmetic as arithmetic
from keysh.text.bounds.slices import with_ticks
from keysh.tools.jq.compile.code import (
    NO_RESULT,
    Filter,
    collect_results,
    computed_paths,
    extend_path,
    result_combinations,
    single_result,
)
from keysh.tools.jq.compile.combine import IDENTITY
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.compile.growth import add_in_place
from keysh.tools.jq.values.value import (
    abbreviated_json,
    index,
    is_equal,
    is_greater,
    is_less,
    is_true,
    items_of,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, One, Pair, Path, Value
    from keysh.tools.jq.compile.growth import Own
    from keysh.tools.jq.values.bounds import JqBounds

    Formatter = Callable[[Value, JqBounds], str]

BINARY_OPERATORS: dict[str, Callable[[Value, Value, JqBounds], Value]] = {
    "+": arithmetic.add, "-": arithmetic.subtract, "*": arithmetic.multiply,
    "/": arithmetic.divide, "%": arithmetic.remainder,
    "==": lambda left, right, bounds: is_equal(left, right, bounds.turn),
    "!=": lambda left, right, bounds: not is_equal(left, right, bounds.turn),
    "<": lambda left, right, bounds: is_less(left, right, bounds.turn),
    ">": lambda left, right, bounds: is_greater(left, right, bounds.turn),
    "<=": lambda left, right, bounds: not is_greater(left, right, bounds.turn),
    ">=": lambda left, right, bounds: not is_less(left, right, bounds.turn),
}  # fmt: skip


MANY_ITEMS = 256


def compile_literal(value: Value) -> Filter:
    """Compile a constant."""
    one: One = lambda _, env: value  # noqa: E731
    return Filter(one=one, paths=computed_paths(single_result(one)), constant=value)


def compile_index(term: Filter, key: Filter) -> Filter:
    """`term[key]`: for each key, index each value of the term."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for key_result in key.many(value, env):
            for inner, result in term.paths(path, value, env):
                further = extend_path(inner, result, key_result)
                yield further, index(result, key_result)

    source, constant = term.one, key.constant
    if source is not None and constant.__class__ is str:
        return Filter(one=field_getter(source, constant), paths=paths)
    if source is not None and key.one is not None:
        key_result = key.one

        def one(value: Value, env: Env) -> Value:
            resolved_key = key_result(value, env)
            return index(source(value, env), resolved_key, env[2].turn)

        return Filter(one=one, paths=paths)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for key_result in key.many(value, env):
            for result in term.many(value, env):
                yield index(result, key_result, env[2].turn)

    return Filter(many=many, paths=paths)


def field_getter(source: One, name: str) -> One:
    """`term.name`"""

    def one(value: Value, env: Env) -> Value:
        value = source(value, env)
        return value.get(name) if value.__class__ is dict else index(value, name)

    return one


def compile_slice_key(start: Filter, end: Filter) -> Filter:
    """Compile the key of `[start:end]`: an object with `start` and `end`."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for first in start.many(value, env):
            for last in end.many(value, env):
                yield {"start": first, "end": last}

    if start.one is None or end.one is None:
        return Filter(many=many)
    first, last = start.one, end.one
    return Filter(one=lambda value, env: {"start": first(value, env), "end": last(value, env)})


def compile_iteration(term: Filter) -> Filter:
    """`term[]`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for inner, result in term.paths(path, value, env):
            if inner is None:
                place = abbreviated_json(result, 29)
                raise JqError(f"Invalid path expression near attempt to iterate through {place}")
            items = each_item(result, env)
            if result.__class__ is dict:
                yield from ((extend_path(inner, result, key), result[key]) for key in result)
            else:
                yield from (((*inner, i), item) for i, item in enumerate(items))

    source = term.one
    if source is not None:
        return Filter(many=lambda value, env: each_item(source(value, env), env), paths=paths)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for result in term.many(value, env):
            yield from each_item(result, env)

    return Filter(many=many, paths=paths)


def each_item(value: Value, env: Env) -> Iterator[Value]:
    """Return the items of an array or an object; many of them tick."""
    items = items_of(value)
    env[2].turn()
    return with_ticks(items, env[2].tick) if len(value) > MANY_ITEMS else iter(items)


def compile_array(body: Filter) -> Filter:
    """`[body]`"""
    if body.one is not None:
        only = body.one
        return Filter(one=lambda value, env: [only(value, env)])
    return Filter(one=lambda value, env: collect_results(body.many(value, env)))


def compile_object(pairs: list[tuple[Filter, Filter]]) -> Filter:
    """`{key: value, …}`: the results of the last value vary fastest."""
    ones = [(key.constant, value.one) for key, value in pairs]
    if all(key.__class__ is str and one is not None for key, one in ones):
        return Filter(
            one=lambda value, env: {key: one(value, env) for key, one in ones if one is not None}
        )

    def many(value: Value, env: Env) -> Iterator[Value]:
        yield from extend({}, 0, value, env)

    def extend(partial: dict[str, Value], position: int, value: Value, env: Env) -> Iterator[Value]:
        if position == len(pairs):
            yield partial
            return
        for key in pairs[position][0].many(value, env):
            for item in pairs[position][1].many(value, env):
                if key.__class__ is not str:
                    raise JqError(
                        f"Cannot use {type_name(key)} ({abbreviated_json(key)}) as object key"
                    )
                yield from extend({**partial, key: item}, position + 1, value, env)

    if all(key.one is not None and item.one is not None for key, item in pairs):
        return Filter(one=lambda value, env: next(many(value, env)))
    return Filter(many=many)


def compile_string(format_result: Formatter, parts: list[str | Filter]) -> Filter:
    """`"…\\(…)…"`: each result of a filter in it is formatted by `format_result`."""
    codes = [part for part in parts if isinstance(part, Filter)]

    def interpolate(results: tuple[Value, ...], env: Env) -> str:
        remaining = iter(results)
        bounds = env[2]
        texts = [
            part if isinstance(part, str) else format_result(next(remaining), bounds)
            for part in parts
        ]
        bounds.check_texts(texts)
        return "".join(texts)

    ones = [code.one for code in codes if code.one is not None]
    if len(ones) == len(codes):
        last_first = ones[::-1]  # as `result_combinations` orders them
        return Filter(
            one=lambda value, env: interpolate(
                tuple([one(value, env) for one in last_first][::-1]), env
            )
        )
    return Filter(
        many=lambda value, env: (
            interpolate(results, env) for results in result_combinations(codes, value, env)
        )
    )


def compile_operation(operator: str, left: Filter, right: Filter) -> Filter:
    """`left + right` and so on: for each result of the right operand, each of the left one."""
    function = BINARY_OPERATORS[operator]
    first, last = left.one, right.one
    if first is None or last is None:
        operands = [left, right]

        def many(value: Value, env: Env) -> Iterator[Value]:
            for one_result, other in result_combinations(operands, value, env):
                yield function(one_result, other, env[2])

        code = Filter(many=many)
    elif right.constant is not NO_RESULT:
        constant = right.constant
        code = Filter(one=lambda value, env: function(first(value, env), constant, env[2]))
    else:

        def one(value: Value, env: Env) -> Value:
            other = last(value, env)
            return function(first(value, env), other, env[2])

        def grow(value: Value, env: Env, own: Own) -> Value:
            return add_in_place(value, last(value, env), own, env[2])

        code = Filter(one=one, grow=grow if operator == "+" and left is IDENTITY else None)
    return code


def compile_logic(operator: str, left: Filter, right: Filter) -> Filter:
    """`and`, `or`: the right operand is evaluated only if it decides the result."""
    decides = operator == "or"

    def many(value: Value, env: Env) -> Iterator[Value]:
        for one in left.many(value, env):
            if is_true(one) is decides:
                yield decides
            else:
                yield from (is_true(other) for other in right.many(value, env))

    first, last = left.one, right.one
    if first is None or last is None:
        return Filter(many=many)
    if decides:
        return Filter(
            one=lambda value, env: is_true(first(value, env)) or is_true(last(value, env))
        )
    return Filter(one=lambda value, env: is_true(first(value, env)) and is_true(last(value, env)))
