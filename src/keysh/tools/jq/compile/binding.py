"""Bind variables by destructuring patterns: `as`, `reduce` and `foreach`."""

from __future__ import annotations

from functools import partial

from keysh.tools.jq.compile.code import Filter
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.value import index, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.tools.jq.compile.code import Env, Pair, Path, Value

    # Destructures a value: (value, env) yields each set of variables, by name.
    Destructurer = Callable[[Value, Env], Iterator[dict[str, Value]]]


def name_destructurer(name: str) -> Destructurer:
    """`$name`"""
    return lambda value, env: iter(({name: value},))


def array_destructurer(items: list[Destructurer]) -> Destructurer:
    """`[pattern, …]`"""

    def take(value: Value, env: Env) -> Iterator[dict[str, Value]]:
        if value is not None and value.__class__ is not list:
            raise JqError(f"Cannot index {type_name(value)} with number")
        yield from combine_destructurers(items, list(range(len(items))), value, env)

    return take


def combine_destructurers(
    destructurers: list[Destructurer], keys: list[Value], value: Value, env: Env
) -> Iterator[dict[str, Value]]:
    """Yield every combination of the variables that the items at `keys` bind."""
    if not destructurers:
        yield {}
        return
    env[2].turn()
    for first in destructurers[0](index(value, keys[0]), env):
        for others in combine_destructurers(destructurers[1:], keys[1:], value, env):
            yield {**first, **others}


def object_destructurer(
    items: list[tuple[str | None, Filter, Destructurer | None]],
) -> Destructurer:
    """`{$name, key: pattern, …}`"""

    def take(value: Value, env: Env) -> Iterator[dict[str, Value]]:
        yield from take_from(0, value, env)

    def take_from(position: int, value: Value, env: Env) -> Iterator[dict[str, Value]]:
        if position == len(items):
            yield {}
            return
        env[2].turn()
        name, key, pattern = items[position]
        for field in key.many(value, env):
            if field.__class__ is not str:
                raise JqError(f"Cannot index {type_name(value)} with {type_name(field)}")
            item = index(value, field)
            for variables in pattern(item, env) if pattern is not None else ({},):
                variable = {} if name is None else {name: item}
                for others in take_from(position + 1, value, env):
                    yield {**variable, **variables, **others}

    return take


class Binder:
    """Alternative patterns (`?//`) that all bind the same variables, in the order of `names`."""

    __slots__ = ("is_plain", "names", "destructurers")

    def __init__(
        self, names: list[str], destructurers: list[Destructurer], *, is_plain: bool
    ) -> None:
        self.names, self.destructurers = names, destructurers
        self.is_plain = is_plain  # `as $name`: one variable, bound to the whole value

    def environments(self, destructurer: Destructurer, value: Value, env: Env) -> Iterator[Env]:
        """Yield an environment for each set of variables that one pattern binds."""
        for variables in destructurer(value, env):
            inner = env
            for name in self.names:
                inner = (variables.get(name), inner, env[2])
            yield inner

    def each(
        self, value: Value, env: Env, follow: Callable[[Env], Iterator[Value]]
    ) -> Iterator[Value]:
        """Yield the results of `follow`; if a pattern or `follow` fails, try the next pattern."""
        if self.is_plain:
            yield from follow((value, env, env[2]))
            return
        for destructurer in self.destructurers[:-1]:
            try:
                for inner in self.environments(destructurer, value, env):
                    yield from follow(inner)
            except JqError:
                continue
            return
        for inner in self.environments(self.destructurers[-1], value, env):
            yield from follow(inner)


def compile_bind(source: Filter, binder: Binder, body: Filter) -> Filter:
    """`source as patterns | body`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for item in source.many(value, env):
            env[2].turn()
            yield from binder.each(item, env, lambda inner: body.paths(path, value, inner))

    if binder.is_plain and source.one is not None:
        only, rest = source.one, body.one
        if rest is not None:
            return Filter(
                one=lambda value, env: rest(value, (only(value, env), env, env[2])), paths=paths
            )
        last = body.many
        return Filter(
            many=lambda value, env: last(value, (only(value, env), env, env[2])), paths=paths
        )

    def many(value: Value, env: Env) -> Iterator[Value]:
        for item in source.many(value, env):
            env[2].turn()
            yield from binder.each(item, env, lambda inner: body.many(value, inner))

    return Filter(many=many, paths=paths)


def last_result(results: Iterator[Any], otherwise: Any) -> Any:
    """Return the last result, or `otherwise` if there is none."""
    last = otherwise
    for result in results:
        last = result
    return last


def compile_reduce(source: Filter, binder: Binder, start: Filter, update: Filter) -> Filter:
    """`reduce source as patterns (start; update)`

    The state after each item is the last result of the update, or null if it has none.
    """

    def one_from(state: Value, value: Value, env: Env) -> Value:
        tick = env[2].tick
        if binder.is_plain and update.grow is not None:
            own: dict[int, Value] = {}
            for item in source.many(value, env):
                tick()
                state = update.grow(state, (item, env, env[2]), own)
            return state
        if binder.is_plain and update.one is not None:
            next_one = update.one
            for item in source.many(value, env):
                tick()
                state = next_one(state, (item, env, env[2]))
            return state
        for item in source.many(value, env):
            tick()
            turns = binder.each(item, env, partial(update.many, state))
            state = last_result(turns, None)
        return state

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for first in start.paths(path, value, env):
            pair = first
            for item in source.many(value, env):
                env[2].tick()
                pair = last_result(
                    binder.each(item, env, partial(update.paths, *pair)), (None, None)
                )
            yield pair

    if start.one is not None:
        first = start.one
        return Filter(one=lambda value, env: one_from(first(value, env), value, env), paths=paths)
    return Filter(
        many=lambda value, env: (one_from(state, value, env) for state in start.many(value, env)),
        paths=paths,
    )


def compile_foreach(
    source: Filter, binder: Binder, start: Filter, update: Filter, extract: Filter
) -> Filter:
    """`foreach source as patterns (start; update; extract)`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        tick = env[2].tick
        for state in start.many(value, env):
            last = [state]

            def turn(inner: Env, last: list[Value] = last) -> Iterator[Value]:
                before, last[0] = last[0], None  # the state if the update has no result
                for result in update.many(before, inner):
                    last[0] = result
                    yield from extract.many(result, inner)

            for item in source.many(value, env):
                tick()
                yield from binder.each(item, env, turn)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for pair in start.paths(path, value, env):
            last = [pair]

            def turn(inner: Env, last: list[Pair] = last) -> Iterator[Pair]:
                before, last[0] = last[0], (None, None)
                for result in update.paths(*before, inner):
                    last[0] = result
                    yield from extract.paths(*result, inner)

            for item in source.many(value, env):
                env[2].tick()
                yield from binder.each(item, env, turn)

    return Filter(many=many, paths=paths)
