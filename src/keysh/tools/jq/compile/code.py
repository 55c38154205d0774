"""Code: a filter, compiled into Python functions of its input and of the environment.

A filter has any number of results, so there are several functions for it:

    one(value, env)      its only result, where it always has exactly one; else None
    maybe(value, env)    its only result or NOTHING, where it never has more; else None
    many(value, env)     an iterator of its results
    grow(value, env, own)      the same as `one`, for what `reduce` may change in place; else None
    paths(path, value, env)    its results, each as a pair with the path that leads to it; a path is
                               None where a result is no part of the input

An environment is a chain of variables, (value, the next one, the run); the value is that of a `$x`,
the mark of a label, or a filter that was given as an argument: (code, environment).
"""

from __future__ import annotations

from itertools import islice

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.arithmetic import check_value_size
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
    """One compiled filter."""

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
        self.constant = constant  # the result, where it is the same for every input


def single_result(one: One) -> Many:
    """The results of a filter that has exactly one."""
    return lambda value, env: iter((one(value, env),))


def optional_result(maybe: One) -> Many:
    """The results of a filter that has one or none."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        result = maybe(value, env)
        if result is not NO_RESULT:
            yield result

    return many


def computed_paths(many: Many) -> Paths:
    """The paths of a filter that computes: none, but what it passes on is still the input."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for result in many(value, env):
            is_passed_on = result is value and result.__class__ not in (int, float, str)
            yield path if is_passed_on else None, result

    return paths


def collect_results(results: Iterator[Value]) -> list[Value]:
    """All results in a list, of which the length is bounded."""
    items = list(islice(results, MAX_ARRAY_ITEMS + 1))
    check_value_size(items, MAX_ARRAY_ITEMS)
    return items


def require_path(path: Path, value: Value) -> tuple[Any, ...]:
    """A path that must be one."""
    if path is None:
        raise JqError(f"Invalid path expression with result {abbreviated_json(value, 29)}")
    return path


def extend_path(path: Path, value: Value, key: Value) -> tuple[Any, ...]:
    """A path that leads one step further."""
    if path is None:
        place = f"element {abbreviated_json(key)} of {abbreviated_json(value, 29)}"
        raise JqError(f"Invalid path expression near attempt to access {place}")
    return (*path, key)


# ---------------------------------------------------------------- filters of several others


def result_combinations(codes: list[Filter], value: Value, env: Env) -> Iterator[tuple[Value, ...]]:
    """Every combination of results; those of the first filter change fastest."""
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
    """A filter that calls a Python function with its input and one result of each argument."""
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
        last_first = ones[::-1]  # as `combinations` has them
        return Filter(
            one=lambda value, env: function(
                value, *[one(value, env) for one in last_first if one][::-1]
            )
        )

    def many(value: Value, env: Env) -> Iterator[Value]:
        for given in result_combinations(arguments, value, env):
            yield function(value, *given)

    return Filter(many=many)


def path_keeping_filter(
    algorithm: Callable[..., Iterator[Value]], main: Filter, *others: Filter
) -> Filter:
    """A filter that passes on what another one finds, with its path where paths are wanted.

    `algorithm(item, env, follow, value_of, *others)` yields items; `follow(item, env)` are the
    items that `main` finds at one, `value_of(item)` is the value of one.
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
