"""Compiled filters: Python functions of the input and the environment.

A filter may have any number of results, so it is compiled into several functions:

    one(value, env)      the result, if the filter always has exactly one; else None
    maybe(value, env)    the result or NO_RESULT, if it never has more than one; else None
    many(value, env)     an iterator of the results
    grow(value, env, own)      like `one`, but may change a state of `reduce` in place; or None
    paths(path, value, env)    the results as (path, value) pairs; the path is None if the result
                               is not a part of the input

An environment is a linked list of variables, (value, outer environment, run). The value is that of
`$x`, the mark of a label, or a filter passed as an argument: (filter, environment).
"""

from __future__ import annotations

from itertools import islice

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.value import MAX_ARRAY_ITEMS, abbreviated_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Value = Any
    Env = tuple[Any, Any, Any]
    Path = tuple[Any, ...] | None
    Pair = tuple[Path, Value]
    One = Callable[[Value, Env], Value]
    Grow = Callable[[Value, Env, dict[int, Any]], Value]
    Many = Callable[[Value, Env], Iterator[Value]]
    Paths = Callable[[Path, Value, Env], Iterator[Pair]]

NO_RESULT: Any = type("Nothing", (), {"__repr__": lambda self: "nothing"})()


class Filter:
    """A compiled filter."""

    __slots__ = ("constant", "grow", "many", "maybe", "one", "paths")

    def __init__(
        self,
        *,
        one: One | None = None,
        maybe: One | None = None,
        many: Many | None = None,
        paths: Paths | None = None,
        constant: Value = NO_RESULT,
        grow: Grow | None = None,
    ) -> None:
        self.one, self.grow = one, grow
        self.maybe = maybe or one
        if many is None:
            assert self.maybe is not None
            many = single_result(one) if one is not None else optional_result(self.maybe)
        self.many = many
        self.paths = paths or computed_paths(many)
        self.constant = constant  # the result, if it is the same for every input


def single_result(one: One) -> Many:
    """Make `many` from `one`."""
    return lambda value, env: iter((one(value, env),))


def optional_result(maybe: One) -> Many:
    """Make `many` from `maybe`."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        result = maybe(value, env)
        if result is not NO_RESULT:
            yield result

    return many


def computed_paths(many: Many) -> Paths:
    """Make the default `paths`: only a filter that returns its input unchanged keeps the path."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for result in many(value, env):
            is_passed_on = result is value and result.__class__ not in (int, float, str)
            yield path if is_passed_on else None, result

    return paths


def collect_results(results: Iterator[Value]) -> list[Value]:
    """Collect all results in a list, up to the largest array allowed."""
    items = list(islice(results, MAX_ARRAY_ITEMS + 1))
    if len(items) > MAX_ARRAY_ITEMS:
        raise JqError(f"a value has more than {MAX_ARRAY_ITEMS} items")
    return items


def require_path(path: Path, value: Value) -> tuple[Any, ...]:
    """Return the path, or fail if the value was computed and has none."""
    if path is None:
        raise JqError(f"Invalid path expression with result {abbreviated_json(value, 29)}")
    return path


def extend_path(path: Path, value: Value, key: Value) -> tuple[Any, ...]:
    """Append a key to a path."""
    if path is None:
        place = f"element {abbreviated_json(key)} of {abbreviated_json(value, 29)}"
        raise JqError(f"Invalid path expression near attempt to access {place}")
    return (*path, key)


# ---------------------------------------------------------------- combining filters


def result_combinations(codes: list[Filter], value: Value, env: Env) -> Iterator[tuple[Value, ...]]:
    """Yield every combination of results; those of the first filter vary fastest."""
    if not codes:
        yield ()
        return
    for last in codes[-1].many(value, env):
        if len(codes) == 1:
            yield (last,)
        else:
            for before in result_combinations(codes[:-1], value, env):
                yield (*before, last)


def native_filter(function: Callable[..., Value], arguments: list[Filter]) -> Filter:
    """Compile a call of a Python function of the input and one result of each argument."""
    ones = [code.one for code in arguments]
    if not arguments:
        return Filter(one=lambda value, env: function(value))
    constants = [code.constant for code in arguments]
    if NO_RESULT not in constants:
        return Filter(one=lambda value, env: function(value, *constants))
    if len(ones) == 1 and ones[0] is not None:
        only = ones[0]
        return Filter(one=lambda value, env: function(value, only(value, env)))
    if None not in ones:
        last_first = ones[::-1]  # as `result_combinations` orders them
        return Filter(
            one=lambda value, env: function(
                value, *[one(value, env) for one in last_first if one][::-1]
            )
        )

    def many(value: Value, env: Env) -> Iterator[Value]:
        for results in result_combinations(arguments, value, env):
            yield function(value, *results)

    return Filter(many=many)


def path_keeping_filter(
    algorithm: Callable[..., Iterator[Value]], main: Filter, *others: Filter
) -> Filter:
    """Compile a filter that yields results of `main` unchanged, so that they keep their paths.

    `algorithm(item, env, follow, value_of, *others)` yields items: values, or (path, value) pairs.
    `follow(item, env)` runs `main` on an item, `value_of(item)` returns its value.
    """

    def many(value: Value, env: Env) -> Iterator[Value]:
        return algorithm(value, env, main.many, identity_of_value, *others)

    def follow(pair: Pair, env: Env) -> Iterator[Pair]:
        return main.paths(pair[0], pair[1], env)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        return algorithm((path, value), env, follow, value_of_pair, *others)

    return Filter(many=many, paths=paths)


def identity_of_value(value: Value) -> Value:
    return value


def value_of_pair(pair: Pair) -> Value:
    return pair[1]
