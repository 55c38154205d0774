"""What the programs of one owner have left, and when nothing has to be looked at for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from keysh.process import run
from keysh.process.tree import process_tree
from keysh.process.tree.process_table import NewPids
from keysh.process.tree.process_tree import NO_PID, ProcessTree
from keysh.process.tree.tagged_processes import TaggedProcesses
from process.conftest import Make
from process.leaked_processes import marked_processes


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that grows with each look at processes."""
    seen: list[object] = []
    look = process_tree.processes

    def counted(pids: object) -> object:
        seen.append(pids)
        return look(pids)  # type: ignore[arg-type]

    monkeypatch.setattr(process_tree, "processes", counted)
    return seen


def test_nothing_is_looked_at_where_nothing_can_be(looks: list[object]) -> None:
    owner = TaggedProcesses()
    assert (owner.may_be_alive, owner.has_more_than(0), owner.end(0)) == (False, False, [])
    owner.note_start(2, 1.0)
    assert owner.may_be_alive
    owner.note_end(2, 1.0, has_left=False)
    assert (owner.may_be_alive, owner.has_more_than(0), owner.end(0)) == (False, False, [])
    assert looks == []


@pytest.mark.parametrize("reason", ["runs", "left", "forked"])
def test_what_may_be_alive_is_looked_for(looks: list[object], reason: str) -> None:
    owner = TaggedProcesses()
    owner.note_start(2, 1.0)
    if reason != "runs":
        owner.note_end(2, 1.0, has_left=reason == "left")
    if reason == "forked":
        owner.note_fork()
    assert owner.may_be_alive
    assert not owner.has_more_than(0)
    assert owner.end(0) == []
    assert looks


def test_a_program_that_leaves_nothing(make: Make) -> None:
    """Another process of the machine may have been started meanwhile, so it is tried again."""
    owner = TaggedProcesses()
    while True:
        run(make("true", owner=owner, max_processes=9, counts_processes=True))
        if not owner.may_be_alive:
            break
        owner = TaggedProcesses()


def test_a_program_that_leaves_a_process(make: Make, mark: str) -> None:
    owner = TaggedProcesses()
    script = "setsid sleep 60 >/dev/null 2>&1 & echo"
    run(make("sh", "-c", script, owner=owner, max_processes=9, counts_processes=True))
    run(make("true", owner=owner, max_processes=9, counts_processes=True))
    assert owner.may_be_alive
    assert owner.has_more_than(0)
    assert not owner.has_more_than(1)
    assert owner.end(0) == []
    assert marked_processes(mark) == []
    while owner.may_be_alive:  # until the machine starts nothing between two looks
        assert not owner.has_more_than(0)


NEWEST_PIDS = {
    "nothing is started": ([70, 70, 70, 70], True),
    "during the first look": ([70, 71, 71, 71], False),
    "between two looks": ([70, 70, 71, 71], False),
    "during the second look": ([70, 70, 70, 71], False),
}


@pytest.mark.parametrize("case", NEWEST_PIDS)
def test_two_looks_without_a_new_number_are_certain(
    monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    newest, is_empty = NEWEST_PIDS[case]
    numbers = iter(newest)
    tree = ProcessTree(NO_PID, "no such tag", NewPids(70, 1.0))
    read_number = "keysh.process.tree.process_table.read_number"
    monkeypatch.setattr(read_number, lambda name: next(numbers) if "last" in name else 1 << 62)
    monkeypatch.setattr(process_tree, "processes", empty_table)
    assert tree.members() == []
    assert tree.is_empty() is is_empty


def empty_table(_: object) -> Iterator[object]:
    return iter(())


def test_a_number_that_is_held_is_not_given_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long ago the process began, nothing else has begun if its number is the newest."""
    monkeypatch.setattr("keysh.process.tree.process_table.read_number", lambda _: 400)
    assert NewPids(400, 0.0, is_held=True).count() == 1
    assert NewPids(400, 0.0).count() is None
    assert NewPids(399, 0.0, is_held=True).count() is None
