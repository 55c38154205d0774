"""edit_script: every script produces the new lines, and hostile input is bounded."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.tools.diff.edit import search as edit_search
from keysh.tools.diff.edit.script import edit_script, same_ends


def nothing() -> None:
    """A tick that never stops the run."""


def applied(old: list[str], new: list[str], *, is_minimal: bool) -> tuple[list[str], int]:
    """Apply a script; return the new lines, and how many it deletes and inserts."""
    head, tail = same_ends(old, new, 1)
    script = edit_script(old, new, nothing, head=head, tail=tail, is_minimal=is_minimal)
    made: list[str] = []
    at = cost = 0
    for change in script:
        made += old[at : change.old] + new[change.new : change.new + change.inserted_count]
        at = change.old + change.deleted_count
        cost += change.deleted_count + change.inserted_count
    return made + old[at:], cost


def least_cost(old: list[str], new: list[str]) -> int:
    """The fewest lines to delete and insert, from the longest common subsequence."""
    row = [0] * (len(new) + 1)
    for line in old:
        before = row[:]
        for j, other in enumerate(new):
            row[j + 1] = before[j] + 1 if line == other else max(row[j], before[j + 1])
    return len(old) + len(new) - 2 * row[-1]


LINES = st.lists(st.sampled_from("abc"), max_size=12)


@given(LINES, LINES)
def test_script_produces_the_new_lines(old: list[str], new: list[str]) -> None:
    assert applied(old, new, is_minimal=False)[0] == new


@given(LINES, LINES)
def test_minimal_script_is_shortest(old: list[str], new: list[str]) -> None:
    made, cost = applied(old, new, is_minimal=True)
    assert (made, cost) == (new, least_cost(old, new))


def test_abandoned_search_still_gives_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the cost that GNU allows, the script need not be the shortest."""
    monkeypatch.setattr(edit_search, "MIN_COST_LIMIT", 64)
    random = Random(1)
    old = [str(i) for i in range(1500)]
    new = random.sample(old, len(old))
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1

    script = edit_script(old, new, tick)
    made: list[str] = []
    at = 0
    for change in script:
        made += old[at : change.old] + new[change.new : change.new + change.inserted_count]
        at = change.old + change.deleted_count
    assert made + old[at:] == new
    assert 100 < ticks < 20_000
