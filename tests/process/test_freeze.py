"""Stopping a tree, and waiting for its end, as seen by an imitated table of processes."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from keysh.process.tree import kill
from keysh.process.tree.kill import Escalation, freeze
from keysh.process.tree.process_table import ProcessRow


class ImitatedTree:
    """A tree whose looks are given."""

    is_unclear = False
    pid = 1

    def __init__(self, *found: list[ProcessRow]) -> None:
        self.looks: list[str] = []
        self._found = chain(found, repeat([]))

    def members(self) -> list[ProcessRow]:
        self.looks.append("all")
        return next(self._found)

    def new_members(self) -> list[ProcessRow]:
        self.looks.append("new")
        return next(self._found)


def row(pid: int, state: bytes) -> ProcessRow:
    return ProcessRow(pid, 1, pid, pid, 5, state)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the signals that single processes get; none is really sent."""
    signals: list[tuple[int, int]] = []
    monkeypatch.setattr(kill, "signal_group", lambda pid, number: None)
    monkeypatch.setattr(kill, "signal_one", lambda row, number: signals.append((row.pid, number)))
    return signals


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[bytes]]:
    """Return a table: what each process shows one after the other; the last for ever."""
    table: dict[int, list[bytes]] = {}

    def look(pid: int) -> ProcessRow | None:
        shown = table[pid]
        state = shown.pop(0) if len(shown) > 1 else shown[0]
        return row(pid, state) if state else None

    monkeypatch.setattr(kill, "process_row", look)
    return table


def test_all_have_stopped_before_the_last_look(
    sent: list[tuple[int, int]], states: dict[int, list[bytes]]
) -> None:
    states.update({2: [b"R", b"R", b"T"], 3: [b"Z"]})
    tree = ImitatedTree([row(2, b"S"), row(3, b"S")])
    found = freeze(tree)  # type: ignore[arg-type]
    assert found is not None
    assert [one.pid for one in found] == [2, 3]
    assert tree.looks == ["all", "new", "new", "new"]
    assert states[2] == [b"T"]


def test_what_is_found_later_is_stopped_too(
    sent: list[tuple[int, int]], states: dict[int, list[bytes]]
) -> None:
    states.update({2: [b"T"], 3: [b"T"]})
    tree = ImitatedTree([row(2, b"S")], [row(3, b"R")])
    found = freeze(tree)  # type: ignore[arg-type]
    assert found is not None
    assert [one.pid for one in found] == [2, 3]
    assert [pid for pid, number in sent if number == 19] == [2, 3]
    assert tree.looks == ["all", "new", "new"]


def test_one_that_never_stops_is_not_waited_for_long(
    sent: list[tuple[int, int]], states: dict[int, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(kill, "monotonic", lambda: next(clock) / 200)
    states[2] = [b"D"]
    assert len(freeze(ImitatedTree([row(2, b"D")])) or ()) == 1  # type: ignore[arg-type]


def test_one_is_asked_for_until_all_are_dead(
    sent: list[tuple[int, int]], states: dict[int, list[bytes]]
) -> None:
    """The tree is looked at again only where something else may be alive."""
    states.update({2: [b"T"], 3: [b"T"]})
    tree = ImitatedTree([row(2, b"S"), row(3, b"S")])
    escalation = Escalation(tree, 10.0, lambda: True)  # type: ignore[arg-type]
    assert escalation.step(1.0) is not None
    tree.looks.clear()
    states.update({2: [b"R", b"R", b"Z"], 3: [b"S", b"S", b""]})
    moment: float | None = 1.0
    while moment is not None and moment < 2:
        moment = escalation.step(moment)
    assert moment is None
    assert tree.looks == ["new", "new"]


def test_all_are_looked_at_before_the_last_signal(
    sent: list[tuple[int, int]], states: dict[int, list[bytes]]
) -> None:
    states[2] = [b"T"]
    tree = ImitatedTree([row(2, b"S")], [], [row(2, b"S")], [row(2, b"S")])
    escalation = Escalation(tree, 2.0, lambda: True)  # type: ignore[arg-type]
    assert escalation.step(1.0) is not None
    states[2] = [b"S", b"T"]
    assert escalation.step(2.0) == 2.0
    assert tree.looks == ["all", "new", "all", "all", "new", "new"]
    states[2] = [b"T"]
    escalation.step(2.0)
    assert sent[-1] == (2, 9)
