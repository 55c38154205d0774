"""Kept: texts are made once, and the oldest are forgotten."""

from __future__ import annotations

import pytest

from keysh import Shell
from keysh.compile import cache as kept
from keysh.compile.cache import LONGEST, MOST, Kept


def test_made_once() -> None:
    cache, made = Kept(), iter(["first", "second"])
    assert [cache.made("a", lambda: next(made)) for _ in range(2)] == ["first", "first"]


def test_the_oldest_of_too_many_goes() -> None:
    cache = Kept()
    for number in range(MOST + 3):
        cache.keep(str(number), number)
    assert len(cache) == MOST
    assert next(iter(cache)) == "3"


def test_the_oldest_go_where_all_are_too_long() -> None:
    cache = Kept()
    for letter in "abc":
        cache.keep(letter * (LONGEST // 2), letter)
    assert [*cache.values()] == ["b", "c"]
    cache.keep("c" * (LONGEST // 2), "again")
    assert [*cache.values()] == ["b", "again"]
    cache.keep("d" * (LONGEST + 1), "never")
    assert [*cache.values()] == ["b", "again"]


def test_a_shell_forgets_what_it_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    shell = Shell()
    assert [shell.run(f"echo {n % 3}").stdout for n in range(9)] == ["0\n", "1\n", "2\n"] * 3


def test_a_function_is_compiled_when_it_is_called() -> None:
    shell = Shell()
    shell.run("f() { echo ran; }")
    before = shell.state.functions["f"].body
    assert shell.run("f; f").stdout == "ran\nran\n"
    assert shell.state.functions["f"].body is not before
