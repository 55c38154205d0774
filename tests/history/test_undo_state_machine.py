"""Random runs on each kind of file system: undo gives back everything, redo the other way."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from history.run_scripts import scripts
from history.worlds import world_of
from keysh import FileSystem, LocalFS, MemoryFS, OverlayFS, Shell, UndoRefused


class Runs(RuleBasedStateMachine):
    """A shell with a journal, and the worlds before and after each of its runs.

    `reads_show` says that the file system keeps times of access, which the walk changes as well.
    """

    reads_show = False

    def __init__(self) -> None:
        super().__init__()
        self.shell = Shell(self.file_systems(), journal=True, cwd="/work", check=False)
        self.shell.state.session.is_interactive = True  # an EXIT trap waits
        self.before: dict[int, Any] = {}
        self.after: dict[int, Any] = {}
        self.changed: set[int] = set()
        self.done: list[int] = []
        self.undone: list[int] = []
        self.first = world_of(self.shell)

    def file_systems(self) -> dict[str, FileSystem]:
        return {"/": MemoryFS(), "/work": MemoryFS()}

    def has_changed(self, number: int) -> bool:
        return number in self.changed

    @rule(script=scripts())
    def run(self, script: str) -> None:
        before = world_of(self.shell)
        result = self.shell.run(script)
        number = self.shell.history[-1].number
        self.before[number], self.after[number] = before, world_of(self.shell)
        changes = result.changes
        assert changes is not None
        is_different = bool(self.before[number] != self.after[number])
        assert bool(changes) is is_different or (self.reads_show and changes), script
        if changes:
            self.changed.add(number)
        self.done.append(number)
        if self.has_changed(number):
            self.undone.clear()

    @rule(count=st.integers(1, 4))
    def undo(self, count: int) -> None:
        changed = [number for number in self.done if self.has_changed(number)]
        if len(changed) < count:
            before = world_of(self.shell)
            with pytest.raises(UndoRefused, match="to be taken back"):
                self.shell.undo(count)
            assert world_of(self.shell) == before
            return
        index = self.done.index(changed[-count])
        group = self.done[index:]
        assert [entry.number for entry in self.shell.undo(count)] == group
        self.done[index:] = []
        self.undone[:0] = group
        assert world_of(self.shell) == self.before[group[0]]

    @rule(count=st.integers(1, 4))
    def redo(self, count: int) -> None:
        changed = [number for number in self.undone if self.has_changed(number)]
        if len(changed) < count:
            with pytest.raises(UndoRefused, match="to be repeated"):
                self.shell.redo(count)
            return
        end = self.undone.index(changed[count - 1]) + 1
        group = self.undone[:end]
        assert [entry.number for entry in self.shell.redo(count)] == group
        self.undone[:end] = []
        self.done += group
        assert world_of(self.shell) == self.after[group[-1]]

    @rule(data=st.data())
    def checkout(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from([0, *self.done, *self.undone]))
        self.shell.checkout(number)
        line = self.done + self.undone
        index = 0 if number == 0 else line.index(number) + 1
        self.done, self.undone = line[:index], line[index:]
        assert world_of(self.shell) == (self.after[number] if number else self.first)

    @rule()
    def undo_everything_and_redo_it(self) -> None:
        for number in reversed([number for number in self.done if self.has_changed(number)]):
            self.shell.undo()
            assert world_of(self.shell) == self.before[number]
        assert world_of(self.shell) == self.first
        self.shell.checkout(0)
        if self.done:
            self.shell.checkout(self.done[-1])
            assert world_of(self.shell) == self.after[self.done[-1]]

    def teardown(self) -> None:
        self.shell.close()


class DirectoryRuns(Runs):
    """The same on a directory of the machine."""

    reads_show = True

    def file_systems(self) -> dict[str, FileSystem]:
        self.directory = Path(tempfile.mkdtemp())
        return {"/": MemoryFS(), "/work": self.work()}

    def work(self) -> FileSystem:
        return LocalFS(self.directory, allow_fifos=True)

    def teardown(self) -> None:
        super().teardown()
        shutil.rmtree(self.directory)


class OverlayRuns(DirectoryRuns):
    """The same on an overlay over a directory."""

    def work(self) -> FileSystem:
        (self.directory / "d").mkdir()
        (self.directory / "a").write_text("lower\n")
        (self.directory / "d" / "x").write_text("lower too\n")
        return OverlayFS(LocalFS(self.directory))


SETTINGS = settings(max_examples=30, stateful_step_count=12)
TestMemory = Runs.TestCase
TestMemory.settings = SETTINGS
TestOverlay = OverlayRuns.TestCase
TestOverlay.settings = SETTINGS
TestDirectory = DirectoryRuns.TestCase
TestDirectory.settings = SETTINGS
