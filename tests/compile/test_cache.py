"""Caches compute a value once and evict the oldest entries."""

from __future__ import annotations

import pytest

from keysh import Shell
from keysh.compile import cache as kept
from keysh.compile.cache import MAX_CACHED_CHARS, MAX_CACHED_TEXTS, TextCache


def test_value_is_computed_once() -> None:
    cache, made = TextCache(), iter(["first", "second"])
    assert [cache.get_or_make("a", lambda: next(made)) for _ in range(2)] == ["first", "first"]


def test_oldest_entry_is_evicted() -> None:
    cache = TextCache()
    for number in range(MAX_CACHED_TEXTS + 3):
        cache.store(str(number), number)
    assert len(cache) == MAX_CACHED_TEXTS
    assert next(iter(cache)) == "3"


def test_oldest_entries_are_evicted_by_size() -> None:
    cache = TextCache()
    for letter in "abc":
        cache.store(letter * (MAX_CACHED_CHARS // 2), letter)
    assert [*cache.values()] == ["b", "c"]
    cache.store("c" * (MAX_CACHED_CHARS // 2), "again")
    assert [*cache.values()] == ["b", "again"]
    cache.store("d" * (MAX_CACHED_CHARS + 1), "never")
    assert [*cache.values()] == ["b", "again"]


def test_shell_evicts_old_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_CACHED_TEXTS", 2)
    shell = Shell()
    assert [shell.run(f"echo {n % 3}").stdout for n in range(9)] == ["0\n", "1\n", "2\n"] * 3


def test_function_is_compiled_on_its_first_call() -> None:
    shell = Shell()
    shell.run("f() { echo ran; }")
    before = shell.state.functions["f"].body
    assert shell.run("f; f").stdout == "ran\nran\n"
    assert shell.state.functions["f"].body is not before
