"""Calls: functions of a program, and filters given to them as arguments.

A function that calls itself as the last thing it does hands that call to whoever drives it, so it
may do so for ever; others are bounded by Python's own stack.
"""

from __future__ import annotations

from keysh.tools.jq.compile.code import Code
from keysh.tools.jq.compile.scope import outward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Pair, Path, Value
    from keysh.tools.jq.compile.scope import Function


class Handover:
    """The last result of a function's body: a call that is still to be made."""

    __slots__ = ("env", "function", "value")

    def __init__(self, function: Function, value: Value, env: Env) -> None:
        self.function, self.value, self.env = function, value, env


def driven(function: Function, value: Value, env: Env) -> Iterator[Value]:
    """The results of a function, and of the calls that it hands over."""
    while True:
        env[2].tick()
        code = function.code
        assert code is not None  # nothing runs before all is compiled
        result = None
        for result in code.many(value, env):
            if result.__class__ is Handover:
                break
            yield result
        if result.__class__ is not Handover:
            return
        function, value, env = result.function, result.value, result.env


def called(function: Function, arguments: list[Code], distance: int, *, is_last: bool) -> Code:
    """A call of a function that is defined so many links further out."""
    values = [
        argument
        for name, argument in zip(function.parameters, arguments, strict=True)
        if name[0] == "$"
    ]
    ones = [argument.one for argument in values if argument.one is not None]

    def closed(env: Env) -> Env:
        """The environment of the body, without the values of `$` parameters."""
        inner, run = outward(env, distance), env[2]
        for argument in arguments:
            inner = ((argument, env), inner, run)
        return inner

    def only(value: Value, env: Env) -> Env:
        """The environment of the body, where each value has one result."""
        inner = closed(env)
        for one in ones:
            inner = (one(value, env), inner, env[2])
        return inner

    def environments(value: Value, env: Env) -> Iterator[Env]:
        """The environments of the body: the results of the last value change fastest."""
        return opened(closed(env), values, value, env)

    if len(ones) == len(values):
        return once(function, only, is_last=is_last)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for inner in environments(value, env):
            yield from driven(function, value, inner)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for inner in environments(value, env):
            assert function.code is not None
            yield from function.code.paths(path, value, inner)

    return Code(many=many, paths=paths)


def opened(inner: Env, values: list[Code], value: Value, env: Env) -> Iterator[Env]:
    """An environment with each combination of values."""
    if not values:
        yield inner
        return
    for found in values[0].many(value, env):
        yield from opened((found, inner, env[2]), values[1:], value, env)


def once(function: Function, environment: Callable[[Value, Env], Env], *, is_last: bool) -> Code:
    """A call that is made in one environment."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        env[2].tick()
        assert function.code is not None
        return function.code.paths(path, value, environment(value, env))

    code = function.code
    if code is not None and code.maybe is not None:
        body = code.maybe
        if code.one is not None:
            return Code(one=lambda value, env: body(value, environment(value, env)), paths=paths)
        return Code(maybe=lambda value, env: body(value, environment(value, env)), paths=paths)
    if is_last:
        return Code(
            many=lambda value, env: iter((Handover(function, value, environment(value, env)),)),
            paths=paths,
        )
    return Code(
        many=lambda value, env: driven(function, value, environment(value, env)), paths=paths
    )


def argument(take: Callable[[Env], tuple[Code, Env]]) -> Code:
    """A filter that was given to a function, run where it was given."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        code, outside = take(env)
        return code.many(value, outside)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        code, outside = take(env)
        return code.paths(path, value, outside)

    return Code(many=many, paths=paths)
