"""Compile calls of the program's functions, and of the filters passed to them as arguments.

A call in tail position is returned to the loop of `run_function`, so tail recursion is unlimited;
other recursion is limited by Python's stack.
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
    """A call in tail position, yielded by a function's body as its last result."""

    __slots__ = ("env", "function", "value")

    def __init__(self, function: JqFunction, value: Value, env: Env) -> None:
        self.function, self.value, self.env = function, value, env


def run_function(function: JqFunction, value: Value, env: Env) -> Iterator[Value]:
    """Yield the results of a function, and of the tail calls that it makes."""
    while True:
        env[2].tick()
        code = function.code
        assert code is not None  # every function is compiled before the program runs
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
    """Compile a call of a function that is defined `distance` environments further out."""
    values = [
        argument
        for name, argument in zip(function.parameters, arguments, strict=True)
        if name[0] == "$"
    ]
    ones = [argument.one for argument in values if argument.one is not None]

    def body_environment(env: Env) -> Env:
        """Return the environment of the body, without the values of its `$` parameters."""
        inner, run = outer_environment(env, distance), env[2]
        for argument in arguments:
            inner = ((argument, env), inner, run)
        return inner

    def only(value: Value, env: Env) -> Env:
        """Return the environment of the body if each `$` argument has exactly one result."""
        inner = body_environment(env)
        for one in ones:
            inner = (one(value, env), inner, env[2])
        return inner

    def environments(value: Value, env: Env) -> Iterator[Env]:
        """Yield an environment for each combination of `$` arguments; the last varies fastest."""
        return argument_environments(body_environment(env), values, value, env)

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
    """Yield `inner`, extended by each combination of the results of `values`."""
    if not values:
        yield inner
        return
    for result in values[0].many(value, env):
        yield from argument_environments((result, inner, env[2]), values[1:], value, env)


def compile_single_call(
    function: JqFunction, environment: Callable[[Value, Env], Env], *, is_last: bool
) -> Filter:
    """Compile a call whose `$` arguments have exactly one result each."""

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
    """Compile a use of a filter parameter: the argument runs in its caller's environment."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        code, outside = take(env)
        return code.many(value, outside)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        code, outside = take(env)
        return code.paths(path, value, outside)

    return Filter(many=many, paths=paths)
