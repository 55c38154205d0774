"""Library functions that take filters: `select`, `recurse`, `limit`, `range`, `walk` and so on."""

from __future__ import annotations

from itertools import chain, islice
from operator import length_hint

from keysh.tools.jq.compile.code import NO_RESULT, Filter, path_keeping_filter, result_combinations
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.number import as_float, as_index
from keysh.tools.jq.values.value import is_less, is_number, is_true, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.tools.jq.compile.code import Env, Pair, Path, Value

    # The item of a path-keeping filter: a value, or a (path, value) pair.
    Item = Any
    Follow = Callable[[Item, Env], Iterator[Item]]
    ValueOf = Callable[[Item], Value]

NUMBERS_PER_TICK = 256  # between two checks of whether the run was cancelled
MAX_RECURSE_DEPTH = 10_000  # of nested results of `recurse`


def compile_select(condition: Filter) -> Filter:
    """`select(condition)`: the input, once for each true result of the condition."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for test in condition.many(value, env):
            if is_true(test):
                yield path, value

    if condition.one is None:
        return Filter(
            many=lambda value, env: (value for test in condition.many(value, env) if is_true(test)),
            paths=paths,
        )
    only = condition.one

    def maybe(value: Value, env: Env) -> Value:
        test = only(value, env)
        return NO_RESULT if test is None or test is False else value

    return Filter(maybe=maybe, paths=paths)


def compile_recurse(body: Filter) -> Filter:
    """`recurse(f)`: the input, and recursively the results of `f`."""
    return path_keeping_filter(recurse_items, body)


def recurse_items(item: Item, env: Env, follow: Follow, value_of: ValueOf) -> Iterator[Item]:
    yield item
    tick = env[2].tick
    iterators = [follow(item, env)]
    while iterators:
        tick()
        for result in iterators[-1]:
            yield result
            if len(iterators) >= MAX_RECURSE_DEPTH:
                raise JqError(f"recurse goes more than {MAX_RECURSE_DEPTH} levels deep")
            iterators.append(follow(result, env))
            break
        else:
            iterators.pop()


def compile_recurse_all() -> Filter:
    """`..`: the input and every value in it."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        waiting = [value]
        turn = env[2].turn
        while waiting:
            turn()
            value = waiting.pop()
            yield value
            if value.__class__ is list:
                waiting += value[::-1]
            elif value.__class__ is dict:
                waiting += reversed(value.values())

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        waiting = [(path, value)]
        turn = env[2].turn
        while waiting:
            turn()
            path, value = waiting.pop()
            yield path, value
            if value.__class__ in (list, dict):
                if path is None:
                    raise JqError("Invalid path expression near attempt to iterate")
                keys = value if value.__class__ is dict else range(len(value))
                waiting += [((*path, key), value[key]) for key in keys][::-1]

    return Filter(many=many, paths=paths)


def compile_repeat(body: Filter) -> Filter:
    """`repeat(f)`: the results of `f`, again and again, until it fails."""

    def again(item: Item, env: Env, follow: Follow, value_of: ValueOf) -> Iterator[Item]:
        while True:
            env[2].tick()
            yield from follow(item, env)

    return path_keeping_filter(again, body)


def compile_while(condition: Filter, body: Filter) -> Filter:
    """`while(condition; update)`: update repeatedly; yield values while the condition holds."""
    return compile_loop(condition, body, goes_on_where=True)


def compile_until(condition: Filter, body: Filter) -> Filter:
    """`until(condition; update)`: update repeatedly; yield the values that meet the condition."""
    return compile_loop(condition, body, goes_on_where=False)


def compile_loop(condition: Filter, body: Filter, *, goes_on_where: bool) -> Filter:
    """Compile `while` or `until`: values that meet the condition are yielded, and those for which
    it is `goes_on_where` are updated.
    """

    def turn(
        item: Item, env: Env, follow: Follow, value_of: ValueOf, condition: Filter
    ) -> Iterator[Item]:
        iterators = [iter([item])]
        while iterators:
            env[2].tick()
            current = next(iterators[-1], NO_RESULT)
            if current is NO_RESULT:
                iterators.pop()
                continue
            for test in condition.many(value_of(current), env):
                holds = is_true(test)
                if holds:
                    yield current
                if holds is goes_on_where:
                    push_results(iterators, follow(current, env))

    return path_keeping_filter(turn, body, condition)


def push_results(iterators: list[Iterator[Item]], results: Iterator[Item]) -> None:
    """Push results on the stack, and pop exhausted iterators, so that long loops stay flat."""
    first_two = list(islice(results, 2))
    if first_two:
        rest = iter(first_two) if len(first_two) < 2 else chain(first_two, results)
        while (
            iterators
            and iterators[-1].__class__ is LIST_ITERATOR
            and not length_hint(iterators[-1])
        ):
            iterators.pop()
        iterators.append(rest)


LIST_ITERATOR: Any = type(iter([]))


def compile_counted(body: Filter, count: Filter, name: str) -> Filter:
    """`limit(n; f)`, `skip(n; f)` or `nth(n; f)`, for each result of `n`."""
    algorithms: dict[str, Callable[[Iterator[Item], int], Iterator[Item]]] = {
        "limit": lambda results, size: islice(results, max(size, 0)),
        "skip": lambda results, size: islice(results, max(size, 0), None),
        "nth": lambda results, size: islice(results, size, size + 1),
    }
    algorithm = algorithms[name]

    def cut(
        item: Item, env: Env, follow: Follow, value_of: ValueOf, count: Filter
    ) -> Iterator[Item]:
        for size in count.many(value_of(item), env):
            if not is_number(size):
                raise JqError(f"{name} needs a number, not {type_name(size)}")
            if size < 0:
                if name == "nth":
                    raise JqError("nth doesn't support negative indices")
                yield from follow(item, env)
            elif size > 0 or name != "limit":
                yield from algorithm(follow(item, env), -as_index(-size))

    return path_keeping_filter(cut, body, count)


def compile_first(body: Filter) -> Filter:
    """`first(f)`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        return islice(body.paths(path, value, env), 1)

    return Filter(maybe=lambda value, env: next(body.many(value, env), NO_RESULT), paths=paths)


def compile_last(body: Filter) -> Filter:
    """`last(f)`: the last result, or null."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        last = None
        for pair in body.paths(path, value, env):
            env[2].tick()
            last = pair
        if last is not None:
            yield last

    def one(value: Value, env: Env) -> Value:
        last = None
        for result in body.many(value, env):
            env[2].tick()
            last = result
        return last

    return Filter(one=one, paths=paths)


def compile_any(body: Filter, condition: Filter, sought: bool) -> Filter:
    """`any(f; condition)`, or `all` if a false result is sought."""

    def one(value: Value, env: Env) -> Value:
        for result in body.many(value, env):
            for test in condition.many(result, env):
                if is_true(test) is sought:
                    return sought
        return not sought

    return Filter(one=one)


def compile_isempty(body: Filter) -> Filter:
    """`isempty(f)`"""
    return Filter(one=lambda value, env: next(body.many(value, env), NO_RESULT) is NO_RESULT)


def compile_range(arguments: list[Filter]) -> Filter:
    """`range(end)`, `range(start; end)`, `range(start; end; step)`: the step varies fastest."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for bounds in result_combinations(arguments[::-1], value, env):
            numbers = list(bounds[::-1])
            for number in numbers:
                if not is_number(number):
                    raise JqError("Range bounds must be numeric")
            if len(numbers) == 1:
                numbers.insert(0, 0)
            start, end, step = (*numbers, 1)[:3]
            yield from number_range(start, end, step, env[2].tick)

    return Filter(many=many)


def number_range(
    start: Value, end: Value, step: Value, tick: Callable[[], None]
) -> Iterator[Value]:
    """Yield the numbers from `start` up or down to `end`, exclusive."""
    if step == 0 or step != step:
        return
    if start.__class__ is int and step.__class__ is int and abs(end) < 1 << 53:
        stop = int(-(-end // 1)) if step > 0 else int(end // 1)
        numbers = iter(range(start, stop, step))
        while batch := list(islice(numbers, NUMBERS_PER_TICK)):
            tick()
            yield from batch
        return
    number = as_float(start)
    while is_less(number, end) if step > 0 else is_less(end, number):
        tick()
        yield number
        number += step


def compile_walk(body: Filter) -> Filter:
    """`walk(f)`: apply `f` to inner values first; an item without a result is removed."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        env[2].tick()
        if value.__class__ is list:
            value = [result for item in value for result in many(item, env)]
        elif value.__class__ is dict:
            value = {
                key: result for key, item in value.items() for result in islice(many(item, env), 1)
            }
        yield from body.many(value, env)

    only = body.one
    if only is None:
        return Filter(many=many)

    def one(value: Value, env: Env) -> Value:
        env[2].tick()
        if value.__class__ is list:
            value = [one(item, env) for item in value]
        elif value.__class__ is dict:
            value = {key: one(item, env) for key, item in value.items()}
        return only(value, env)

    return Filter(one=one)
