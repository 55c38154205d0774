"""Variables: values are taken apart by patterns, and filters run for each; reduce and foreach."""

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

    # Takes a value apart: (value, env) gives each set of variables, by name.
    Taker = Callable[[Value, Env], Iterator[dict[str, Value]]]


def name_destructurer(name: str) -> Taker:
    """`$name`"""
    return lambda value, env: iter(({name: value},))


def array_destructurer(items: list[Taker]) -> Taker:
    """`[pattern, …]`"""

    def take(value: Value, env: Env) -> Iterator[dict[str, Value]]:
        if value is not None and value.__class__ is not list:
            raise JqError(f"Cannot index {type_name(value)} with number")
        yield from combine_destructurers(items, list(range(len(items))), value, env)

    return take


def combine_destructurers(
    takers: list[Taker], keys: list[Value], value: Value, env: Env
) -> Iterator[dict[str, Value]]:
    """Every way in which all takers take what stands at their keys."""
    if not takers:
        yield {}
        return
    for first in takers[0](index(value, keys[0]), env):
        for others in combine_destructurers(takers[1:], keys[1:], value, env):
            yield {**first, **others}


def object_destructurer(items: list[tuple[str | None, Filter, Taker | None]]) -> Taker:
    """`{$name, key: pattern, …}`"""

    def take(value: Value, env: Env) -> Iterator[dict[str, Value]]:
        yield from taken(0, value, env)

    def taken(at: int, value: Value, env: Env) -> Iterator[dict[str, Value]]:
        if at == len(items):
            yield {}
            return
        name, key, inner = items[at]
        for place in key.many(value, env):
            if place.__class__ is not str:
                raise JqError(f"Cannot index {type_name(value)} with {type_name(place)}")
            item = index(value, place)
            for found in inner(item, env) if inner is not None else ({},):
                own = {} if name is None else {name: item}
                for others in taken(at + 1, value, env):
                    yield {**own, **found, **others}

    return take


class Binder:
    """One way or several in which a value becomes variables, always the same ones, in order."""

    __slots__ = ("is_plain", "names", "destructurers")

    def __init__(self, names: list[str], takers: list[Taker], *, is_plain: bool) -> None:
        self.names, self.destructurers = names, takers
        self.is_plain = is_plain  # one variable, which is the value

    def environments(self, taker: Taker, value: Value, env: Env) -> Iterator[Env]:
        """The environments that one of the ways makes."""
        for found in taker(value, env):
            inner = env
            for name in self.names:
                inner = (found.get(name), inner, env[2])
            yield inner

    def each(
        self, value: Value, env: Env, follow: Callable[[Env], Iterator[Value]]
    ) -> Iterator[Value]:
        """What follows from a value; where that fails, from the next way to take it apart."""
        if self.is_plain:
            yield from follow((value, env, env[2]))
            return
        for taker in self.destructurers[:-1]:
            try:
                for inner in self.environments(taker, value, env):
                    yield from follow(inner)
            except JqError:
                continue
            return
        for inner in self.environments(self.destructurers[-1], value, env):
            yield from follow(inner)


def compile_bind(source: Filter, binder: Binder, body: Filter) -> Filter:
    """`source as patterns | body`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for found in source.many(value, env):
            yield from binder.each(found, env, lambda inner: body.paths(path, value, inner))

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
        for found in source.many(value, env):
            yield from binder.each(found, env, lambda inner: body.many(value, inner))

    return Filter(many=many, paths=paths)


def last_result(results: Iterator[Any], otherwise: Any) -> Any:
    """The last of several results."""
    last = otherwise
    for result in results:
        last = result
    return last


def compile_reduce(source: Filter, binder: Binder, start: Filter, update: Filter) -> Filter:
    """`reduce source as patterns (start; update)`: the last result of each turn, null for none."""

    def one_from(state: Value, value: Value, env: Env) -> Value:
        tick = env[2].tick
        if binder.is_plain and update.grow is not None:
            own: dict[int, Value] = {}
            for found in source.many(value, env):
                tick()
                state = update.grow(state, (found, env, env[2]), own)
            return state
        if binder.is_plain and update.one is not None:
            next_one = update.one
            for found in source.many(value, env):
                tick()
                state = next_one(state, (found, env, env[2]))
            return state
        for found in source.many(value, env):
            tick()
            turns = binder.each(found, env, partial(update.many, state))
            state = last_result(turns, None)
        return state

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for first in start.paths(path, value, env):
            pair = first
            for found in source.many(value, env):
                env[2].tick()
                pair = last_result(
                    binder.each(found, env, partial(update.paths, *pair)), (None, None)
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
                before, last[0] = last[0], None  # what an update without results leaves
                for result in update.many(before, inner):
                    last[0] = result
                    yield from extract.many(result, inner)

            for found in source.many(value, env):
                tick()
                yield from binder.each(found, env, turn)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for pair in start.paths(path, value, env):
            last = [pair]

            def turn(inner: Env, last: list[Pair] = last) -> Iterator[Pair]:
                before, last[0] = last[0], (None, None)
                for result in update.paths(*before, inner):
                    last[0] = result
                    yield from extract.paths(*result, inner)

            for found in source.many(value, env):
                env[2].tick()
                yield from binder.each(found, env, turn)

    return Filter(many=many, paths=paths)
