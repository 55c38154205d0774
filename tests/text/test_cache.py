"""Caches compute a value once, and hold no more bytes together than their memory allows."""

from __future__ import annotations

import threading

from keysh import Shell
from keysh.shell import script_cache
from keysh.text.cache import (
    ENTRY_BYTES,
    MAX_SHARED_TEXT_CHARS,
    SHARED_MEMORY,
    CacheMemory,
    TextCache,
)
from keysh.text.regex.engines import linear
from keysh.text.regex.regex import REGEXES, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pytest


def test_value_is_computed_once() -> None:
    cache, made = TextCache(1, CacheMemory(100_000)), iter(["first", "second"])
    assert [cache.get_or_make("a", lambda: next(made)) for _ in range(2)] == ["first", "first"]


def test_oldest_entries_are_evicted() -> None:
    cache = TextCache(1, CacheMemory(10 * ENTRY_BYTES))
    for number in range(12):
        cache.store(number, number)
    assert [*cache.values()] == list(range(2, 12))


def test_long_texts_cost_more() -> None:
    cache = TextCache(100, CacheMemory(10 * ENTRY_BYTES))
    for letter in "abcdefg":
        cache.store(letter * 10, letter)  # 2000 bytes
    assert [*cache.values()] == ["c", "d", "e", "f", "g"]


def test_caches_share_their_memory() -> None:
    """The largest one makes room."""
    memory = CacheMemory(10 * ENTRY_BYTES)
    large, small = TextCache(1, memory), TextCache(1, memory)
    for number in range(10):
        large.store(number, number)
    for number in range(4):
        small.store(number, number)
    assert [*large.values()] == list(range(4, 10))
    assert len(small) == 4


def test_a_value_that_replaces_another_is_counted_once() -> None:
    memory = CacheMemory(10 * ENTRY_BYTES)
    cache = TextCache(1, memory)
    for _ in range(50):
        cache.store("a", "value")
    assert cache.held_bytes == ENTRY_BYTES + 1
    cache.forget_all()
    assert (cache.held_bytes, len(cache)) == (0, 0)


def test_long_texts_are_not_kept() -> None:
    cache = TextCache(1)
    cache.store("a" * (MAX_SHARED_TEXT_CHARS + 1), "value")
    cache.store(("a", frozenset(["b" * MAX_SHARED_TEXT_CHARS])), "value")
    assert not cache
    cache.store("a" * MAX_SHARED_TEXT_CHARS, "value")
    assert len(cache) == 1
    cache.forget_all()


def test_threads_count_together() -> None:
    memory = CacheMemory(100 * ENTRY_BYTES)
    caches = [TextCache(1, memory) for _ in range(4)]

    def work(cache: TextCache, first: int) -> None:
        for number in range(first, first + 300):
            cache.store(number % 70, number)

    threads = [
        threading.Thread(target=work, args=(cache, 100 * number))
        for number, cache in enumerate(caches)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(cache.held_bytes for cache in caches) <= 100 * ENTRY_BYTES
    assert all(cache.sizes.keys() == cache.keys() for cache in caches)


def test_shells_leave_no_long_texts() -> None:
    """Each command that compiles a text is called with one that is too long to be shared."""
    before = [len(cache) for cache in SHARED_MEMORY.caches]
    long_text = "x" * MAX_SHARED_TEXT_CHARS
    for script in (
        f"printf 'y{long_text}'", f"jq -n '\"{long_text}\"'",
        f"awk 'BEGIN {{ x = \"{long_text}\" }}'",
        f"awk 'BEGIN {{ printf \"y{long_text}\" }}'", f"echo a | grep -E 'a|{long_text}y'",
        f"[[ a =~ ^({long_text}y)$ ]]", f"echo a | sed 's/a/{long_text}/'",
    ):  # fmt: skip
        result = Shell().run(script)
        assert not result.stderr
    kept = [cache for cache, size in zip(SHARED_MEMORY.caches, before, strict=False)]
    for cache in (*kept, *SHARED_MEMORY.caches[len(before) :]):
        assert not any(long_text in str(key) for key in cache)


def test_a_regex_counts_its_automaton() -> None:
    regex = regex_of("(ab|c){1,30}d")
    assert REGEXES.sizes["(ab|c){1,30}d", "extended", False, False, ""] > 500 * regex.size > 50_000


def test_states_of_automata_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search finds the same with states that are dropped again and again."""
    regex = regex_of("(a|b)*c(a|b)(a|b)(a|b)d")
    text = "abbabacaabbcababbacabbbacbabd" * 20 + "cabad"
    engine = linear.LinearEngine(regex._node)
    expected = [engine.longest_end(text, start) for start in range(len(text))]
    monkeypatch.setattr(linear, "MAX_STATE_BYTES", 2000)
    again = linear.LinearEngine(regex._node)
    assert [again.longest_end(text, start) for start in range(len(text))] == expected


def test_shell_forgets_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_cache, "MAX_READY_BYTES", 4 * script_cache.ENTRY_BYTES)
    shell = Shell()
    assert [shell.run(f"echo {n % 9}").stdout for n in range(27)] == [
        f"{n}\n" for n in range(9)
    ] * 3
