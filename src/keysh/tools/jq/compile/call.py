"""Calls: functions of a program, and filters given to them as arguments.

A function that calls itself as the last thing it does hands that call to whoever drives it, so it
may do so for ever; others are bounded by Python's own stack.
"""

from __future__ import annotations

from keysh.tools.jq.compile.code import Filter
from keysh.tools.jq.compile.scope import outer_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Pair, Path, Value
    from keysh.tools.jq.compile.scope import JqFunction


class TailCall:
    """The last result of a function's body: a call that is still to be made."""

    __slots__ = ("env", "function", "value")

    def __init__(self, function: JqFunction, value: Value, env: Env) -> None:
        self.function, self.value, self.env = function, value, env


def run_function(function: JqFunction, value: Value, env: Env) -> Iterator[Value]:
    """The results of a function, and of the calls that it hands over."""
    while True:
        env[2].tick()
        code = function.code
        assert code is not None  # nothing runs before all is compiled
        result = None
        for result in code.many(value, env):
            if result.__class__ is TailCall:
                break
            yield result
        if result.__class__ is not TailCall:
            return
        function, value, env = result.function, result.value, result.env


def compile_call(
    function: JqFunction, arguments: list[Filter], distance: int, *, is_last: bool
) -> Filter:
    """A call of a function that is defined so many links further out."""
    values = [
        argument
        for name, argument in zip(function.parameters, arguments, strict=True)
        if name[0] == "$"
    ]
    ones = [argument.one for argument in values if argument.one is not None]

    def closed(env: Env) -> Env:
        """The environment of the body, without the values of `$` parameters."""
        inner, run = outer_environment(env, distance), env[2]
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
        return argument_environments(closed(env), values, value, env)

    if len(ones) == len(values):
        return compile_single_call(function, only, is_last=is_last)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for inner in environments(value, env):
            yield from run_function(function, value, inner)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for inner in environments(value, env):
            assert function.code is not None
            yield from function.code.paths(path, value, inner)

    return Filter(many=many, paths=paths)


def argument_environments(
    inner: Env, values: list[Filter], value: Value, env: Env
) -> Iterator[Env]:
    """An environment with each combination of values."""
    if not values:
        yield inner
        return
    for found in values[0].many(value, env):
        yield from argument_environments((found, inner, env[2]), values[1:], value, env)


def compile_single_call(
    function: JqFunction, environment: Callable[[Value, Env], Env], *, is_last: bool
) -> Filter:
    """A call that is made in one environment."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        env[2].tick()
        assert function.code is not None
        return function.code.paths(path, value, environment(value, env))

    code = function.code
    if code is not None and code.maybe is not None:
        body = code.maybe
        if code.one is not None:
            return Filter(one=lambda value, env: body(value, environment(value, env)), paths=paths)
        return Filter(maybe=lambda value, env: body(value, environment(value, env)), paths=paths)
    if is_last:
        return Filter(
            many=lambda value, env: iter((TailCall(function, value, environment(value, env)),)),
            paths=paths,
        )
    return Filter(
        many=lambda value, env: run_function(function, value, environment(value, env)), paths=paths
    )


def compile_argument(take: Callable[[Env], tuple[Filter, Env]]) -> Filter:
    """A filter that was given to a function, run where it was given."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        code, outside = take(env)
        return code.many(value, outside)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        code, outside = take(env)
        return code.paths(path, value, outside)

    return Filter(many=many, paths=paths)
