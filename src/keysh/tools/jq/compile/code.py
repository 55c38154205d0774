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
from keysh.tools.jq.values.arithmetic import bounded
from keysh.tools.jq.values.value import MOST_ITEMS, shown

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

NOTHING: Any = type("Nothing", (), {"__repr__": lambda self: "nothing"})()


class Code:
    """One compiled filter."""

    __slots__ = ("constant", "grow", "many", "maybe", "one", "paths")

    def __init__(
        self,
        *,
        one: One | None = None,
        maybe: One | None = None,
        many: Many | None = None,
        paths: Paths | None = None,
        constant: Value = NOTHING,
        grow: Grow | None = None,
    ) -> None:
        self.one, self.grow = one, grow
        self.maybe = maybe or one
        if many is None:
            assert self.maybe is not None
            many = alone(one) if one is not None else at_most_one(self.maybe)
        self.many = many
        self.paths = paths or elsewhere(many)
        self.constant = constant  # the result, where it is the same for every input


def alone(one: One) -> Many:
    """The results of a filter that has exactly one."""
    return lambda value, env: iter((one(value, env),))


def at_most_one(maybe: One) -> Many:
    """The results of a filter that has one or none."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        result = maybe(value, env)
        if result is not NOTHING:
            yield result

    return many


def elsewhere(many: Many) -> Paths:
    """The paths of a filter that computes: none, but what it passes on is still the input."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for result in many(value, env):
            is_passed_on = result is value and result.__class__ not in (int, float, str)
            yield path if is_passed_on else None, result

    return paths


def gathered(results: Iterator[Value]) -> list[Value]:
    """All results in a list, of which the length is bounded."""
    items = list(islice(results, MOST_ITEMS + 1))
    bounded(items, MOST_ITEMS)
    return items


def certain(path: Path, value: Value) -> tuple[Any, ...]:
    """A path that must be one."""
    if path is None:
        raise JqError(f"Invalid path expression with result {shown(value, 29)}")
    return path


def step(path: Path, value: Value, key: Value) -> tuple[Any, ...]:
    """A path that leads one step further."""
    if path is None:
        place = f"element {shown(key)} of {shown(value, 29)}"
        raise JqError(f"Invalid path expression near attempt to access {place}")
    return (*path, key)


# ---------------------------------------------------------------- filters of several others


def combinations(codes: list[Code], value: Value, env: Env) -> Iterator[tuple[Value, ...]]:
    """Every combination of results; those of the first filter change fastest."""
    if not codes:
        yield ()
        return
    for last in codes[-1].many(value, env):
        if len(codes) == 1:
            yield (last,)
        else:
            for before in combinations(codes[:-1], value, env):
                yield (*before, last)


def native(function: Callable[..., Value], arguments: list[Code]) -> Code:
    """A filter that calls a Python function with its input and one result of each argument."""
    ones = [code.one for code in arguments]
    if not arguments:
        return Code(one=lambda value, env: function(value))
    constants = [code.constant for code in arguments]
    if NOTHING not in constants:
        return Code(one=lambda value, env: function(value, *constants))
    if len(ones) == 1 and ones[0] is not None:
        only = ones[0]
        return Code(one=lambda value, env: function(value, only(value, env)))
    if None not in ones:
        last_first = ones[::-1]  # as `combinations` has them
        return Code(
            one=lambda value, env: function(
                value, *[one(value, env) for one in last_first if one][::-1]
            )
        )

    def many(value: Value, env: Env) -> Iterator[Value]:
        for given in combinations(arguments, value, env):
            yield function(value, *given)

    return Code(many=many)


def flow(algorithm: Callable[..., Iterator[Value]], main: Code, *others: Code) -> Code:
    """A filter that passes on what another one finds, with its path where paths are wanted.

    `algorithm(item, env, follow, value_of, *others)` yields items; `follow(item, env)` are the
    items that `main` finds at one, `value_of(item)` is the value of one.
    """

    def many(value: Value, env: Env) -> Iterator[Value]:
        return algorithm(value, env, main.many, itself, *others)

    def follow(pair: Pair, env: Env) -> Iterator[Pair]:
        return main.paths(pair[0], pair[1], env)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        return algorithm((path, value), env, follow, value_of_pair, *others)

    return Code(many=many, paths=paths)


def itself(value: Value) -> Value:
    return value


def value_of_pair(pair: Pair) -> Value:
    return pair[1]
