"""Compile `|`, `,`, `if`, `try`, `//` and `label`."""

from __future__ import annotations

from keysh.tools.jq.compile.code import NO_RESULT, Filter
from keysh.tools.jq.compile.failure import JqError, LabelBreak
from keysh.tools.jq.values.value import is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Grow, Many, One, Pair, Path, Value


def identity_paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
    yield path, value


IDENTITY = Filter(one=lambda value, env: value, paths=identity_paths)
EMPTY = Filter(maybe=lambda value, env: NO_RESULT, paths=lambda path, value, env: iter(()))


def compile_pipe(left: Filter, right: Filter) -> Filter:
    """`left | right`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for inner, result in left.paths(path, value, env):
            yield from right.paths(inner, result, env)

    first, then, last = left.one, right.one, right.maybe
    if first is not None and then is not None:
        grow = pipe_in_place(left.grow, right.grow) if left.grow and right.grow else None
        return Filter(one=lambda value, env: then(first(value, env), env), paths=paths, grow=grow)
    if left.maybe is not None and last is not None:
        return Filter(maybe=pipe_maybe(left.maybe, last), paths=paths)
    return Filter(many=pipe_many(left, right), paths=paths)


def pipe_in_place(first: Grow, then: Grow) -> Grow:
    """Combine the in-place forms of two piped filters."""
    return lambda value, env, own: then(first(value, env, own), env, own)


def pipe_maybe(first: One, last: One) -> One:
    def maybe(value: Value, env: Env) -> Value:
        result = first(value, env)
        return NO_RESULT if result is NO_RESULT else last(result, env)

    return maybe


def pipe_many(left: Filter, right: Filter) -> Many:
    """Make `many` for a pipe that may have several results."""
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
            if result is not NO_RESULT:
                yield result

    return many


def compile_comma(parts: list[Filter]) -> Filter:
    """`part, part, …`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        env[2].turn()
        for part in parts:
            if part.one is not None:
                yield part.one(value, env)
            else:
                yield from part.many(value, env)

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        env[2].turn()
        for part in parts:
            yield from part.paths(path, value, env)

    return Filter(many=many, paths=paths)


def compile_if(condition: Filter, yes: Filter, no: Filter) -> Filter:
    """`if condition then yes else no end`"""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for test in condition.many(value, env):
            yield from (yes if is_true(test) else no).paths(path, value, env)

    test = condition.one
    if test is not None:
        if yes.one is not None and no.one is not None:
            return Filter(one=branch_function(test, yes.one, no.one), paths=paths)
        if yes.maybe is not None and no.maybe is not None:
            return Filter(maybe=branch_function(test, yes.maybe, no.maybe), paths=paths)
        return Filter(many=branch_function(test, yes.many, no.many), paths=paths)

    def many(value: Value, env: Env) -> Iterator[Value]:
        for test in condition.many(value, env):
            yield from (yes if is_true(test) else no).many(value, env)

    return Filter(many=many, paths=paths)


def branch_function(
    test: One, yes: Callable[..., Value], no: Callable[..., Value]
) -> Callable[..., Value]:
    """Make a function that calls one branch or the other."""

    def choice(value: Value, env: Env) -> Value:
        result = test(value, env)
        if result is None or result is False:
            return no(value, env)
        return yes(value, env)

    return choice


def compile_try(body: Filter, handler: Filter | None) -> Filter:
    """`try body catch handler`; without a handler, an error ends the results."""

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

    catch = (lambda value, env: NO_RESULT) if handler is None else handler.maybe
    if body.maybe is None or catch is None:
        return Filter(many=many, paths=paths)
    function = try_function(body.maybe, catch)
    if body.one is not None and handler is not None and handler.one is not None:
        return Filter(one=function, paths=paths)
    return Filter(maybe=function, paths=paths)


def try_function(body: One, catch: One) -> One:
    def maybe(value: Value, env: Env) -> Value:
        try:
            return body(value, env)
        except JqError as error:
            caught = error.value
        return catch(caught, env)

    return maybe


def compile_alternative(left: Filter, right: Filter) -> Filter:
    """`left // right`: the results of `left` that are neither null nor false, else `right`."""

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
        return Filter(many=many, paths=paths)

    def maybe(value: Value, env: Env) -> Value:
        result = first(value, env)
        return result if result is not NO_RESULT and is_true(result) else last(value, env)

    if right.one is not None:
        return Filter(one=maybe, paths=paths)
    return Filter(maybe=maybe, paths=paths)


def compile_label(body: Filter) -> Filter:
    """`label $name | body`: a break inside carries the label's mark."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        mark = object()
        try:
            yield from body.many(value, (mark, env, env[2]))
        except LabelBreak as leaving:
            if leaving.label is not mark:
                raise

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        mark = object()
        try:
            yield from body.paths(path, value, (mark, env, env[2]))
        except LabelBreak as leaving:
            if leaving.label is not mark:
                raise

    return Filter(many=many, paths=paths)
