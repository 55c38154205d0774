"""What shells share is bounded: a script fills each cache with a million bytes and more."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

import keysh
from keysh import Shell
from keysh.diagnostics.dialect import BASH, KEYSH, Dialect
from keysh.shell.script_cache import COMPILERS
from keysh.text.cache import MAX_SHARED_BYTES, MAX_SHARED_TEXT_CHARS, TextCache, text_length

TEXTS = 200
TEXT_CHARS = 1000

# By the module and name of a cache, what a script does with the text $x$i.
FILLING_SCRIPTS = {
    "keysh.text.fields.SPLITTERS": 'IFS="$x$i"; read -r a b <<< "a b"; unset IFS',
    "keysh.text.regex.regex.REGEXES": '[[ a =~ "$x$i" ]]',
    "keysh.builtins.printf.form.FORMATS": 'printf "$x$i %s" a',
    "keysh.tools.awk.command.TREES": 'awk "BEGIN {y = \\"$x$i\\"}"',
    "keysh.tools.awk.command.PROGRAMS": 'awk "BEGIN {y = \\"$x$i\\"}"',
    "keysh.tools.awk.run.format.FORMATS": 'awk -v "f=$x$i%s" "BEGIN {y = sprintf(f, 1)}"',
    "keysh.tools.sed.command.SCRIPTS": 'echo a | sed "s/a/$x$i/"',
    "keysh.tools.bc.compiler.CODES": 'echo "print \\"$x$i\\"" | bc',
    "keysh.tools.jq.compile.program.PROGRAMS": 'jq -n "\\"$x$i\\""',
}
# Of each dialect's compiler.
COMPILER_SCRIPTS = {
    "_scripts": 'eval "y=$x$i"',
    "_expressions": 'let "y = 1 + 0*${i}1 $blanks"',
    "_paths": 'unset "z[$x$i]"',
    "_aliases": 'alias a="echo $x$i"',
    "_expanded_texts": "compgen -W $x$i",
}
# They are kept by what no script chooses: numbers that are small, names of classes, nothing.
KEPT_BY_FEW_KEYS = {
    "keysh.interp.state.session.watchdog",
    "keysh.text.regex.charset.non_ascii_class_ranges",
    "keysh.syntax.errors.recover.lark_parser",
    "keysh.tools.file.magic.magic_rows",
    "keysh.tools.bc.numerals.quantum",
}


def module_values() -> Iterator[tuple[str, Any]]:
    """Yield what each module of keysh defines, with its name."""
    for info in pkgutil.walk_packages(keysh.__path__, "keysh."):
        if info.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:  # an extra that is not installed
            continue
        for name, value in vars(module).items():
            if getattr(value, "__module__", info.name) in (info.name, TextCache.__module__):
                yield f"{info.name}.{name}", value


def shared_caches() -> dict[str, TextCache]:
    return {name: value for name, value in module_values() if isinstance(value, TextCache)}


def test_every_cache_is_known() -> None:
    """A new cache of the process needs a script here, one of functools a reason."""
    assert {*shared_caches()} == {*FILLING_SCRIPTS}
    wrapper = type(functools.cache(len))
    assert {name for name, value in module_values() if isinstance(value, wrapper)} == (
        KEPT_BY_FEW_KEYS
    )


def fill(script: str, dialect: Dialect = BASH) -> None:
    """Run a script in new shells with many texts, and twice with one that is too long."""
    for length in (TEXT_CHARS, 3 * MAX_SHARED_TEXT_CHARS):
        with Shell(dialect=dialect.name) as shell:
            count = TEXTS if length == TEXT_CHARS else 2
            letters = "x" * length
            shell.run(
                f"x={letters}; blanks='{' ' * length}'\n"
                f"for ((i = 1000; i < {1000 + count}; i++)); do {script}; done >/dev/null 2>&1"
            )


def assert_bounded(cache: TextCache) -> None:
    assert sum(map(text_length, cache)) > 2 * TEXT_CHARS, "the script does not fill the cache"
    assert cache.held_bytes == sum(cache.sizes.values()) <= MAX_SHARED_BYTES
    assert cache.sizes.keys() == cache.keys()
    assert max(map(text_length, cache)) <= MAX_SHARED_TEXT_CHARS


@pytest.mark.parametrize("name", FILLING_SCRIPTS)
def test_shared_cache_is_bounded(name: str) -> None:
    caches = shared_caches()
    for cache in caches.values():
        cache.forget_all()
    cache = caches[name]
    fill(FILLING_SCRIPTS[name])
    assert_bounded(cache)


@pytest.mark.parametrize("name", COMPILER_SCRIPTS)
def test_compiler_cache_is_bounded(name: str) -> None:
    dialect = KEYSH if name == "_aliases" else BASH  # bash expands aliases before it parses
    cache = getattr(COMPILERS[dialect], name)
    cache.forget_all()
    fill(COMPILER_SCRIPTS[name], dialect)
    assert_bounded(cache)
