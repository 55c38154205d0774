"""Filters made of filters: pipes, commas, conditions, attempts, labels."""

from __future__ import annotations

from keysh.tools.jq.compile.code import NOTHING, Code
from keysh.tools.jq.compile.failure import Break, JqError
from keysh.tools.jq.values.value import is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Grow, Many, One, Pair, Path, Value


def itself(path: Path, value: Value, env: Env) -> Iterator[Pair]:
    yield path, value


IDENTITY = Code(one=lambda value, env: value, paths=itself)
EMPTY = Code(maybe=lambda value, env: NOTHING, paths=lambda path, value, env: iter(()))


def piped(left: Code, right: Code) -> Code:
    """`left | right`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for inner, result in left.paths(path, value, env):
            yield from right.paths(inner, result, env)

    first, then, last = left.one, right.one, right.maybe
    if first is not None and then is not None:
        grow = grown(left.grow, right.grow) if left.grow and right.grow else None
        return Code(one=lambda value, env: then(first(value, env), env), paths=paths, grow=grow)
    if left.maybe is not None and last is not None:
        return Code(maybe=maybe_piped(left.maybe, last), paths=paths)
    return Code(many=many_piped(left, right), paths=paths)


def grown(first: Grow, then: Grow) -> Grow:
    """Both of them in place."""
    return lambda value, env, own: then(first(value, env, own), env, own)


def maybe_piped(first: One, last: One) -> One:
    def maybe(value: Value, env: Env) -> Value:
        result = first(value, env)
        return NOTHING if result is NOTHING else last(result, env)

    return maybe


def many_piped(left: Code, right: Code) -> Many:
    """The results of a pipe that may have several."""
    before, then, last, behind = left.many, right.one, right.maybe, right.many
    if left.one is not None:
        first = left.one
        return lambda value, env: behind(first(value, env), env)
    if then is not None:
        return lambda value, env: (then(result, env) for result in before(value, env))

    def many(value: Value, env: Env) -> Iterator[Value]:
        for result in before(value, env):
            if last is None:
                yield from behind(result, env)
                continue
            result = last(result, env)
            if result is not NOTHING:
                yield result

    return many


def one_by_one(parts: list[Code]) -> Code:
    """`part, part, …`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for part in parts:
            if part.one is not None:
                yield part.one(value, env)
            else:
                yield from part.many(value, env)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for part in parts:
            yield from part.paths(path, value, env)

    return Code(many=many, paths=paths)


def branch(condition: Code, yes: Code, no: Code) -> Code:
    """`if condition then yes else no end`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for test in condition.many(value, env):
            yield from (yes if is_true(test) else no).paths(path, value, env)

    test = condition.one
    if test is not None:
        if yes.one is not None and no.one is not None:
            return Code(one=chosen(test, yes.one, no.one), paths=paths)
        if yes.maybe is not None and no.maybe is not None:
            return Code(maybe=chosen(test, yes.maybe, no.maybe), paths=paths)
        return Code(many=chosen(test, yes.many, no.many), paths=paths)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for test in condition.many(value, env):
            yield from (yes if is_true(test) else no).many(value, env)

    return Code(many=many, paths=paths)


def chosen(test: One, yes: Callable[..., Value], no: Callable[..., Value]) -> Callable[..., Value]:
    """The function of one branch or of the other."""

    def choice(value: Value, env: Env) -> Value:
        result = test(value, env)
        if result is None or result is False:
            return no(value, env)
        return yes(value, env)

    return choice


def attempt(body: Code, handler: Code | None) -> Code:
    """`try body catch handler`; without a handler an error is the end of the results."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        try:
            yield from body.many(value, env)
        except JqError as error:
            caught = error.value
        else:
            return
        if handler is not None:
            yield from handler.many(caught, env)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        try:
            yield from body.paths(path, value, env)
        except JqError as error:
            caught = error.value
        else:
            return
        if handler is not None:
            yield from handler.paths(None, caught, env)

    catch = (lambda value, env: NOTHING) if handler is None else handler.maybe
    if body.maybe is None or catch is None:
        return Code(many=many, paths=paths)
    made = attempted(body.maybe, catch)
    if body.one is not None and handler is not None and handler.one is not None:
        return Code(one=made, paths=paths)
    return Code(maybe=made, paths=paths)


def attempted(body: One, catch: One) -> One:
    def maybe(value: Value, env: Env) -> Value:
        try:
            return body(value, env)
        except JqError as error:
            caught = error.value
        return catch(caught, env)

    return maybe


def otherwise(left: Code, right: Code) -> Code:
    """`left // right`: the true results of the first, or the second."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        is_found = False
        for result in left.many(value, env):
            if is_true(result):
                is_found = True
                yield result
        if not is_found:
            yield from right.many(value, env)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        is_found = False
        for pair in left.paths(path, value, env):
            if is_true(pair[1]):
                is_found = True
                yield pair
        if not is_found:
            yield from right.paths(path, value, env)

    first, last = left.maybe, right.maybe
    if first is None or last is None:
        return Code(many=many, paths=paths)

    def maybe(value: Value, env: Env) -> Value:
        result = first(value, env)
        return result if result is not NOTHING and is_true(result) else last(value, env)

    if right.one is not None:
        return Code(one=maybe, paths=paths)
    return Code(maybe=maybe, paths=paths)


def labelled(body: Code) -> Code:
    """`label $name | body`: the mark is what a break in it tells."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        mark = object()
        try:
            yield from body.many(value, (mark, env, env[2]))
        except Break as leaving:
            if leaving.label is not mark:
                raise

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        mark = object()
        try:
            yield from body.paths(path, value, (mark, env, env[2]))
        except Break as leaving:
            if leaving.label is not mark:
                raise

    return Code(many=many, paths=paths)
