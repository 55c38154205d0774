"""Patterns of names that tools take (`find -name`, `--exclude`) look at the run's limits."""

from __future__ import annotations

import pytest

from keysh.text.pattern import name_matcher


class Ended(Exception):
    """What a tick ends the work by."""


def test_long_match_ticks() -> None:
    ticks: list[None] = []
    matches = name_matcher("*a" * 3000, lambda: ticks.append(None))
    before = len(ticks)
    assert not matches("ab" * 2000)
    assert len(ticks) > before


def test_tick_ends_a_match() -> None:
    ended = False

    def tick() -> None:
        if ended:
            raise Ended

    matches = name_matcher("*a" * 3000, tick)
    ended = True
    with pytest.raises(Ended):
        matches("ab" * 2000)


def test_tick_ends_the_reading_of_a_pattern() -> None:
    def tick() -> None:
        raise Ended

    with pytest.raises(Ended):
        name_matcher("[" * 100_000, tick)


def test_groups_are_literal() -> None:
    assert name_matcher("@(a|b)", lambda: None)("@(a|b)")
    assert not name_matcher("@(a|b)", lambda: None)("a")
    assert name_matcher("*.PY", lambda: None, ignore_case=True)("x.py")
