"""The library: the functions that every program knows.

Some are Python functions of values, some take filters and build others, and some are written in
jq's own language: those are compiled when a program calls them.
"""

from __future__ import annotations

from itertools import product

import keysh.tools.jq.library.collection as collection
import keysh.tools.jq.library.dates as dates
import keysh.tools.jq.library.matching as matching
import keysh.tools.jq.library.text as text
import keysh.tools.jq.values.streaming as streaming
from keysh.tools.jq.compile.code import NOTHING, Code, certain, gathered, native
from keysh.tools.jq.compile.combine import EMPTY, IDENTITY, piped
from keysh.tools.jq.compile.construct import iterated
from keysh.tools.jq.compile.failure import Halt, JqError
from keysh.tools.jq.compile.update import delete_paths, get_path, set_path
from keysh.tools.jq.library.format import format_given
from keysh.tools.jq.library.mathematics import NUMERIC
from keysh.tools.jq.library.prelude import PRELUDE
from keysh.tools.jq.values.number import NAN, as_index
from keysh.tools.jq.values.value import (
    contains,
    each,
    has,
    index,
    is_number,
    is_true,
    keys_of,
    kind,
    length,
    tostring,
    wrong,
    wrong_pair,
)
from keysh.tools.jq.values.writer import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Pair, Path, Value


def builtin(name: str, arguments: list[Code]) -> Code | str | None:
    """The code of a call, or the definition of the function; None where there is no such."""
    function = VALUES.get(name)
    if function is not None:
        return native(function, arguments)
    build = BUILDERS.get(name)
    if build is not None:
        return build(*arguments)
    of_run = dates.TIMED.get(name) or RUNNING.get(name)
    if of_run is not None:
        return running(of_run, arguments)
    return PRELUDE.get(name)


def running(function: Callable[..., Value], arguments: list[Code]) -> Code:
    """A function that also asks the run: it receives the environment last."""
    if not arguments:
        return Code(one=lambda value, env: function(value, env))
    only = arguments[0]
    if only.one is not None:
        one = only.one
        return Code(one=lambda value, env: function(value, one(value, env), env))
    return Code(
        many=lambda value, env: (function(value, given, env) for given in only.many(value, env))
    )


# ---------------------------------------------------------------- of values


def containing(value: Value, part: Value) -> Value:
    if value.__class__ is not part.__class__ and kind(value) != kind(part):
        raise wrong_pair(value, part, "cannot have their containment checked")
    return contains(value, part)


def names() -> list[str]:
    """All functions, except those whose name begins with `_`."""
    every = {*VALUES, *BUILDERS, *dates.TIMED, *RUNNING, *PRELUDE}
    return sorted(name for name in every if name[0] != "_")


def keys_as_they_are(value: Value) -> Value:
    """`keys_unsorted`"""
    return list(value) if value.__class__ is dict else keys_of(value)


VALUES: dict[str, Callable[..., Value]] = {
    **NUMERIC,
    "add/0": collection.total,
    "ascii_downcase/0": text.cased(text.LOWER),
    "ascii_upcase/0": text.cased(text.UPPER),
    "bsearch/1": collection.found_by_halves,
    "builtins/0": lambda value: names(),
    "contains/1": containing,
    "delpaths/1": delete_paths,
    "endswith/1": text.endswith,
    "explode/0": text.exploded,
    "flatten/0": lambda value: collection.flattened(value, float("inf")),
    "flatten/1": collection.flattened,
    "format/1": format_given,
    "from_entries/0": collection.from_entries,
    "fromjson/0": text.fromjson,
    "get_search_list/0": lambda value: [],
    "has/1": has,
    "have_decnum/0": lambda value: True,
    "have_literal_numbers/0": lambda value: True,
    "implode/0": text.imploded,
    "index/1": text.first_index,
    "indices/1": text.indices,
    "infinite/0": lambda value: float("inf"),
    "inside/1": lambda value, whole: containing(whole, value),
    "join/1": text.joined,
    "keys/0": keys_of,
    "keys_unsorted/0": keys_as_they_are,
    "length/0": length,
    "ltrim/0": text.trimmed(str.lstrip),
    "ltrimstr/1": text.without_start,
    "max/0": collection.of_items(collection.greatest),
    "min/0": collection.of_items(collection.least),
    "nan/0": lambda value: NAN,
    "not/0": lambda value: not is_true(value),
    "reverse/0": collection.reversed_items,
    "rindex/1": text.last_index,
    "rtrim/0": text.trimmed(str.rstrip),
    "rtrimstr/1": text.without_end,
    "setpath/2": set_path,
    "sort/0": collection.sorted_items,
    "split/1": text.cut,
    "startswith/1": text.startswith,
    "to_entries/0": collection.entries,
    "toarray/0": collection.array_of,
    "toboolean/0": text.toboolean,
    "tojson/0": text_of,
    "tonumber/0": text.tonumber,
    "tostring/0": tostring,
    "transpose/0": collection.transposed,
    "trim/0": text.trimmed(str.strip),
    "trimstr/1": text.without_both,
    "type/0": kind,
    "utf8bytelength/0": text.utf8bytelength,
}


# ---------------------------------------------------------------- of the run


def raised(value: Value, env: Env) -> Value:
    """`error`"""
    raise JqError(value)


def raised_with(value: Value, message: Value, env: Env) -> Value:
    """`error(message)`"""
    raise JqError(message)


def halted(value: Value, env: Env) -> Value:
    """`halt`"""
    raise Halt(0)


def halted_with(value: Value, status: Value, env: Env) -> Value:
    """`halt_error(status)`"""
    if not is_number(status):
        raise wrong(value, "halt_error/1: number required")
    is_said = value is None or value.__class__ is str
    raise Halt(as_index(status) & 0xFF, value if is_said else f"{text_of(value)}\n")


def told(value: Value, env: Env) -> Value:
    """`debug`"""
    env[2].tell(f"{env[2].debugged(['DEBUG:', value])}\n")
    return value


def told_as_it_is(value: Value, env: Env) -> Value:
    """`stderr`"""
    env[2].tell(tostring(value))
    return value


def next_input(value: Value, env: Env) -> Value:
    """`input`"""
    return env[2].input()


RUNNING: dict[str, Callable[..., Value]] = {
    "env/0": lambda value, env: env[2].variable("ENV"),
    "error/0": raised,
    "error/1": raised_with,
    "halt/0": halted,
    "halt_error/0": lambda value, env: halted_with(value, 5, env),
    "halt_error/1": halted_with,
    "input/0": next_input,
    "input_filename/0": lambda value, env: env[2].filename(),
    "input_line_number/0": lambda value, env: env[2].line(),
    "now/0": lambda value, env: dates.now(env),
}


# ---------------------------------------------------------------- of filters


def mapped(body: Code) -> Code:
    """`map(f)`"""
    only, maybe = body.one, body.maybe

    def one(value: Value, env: Env) -> Value:
        if value.__class__ is list:
            if only is not None:
                return [only(item, env) for item in value]
            if maybe is not None:
                found = [maybe(item, env) for item in value]
                return [item for item in found if item is not NOTHING]
        return gathered(every.many(value, env))

    every = piped(iterated(IDENTITY), body)
    return Code(one=one)


def found_paths(body: Code) -> Code:
    """`path(f)`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for path, reached in body.paths((), value, env):
            yield list(certain(path, reached))

    return Code(many=many)


def all_paths() -> Code:
    """`paths`"""
    every = streaming.everything()

    def many(value: Value, env: Env) -> Iterator[Value]:
        for path, _ in every.paths((), value, env):
            if path:
                yield list(path)

    return Code(many=many)


def reached(path_code: Code) -> Code:
    """`getpath(path)`: what it leads to has a path itself."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for keys in path_code.many(value, env):
            there = get_path(value, keys)
            yield (*certain(path, value), *keys), there

    code = native(get_path, [path_code])
    return Code(one=code.one, many=code.many, paths=paths)


def deleted(body: Code) -> Code:
    """`del(f)`"""
    found = found_paths(body)
    return Code(one=lambda value, env: delete_paths(value, list(found.many(value, env))))


def picked(body: Code) -> Code:
    """`pick(f)`"""
    found = found_paths(body)

    def one(value: Value, env: Env) -> Value:
        made = None
        for path in found.many(value, env):
            made = set_path(made, path, get_path(value, path))
        return made

    return Code(one=one)


def combined() -> Code:
    """`combinations`: one item of each array in every way; those of the last change fastest."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        if length(value) and value.__class__ is not list:
            index(value, 0)  # says what is wrong
        for chosen in product(*map(each, value or ())):
            env[2].tick()
            yield list(chosen)

    return Code(many=many)


def passed_on(tell: Callable[[Value, Env], Value]) -> Code:
    """`debug`, `stderr`: the input, which keeps its path."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        yield path, tell(value, env)

    return Code(one=tell, paths=paths)


def all_inputs() -> Code:
    """`inputs`"""
    return Code(many=lambda value, env: env[2].inputs())


BUILDERS: dict[str, Callable[..., Code]] = {
    "all/0": lambda: streaming.any_of(iterated(IDENTITY), IDENTITY, False),
    "all/1": lambda test: streaming.any_of(iterated(IDENTITY), test, False),
    "all/2": lambda body, test: streaming.any_of(body, test, False),
    "any/0": lambda: streaming.any_of(iterated(IDENTITY), IDENTITY, True),
    "any/1": lambda test: streaming.any_of(iterated(IDENTITY), test, True),
    "any/2": lambda body, test: streaming.any_of(body, test, True),
    "capture/1": lambda *given: matching.captured([*given]),
    "capture/2": lambda *given: matching.captured([*given]),
    "combinations/0": combined,
    "debug/0": lambda: passed_on(told),
    "del/1": deleted,
    "empty/0": lambda: EMPTY,
    "first/1": streaming.first_of,
    "getpath/1": reached,
    "group_by/1": collection.compared(collection.groups),
    "gsub/2": lambda *given: matching.substituted([*given], is_global=True),
    "gsub/3": lambda *given: matching.substituted([*given], is_global=True),
    "inputs/0": all_inputs,
    "isempty/1": streaming.is_empty,
    "last/1": streaming.last_of,
    "limit/2": lambda count, body: streaming.counted(body, count, "limit"),
    "map/1": mapped,
    "match/1": lambda *given: matching.matched([*given]),
    "match/2": lambda *given: matching.matched([*given]),
    "max_by/1": collection.compared(collection.greatest, collection.ITERATED),
    "min_by/1": collection.compared(collection.least, collection.ITERATED),
    "nth/2": lambda count, body: streaming.counted(body, count, "nth"),
    "path/1": found_paths,
    "paths/0": all_paths,
    "pick/1": picked,
    "range/1": lambda *given: streaming.ranged([*given]),
    "range/2": lambda *given: streaming.ranged([*given]),
    "range/3": lambda *given: streaming.ranged([*given]),
    "recurse/0": streaming.everything,
    "recurse/1": streaming.recursive,
    "repeat/1": streaming.repeated,
    "scan/1": lambda *given: matching.scanned([*given]),
    "scan/2": lambda *given: matching.scanned([*given]),
    "select/1": streaming.selected,
    "skip/2": lambda count, body: streaming.counted(body, count, "skip"),
    "sort_by/1": collection.compared(collection.sorted_by),
    "split/2": lambda *given: matching.split([*given]),
    "stderr/0": lambda: passed_on(told_as_it_is),
    "splits/1": lambda *given: matching.splits([*given]),
    "splits/2": lambda *given: matching.splits([*given]),
    "sub/2": lambda *given: matching.substituted([*given], is_global=False),
    "sub/3": lambda *given: matching.substituted([*given], is_global=False),
    "test/1": lambda *given: matching.tested([*given]),
    "test/2": lambda *given: matching.tested([*given]),
    "unique/0": lambda: collection.compared(collection.unique_by)(IDENTITY),
    "tostream/0": lambda: Code(many=lambda value, env: iter(collection.stream_events(value))),
    "unique_by/1": collection.compared(collection.unique_by),
    "until/2": streaming.looped_until,
    "walk/1": streaming.walked,
    "while/2": streaming.looped,
}
