"""The library: the builtin functions of jq.

Some are Python functions of values, some are builders that take filters and return one, and some
are written in jq and compiled when a program calls them.
"""

from __future__ import annotations

from itertools import product

import keysh.tools.jq.library.collection as collection
import keysh.tools.jq.library.dates as dates
import keysh.tools.jq.library.regex_functions as matching
import keysh.tools.jq.library.streaming as streaming
import keysh.tools.jq.library.text as text
from keysh.tools.jq.compile.code import (
    NO_RESULT,
    Filter,
    collect_results,
    native_filter,
    require_path,
)
from keysh.tools.jq.compile.combine import EMPTY, IDENTITY, compile_pipe
from keysh.tools.jq.compile.construct import compile_iteration
from keysh.tools.jq.compile.failure import JqError, ProgramHalt
from keysh.tools.jq.compile.update import delete_paths, get_path, set_path
from keysh.tools.jq.library.format import format_value
from keysh.tools.jq.library.mathematics import NUMERIC_FUNCTIONS
from keysh.tools.jq.library.prelude import PRELUDE
from keysh.tools.jq.values.number import NAN, as_index
from keysh.tools.jq.values.value import (
    contains,
    error_about,
    error_about_pair,
    has_key,
    index,
    is_number,
    is_true,
    items_of,
    keys_of,
    length,
    tostring,
    type_name,
)
from keysh.tools.jq.values.writer import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.jq.compile.code import Env, Pair, Path, Value
    from keysh.tools.jq.values.bounds import JqBounds


def builtin_filter(name: str, arguments: list[Filter]) -> Filter | str | None:
    """Return the filter of a call, the jq definition of the function, or None if there is none."""
    function = VALUE_FUNCTIONS.get(name)
    if function is not None:
        return native_filter(function, arguments)
    bounded = BOUNDED_FUNCTIONS.get(name)
    if bounded is not None:
        return bounded_filter(bounded, arguments)
    build = FILTER_BUILDERS.get(name)
    if build is not None:
        return build(*arguments)
    of_run = dates.DATE_FUNCTIONS.get(name) or RUN_FUNCTIONS.get(name)
    if of_run is not None:
        return run_filter(of_run, arguments)
    return PRELUDE.get(name)


def bounded_filter(function: Callable[..., Value], arguments: list[Filter]) -> Filter:
    """Compile a call of a function of values that asks for the limits of the run."""
    if not arguments:
        return Filter(one=lambda value, env: function(value, env[2]))
    return run_filter(lambda value, argument, env: function(value, argument, env[2]), arguments)


def run_filter(function: Callable[..., Value], arguments: list[Filter]) -> Filter:
    """Compile a call of a Python function that takes the environment as its last argument."""
    if not arguments:
        return Filter(one=lambda value, env: function(value, env))
    only = arguments[0]
    if only.one is not None:
        one = only.one
        return Filter(one=lambda value, env: function(value, one(value, env), env))
    return Filter(
        many=lambda value, env: (
            function(value, argument, env) for argument in only.many(value, env)
        )
    )


# ---------------------------------------------------------------- functions of values


def contains_value(value: Value, part: Value, bounds: JqBounds) -> Value:
    if value.__class__ is not part.__class__ and type_name(value) != type_name(part):
        raise error_about_pair(value, part, "cannot have their containment checked")
    return contains(value, part, bounds.turn)


def builtin_names() -> list[str]:
    """`builtins`: all functions, except those whose name begins with `_`."""
    every = {
        *VALUE_FUNCTIONS,
        *BOUNDED_FUNCTIONS,
        *FILTER_BUILDERS,
        *dates.DATE_FUNCTIONS,
        *RUN_FUNCTIONS,
        *PRELUDE,
    }
    return sorted(name for name in every if name[0] != "_")


def unsorted_keys(value: Value) -> Value:
    """`keys_unsorted`"""
    return list(value) if value.__class__ is dict else keys_of(value)


VALUE_FUNCTIONS: dict[str, Callable[..., Value]] = {
    **NUMERIC_FUNCTIONS,
    "ascii_downcase/0": text.case_function(text.ASCII_LOWERCASE),
    "ascii_upcase/0": text.case_function(text.ASCII_UPPERCASE),
    "builtins/0": lambda value: builtin_names(),
    "delpaths/1": delete_paths,
    "endswith/1": text.endswith,
    "fromjson/0": text.fromjson,
    "get_search_list/0": lambda value: [],
    "has/1": has_key,
    "have_decnum/0": lambda value: True,
    "have_literal_numbers/0": lambda value: True,
    "implode/0": text.implode,
    "infinite/0": lambda value: float("inf"),
    "keys_unsorted/0": unsorted_keys,
    "length/0": length,
    "ltrim/0": text.trim_function(str.lstrip),
    "ltrimstr/1": text.without_start,
    "nan/0": lambda value: NAN,
    "not/0": lambda value: not is_true(value),
    "reverse/0": collection.reverse_value,
    "rtrim/0": text.trim_function(str.rstrip),
    "rtrimstr/1": text.without_end,
    "setpath/2": set_path,
    "startswith/1": text.startswith,
    "toarray/0": collection.to_array,
    "toboolean/0": text.toboolean,
    "tonumber/0": text.tonumber,
    "trim/0": text.trim_function(str.strip),
    "trimstr/1": text.without_both,
    "type/0": type_name,
    "utf8bytelength/0": text.utf8bytelength,
}


# Functions of values whose work or result may be large.
BOUNDED_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "bsearch/1": collection.binary_search,
    "add/0": collection.sum_items,
    "contains/1": contains_value,
    "explode/0": text.explode,
    "flatten/0": lambda value, bounds: collection.flatten_value(value, float("inf"), bounds),
    "flatten/1": collection.flatten_value,
    "format/1": format_value,
    "from_entries/0": collection.from_entries,
    "index/1": text.first_index,
    "indices/1": text.indices,
    "inside/1": lambda value, whole, bounds: contains_value(whole, value, bounds),
    "join/1": text.join_items,
    "keys/0": collection.sorted_keys,
    "max/0": collection.compare_by_value(collection.max_by),
    "min/0": collection.compare_by_value(collection.min_by),
    "rindex/1": text.last_index,
    "sort/0": collection.sort_array,
    "split/1": text.split_at_separator,
    "to_entries/0": collection.to_entries,
    "tojson/0": json_text,
    "tostring/0": tostring,
    "transpose/0": collection.transpose,
}


# ---------------------------------------------------------------- functions of the run


def raise_error(value: Value, env: Env) -> Value:
    """`error`"""
    raise JqError(value)


def raise_message(value: Value, message: Value, env: Env) -> Value:
    """`error(message)`"""
    raise JqError(message)


def halt_program(value: Value, env: Env) -> Value:
    """`halt`"""
    raise ProgramHalt(0)


def halt_with_status(value: Value, status: Value, env: Env) -> Value:
    """`halt_error(status)`"""
    if not is_number(status):
        raise error_about(value, "halt_error/1: number required")
    is_printable = value is None or value.__class__ is str
    raise ProgramHalt(
        as_index(status) & 0xFF, value if is_printable else f"{json_text(value, env[2])}\n"
    )


def print_debug(value: Value, env: Env) -> Value:
    """`debug`"""
    env[2].write_error(f"{env[2].debug_text(['DEBUG:', value])}\n")
    return value


def print_to_stderr(value: Value, env: Env) -> Value:
    """`stderr`"""
    env[2].write_error(tostring(value, env[2]))
    return value


def next_input(value: Value, env: Env) -> Value:
    """`input`"""
    return env[2].input()


RUN_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "env/0": lambda value, env: env[2].variable("ENV"),
    "error/0": raise_error,
    "error/1": raise_message,
    "halt/0": halt_program,
    "halt_error/0": lambda value, env: halt_with_status(value, 5, env),
    "halt_error/1": halt_with_status,
    "input/0": next_input,
    "input_filename/0": lambda value, env: env[2].filename(),
    "input_line_number/0": lambda value, env: env[2].line(),
    "now/0": lambda value, env: dates.now(env),
}


# ---------------------------------------------------------------- builders of filters


def compile_map(body: Filter) -> Filter:
    """`map(f)`"""
    only, maybe = body.one, body.maybe

    def one(value: Value, env: Env) -> Value:
        if value.__class__ is list:
            if only is not None:
                return [only(item, env) for item in value]
            if maybe is not None:
                results = [maybe(item, env) for item in value]
                return [item for item in results if item is not NO_RESULT]
        return collect_results(every.many(value, env))

    every = compile_pipe(compile_iteration(IDENTITY), body)
    return Filter(one=one)


def compile_path(body: Filter) -> Filter:
    """`path(f)`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for path, reached in body.paths((), value, env):
            yield list(require_path(path, reached))

    return Filter(many=many)


def compile_paths() -> Filter:
    """`paths`"""
    every = streaming.compile_recurse_all()

    def many(value: Value, env: Env) -> Iterator[Value]:
        for path, _ in every.paths((), value, env):
            if path:
                yield list(path)

    return Filter(many=many)


def compile_getpath(path_code: Filter) -> Filter:
    """`getpath(path)`, which is also a path expression."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        for keys in path_code.many(value, env):
            target = get_path(value, keys)
            yield (*require_path(path, value), *keys), target

    code = native_filter(get_path, [path_code])
    return Filter(one=code.one, many=code.many, paths=paths)


def compile_del(body: Filter) -> Filter:
    """`del(f)`"""
    paths = compile_path(body)
    return Filter(one=lambda value, env: delete_paths(value, list(paths.many(value, env))))


def compile_pick(body: Filter) -> Filter:
    """`pick(f)`"""
    paths = compile_path(body)

    def one(value: Value, env: Env) -> Value:
        picked = None
        for path in paths.many(value, env):
            picked = set_path(picked, path, get_path(value, path))
        return picked

    return Filter(one=one)


def compile_combinations() -> Filter:
    """`combinations`: every choice of one item per array; the last varies fastest."""

    def many(value: Value, env: Env) -> Iterator[Value]:
        if length(value) and value.__class__ is not list:
            index(value, 0)  # raises the error
        for chosen in product(*map(items_of, value or ())):
            env[2].tick()
            yield list(chosen)

    return Filter(many=many)


def compile_message(tell: Callable[[Value, Env], Value]) -> Filter:
    """`debug`, `stderr`: print a message and return the input, which keeps its path."""

    def paths(path: Path, value: Value, env: Env) -> Iterator[Pair]:
        yield path, tell(value, env)

    return Filter(one=tell, paths=paths)


def compile_inputs() -> Filter:
    """`inputs`"""
    return Filter(many=lambda value, env: env[2].inputs())


FILTER_BUILDERS: dict[str, Callable[..., Filter]] = {
    "all/0": lambda: streaming.compile_any(compile_iteration(IDENTITY), IDENTITY, False),
    "all/1": lambda test: streaming.compile_any(compile_iteration(IDENTITY), test, False),
    "all/2": lambda body, test: streaming.compile_any(body, test, False),
    "any/0": lambda: streaming.compile_any(compile_iteration(IDENTITY), IDENTITY, True),
    "any/1": lambda test: streaming.compile_any(compile_iteration(IDENTITY), test, True),
    "any/2": lambda body, test: streaming.compile_any(body, test, True),
    "capture/1": lambda *arguments: matching.compile_capture([*arguments]),
    "capture/2": lambda *arguments: matching.compile_capture([*arguments]),
    "combinations/0": compile_combinations,
    "debug/0": lambda: compile_message(print_debug),
    "del/1": compile_del,
    "empty/0": lambda: EMPTY,
    "first/1": streaming.compile_first,
    "getpath/1": compile_getpath,
    "group_by/1": collection.by_key_builder(collection.group_pairs),
    "gsub/2": lambda *arguments: matching.compile_substitution([*arguments], is_global=True),
    "gsub/3": lambda *arguments: matching.compile_substitution([*arguments], is_global=True),
    "inputs/0": compile_inputs,
    "isempty/1": streaming.compile_isempty,
    "last/1": streaming.compile_last,
    "limit/2": lambda count, body: streaming.compile_counted(body, count, "limit"),
    "map/1": compile_map,
    "match/1": lambda *arguments: matching.compile_match([*arguments]),
    "match/2": lambda *arguments: matching.compile_match([*arguments]),
    "max_by/1": collection.by_key_builder(collection.max_by, collection.ITERATION_ERROR),
    "min_by/1": collection.by_key_builder(collection.min_by, collection.ITERATION_ERROR),
    "nth/2": lambda count, body: streaming.compile_counted(body, count, "nth"),
    "path/1": compile_path,
    "paths/0": compile_paths,
    "pick/1": compile_pick,
    "range/1": lambda *arguments: streaming.compile_range([*arguments]),
    "range/2": lambda *arguments: streaming.compile_range([*arguments]),
    "range/3": lambda *arguments: streaming.compile_range([*arguments]),
    "recurse/0": streaming.compile_recurse_all,
    "recurse/1": streaming.compile_recurse,
    "repeat/1": streaming.compile_repeat,
    "scan/1": lambda *arguments: matching.compile_scan([*arguments]),
    "scan/2": lambda *arguments: matching.compile_scan([*arguments]),
    "select/1": streaming.compile_select,
    "skip/2": lambda count, body: streaming.compile_counted(body, count, "skip"),
    "sort_by/1": collection.by_key_builder(collection.sort_by),
    "split/2": lambda *arguments: matching.compile_split([*arguments]),
    "stderr/0": lambda: compile_message(print_to_stderr),
    "splits/1": lambda *arguments: matching.compile_splits([*arguments]),
    "splits/2": lambda *arguments: matching.compile_splits([*arguments]),
    "sub/2": lambda *arguments: matching.compile_substitution([*arguments], is_global=False),
    "sub/3": lambda *arguments: matching.compile_substitution([*arguments], is_global=False),
    "test/1": lambda *arguments: matching.compile_test([*arguments]),
    "test/2": lambda *arguments: matching.compile_test([*arguments]),
    "unique/0": lambda: collection.by_key_builder(collection.unique_by)(IDENTITY),
    "tostream/0": lambda: Filter(
        many=lambda value, env: iter(collection.stream_events(value, env[2].turn))
    ),
    "unique_by/1": collection.by_key_builder(collection.unique_by),
    "until/2": streaming.compile_until,
    "walk/1": streaming.compile_walk,
    "while/2": streaming.compile_while,
}
