"""Random runs of random verbs: what the journal lists is the difference, and all can be taken back.

The trees before and after each run are walked independently of the journal. Undo and redo of runs,
in any order that is possible, must give exactly these trees.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from keysh.vfs.journal.changes import FileChanges, joined_changes
from keysh.vfs.journal.file_journal import FileJournal
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.router import Router
from keysh.vfs.sqlite.filesystem import SqliteFS
from keysh.vfs.transfer import walk_tree

if TYPE_CHECKING:
    from keysh.vfs.api import FileSystem
    from keysh.vfs.stream import Stream

# What a path is: mode, times, the first of its names, the content or target, the number of names.
State = tuple[int, int, int, str, object, int]
Tree = dict[str, State]

names = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(lambda steps: "/".join(steps))
paths = st.tuples(st.integers(0, 30), names)  # an existing path, or with 0 any
new_paths = st.tuples(st.integers(0, 30), st.sampled_from("abcd"))  # in an existing directory
data = st.binary(max_size=6)
numbers = st.integers(0, 3)
# Modes that keep the owner from something do so unless root runs the tests.
MODES = [0o700, 0o755, 0o1777, *([0o600, 0o444, 0o555] if os.geteuid() == 0 else [])]


def furnish(fs: FileSystem) -> None:
    """Make files that are older than the journal."""
    fs.make_directory("/a")
    fs.make_directory("/a/b")
    for path, content in (("/a/a", b"one"), ("/a/b/c", b"two"), ("/c", b"three")):
        with fs.open(path, "w") as stream:
            stream.write(content)
    fs.link("/a/a", "/a/b/a")
    fs.make_link("a/a", "/b")


class Runs(RuleBasedStateMachine):
    """A journal, and the trees that its runs have left."""

    has_exact_access_times = True
    has_link_counts = True

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.fs = self.make_files()
        self.router = Router({"/": MemoryFS(), "/m": self.fs})
        self.journal = FileJournal(self.router)
        self.streams: list[Stream] = []
        self.history: list[FileChanges] = []
        self.trees: list[Tree] = [self.tree()]
        self.position = 0  # runs that are not taken back
        self.is_running = False
        self.has_failed = False

    def make_files(self) -> FileSystem:
        raise NotImplementedError

    def teardown(self) -> None:
        if not self.has_failed:
            if self.is_running:
                self.end()
            self.go_to_both_ends()
        for stream in self.streams:
            stream.close()
        shutil.rmtree(self.folder)

    def go_to_both_ends(self) -> None:
        """Take back and repeat all runs, one by one and as one."""
        self.go_to(0)
        self.go_to(len(self.history))
        joined = joined_changes(self.history)
        self.journal.restore(joined)
        assert_same(self.tree(), self.trees[0])
        self.journal.restore(joined, "after")
        assert_same(self.tree(), self.trees[-1])

    # ------------------------------------------------------------ the trees

    def tree(self) -> Tree:
        """Walk the file system."""
        tree: Tree = {}
        first: dict[tuple[int, int], str] = {}
        for path, stat in sorted(walk_tree(self.fs, "/")):
            key = stat.device, stat.inode
            content: object = None
            if stat.is_file:
                with self.fs.open(path) as stream:
                    content = stream.read()
            elif stat.is_link:
                content = self.fs.read_link(path)
            accessed = stat.accessed if self.has_exact_access_times else 0
            links = 0 if stat.is_directory or not self.has_link_counts else stat.links
            name = path if stat.is_directory else first.setdefault(key, path)
            tree[f"/m{path}".rstrip("/")] = (
                stat.mode,
                stat.modified,
                accessed,
                name,
                content,
                links,
            )
        return tree

    def choose(self, path: tuple[int, str]) -> str:
        """Return an existing path or any other."""
        number, name = path
        there = sorted(path for path, _ in walk_tree(self.fs, "/"))
        return f"/m{there[number % len(there)]}".rstrip("/") if number else f"/m/{name}"

    def choose_new(self, path: tuple[int, str]) -> str:
        number, name = path
        there = sorted(path for path, stat in walk_tree(self.fs, "/") if stat.is_directory)
        return f"/m{there[number % len(there)].rstrip('/')}/{name}"

    # ------------------------------------------------------------ runs

    @precondition(lambda self: not self.is_running)
    @rule()
    def begin(self) -> None:
        self.journal.begin()
        self.is_running = True

    @precondition(lambda self: self.is_running)
    @rule()
    def end(self) -> None:
        changes = self.journal.end()
        self.is_running, self.has_failed = False, True
        after = self.tree()
        before = self.trees[self.position]
        note(f"run: {changes.list(times=True)}")
        assert changes.is_complete, (changes.reasons, changes.lost)
        assert_listed(changes, before, after, has_access_times=self.has_exact_access_times)
        del self.history[self.position :], self.trees[self.position + 1 :]
        self.history.append(changes)
        self.trees.append(after)
        self.position += 1
        self.has_failed = False

    @precondition(lambda self: not self.is_running)
    @rule(place=st.integers(0, 5))
    def go_to(self, place: int) -> None:
        """Take back or repeat runs one by one."""
        place = min(place, len(self.history))
        self.has_failed = True
        while self.position != place:
            is_back = self.position > place
            self.position -= is_back
            changes = self.history[self.position]
            self.journal.restore(changes, "before" if is_back else "after")
            self.position += not is_back
            assert_same(self.tree(), self.trees[self.position])
        self.has_failed = False

    def act(self, verb: str, *arguments: Any) -> Any:
        if not self.is_running:
            self.begin()
        try:
            result = getattr(self.router, verb)(*arguments)
        except OSError as error:
            note(f"{verb} {arguments}: {errno.errorcode.get(error.errno or 0)}")
            return None
        note(f"{verb} {arguments}")
        return result

    # ------------------------------------------------------------ verbs

    @rule(path=new_paths | paths, access=st.sampled_from(["w", "a", "x", "rw"]), content=data)
    def write(self, path: tuple[int, str], access: str, content: bytes) -> None:
        stream = self.act("open", self.choose_new(path), access)
        if stream is not None:
            with stream:
                stream.write(content)

    @rule(path=paths, access=st.sampled_from(["w", "a", "rw"]), content=data)
    def rewrite(self, path: tuple[int, str], access: str, content: bytes) -> None:
        stream = self.act("open", self.choose(path), access)
        if stream is not None:
            with stream:
                stream.write(content)

    @rule(path=paths, size=st.integers(0, 9))
    def truncate(self, path: tuple[int, str], size: int) -> None:
        stream = self.act("open", self.choose(path), "rw")
        if stream is not None:
            with stream:
                stream.truncate(size)

    @rule(path=new_paths | paths, access=st.sampled_from(["w", "a", "rw"]))
    def open_for_long(self, path: tuple[int, str], access: str) -> None:
        stream = self.act("open", self.choose_new(path), access)
        if stream is not None:
            self.streams.append(stream)

    @rule(number=numbers, content=data)
    def write_to_open_file(self, number: int, content: bytes) -> None:
        if not self.is_running:
            self.begin()
        if self.streams:
            self.streams[number % len(self.streams)].write(content)

    @rule(number=numbers)
    def close(self, number: int) -> None:
        if not self.is_running:
            self.begin()
        if self.streams:
            self.streams.pop(number % len(self.streams)).close()

    @rule(path=new_paths)
    def make_directory(self, path: tuple[int, str]) -> None:
        self.act("make_directory", self.choose_new(path))

    @rule(path=paths)
    def remove(self, path: tuple[int, str]) -> None:
        self.act("remove", self.choose(path))

    @rule(path=paths)
    def remove_tree(self, path: tuple[int, str]) -> None:
        if not self.is_running:
            self.begin()
        inner = self.choose(path)[2:]
        if inner and inner in dict(walk_tree(self.fs, "/")):
            for each, stat in reversed([*walk_tree(self.fs, inner)]):
                self.act("remove_directory" if stat.is_directory else "remove", f"/m{each}")

    @rule(old=paths, new=paths | new_paths)
    def rename(self, old: tuple[int, str], new: tuple[int, str]) -> None:
        self.act("rename", self.choose(old), self.choose(new))

    @rule(old=paths, new=new_paths)
    def move(self, old: tuple[int, str], new: tuple[int, str]) -> None:
        self.act("rename", self.choose(old), self.choose_new(new))

    @rule(old=paths, new=new_paths)
    def link(self, old: tuple[int, str], new: tuple[int, str]) -> None:
        self.act("link", self.choose(old), self.choose_new(new))

    @rule(text=names, path=new_paths)
    def make_link(self, text: str, path: tuple[int, str]) -> None:
        self.act("make_link", text, self.choose_new(path))

    @rule(path=new_paths)
    def make_fifo(self, path: tuple[int, str]) -> None:
        self.act("make_fifo", self.choose_new(path))

    @rule(path=paths, mode=st.sampled_from(MODES))
    def set_mode(self, path: tuple[int, str], mode: int) -> None:
        self.act("set_mode", self.choose(path), mode)

    @rule(path=paths, time=st.integers(0, 2**40))
    def set_times(self, path: tuple[int, str], time: int) -> None:
        self.act("set_times", self.choose(path), time, time * 1000)

    @rule(old=paths, new=new_paths)
    def copy_tree(self, old: tuple[int, str], new: tuple[int, str]) -> None:
        if not self.is_running:
            self.begin()
        source, target = self.choose(old)[2:], self.choose_new(new)
        if source not in dict(walk_tree(self.fs, "/")) or target[2:].startswith(source):
            return
        for each, stat in [*walk_tree(self.fs, source)]:
            copy = target + each[len(source) :]
            if stat.is_directory:
                self.act("make_directory", copy)
            elif stat.is_link:
                self.act("make_link", self.fs.read_link(each), copy)
            elif stat.is_file:
                stream = self.act("open", copy, "w")
                if stream is not None:
                    with stream, self.fs.open(each) as reading:
                        stream.write(reading.read())


# ---------------------------------------------------------------- what is expected


def assert_same(found: Tree, wanted: Tree) -> None:
    differences = {
        path: (found.get(path), wanted.get(path))
        for path in {*found, *wanted}
        if found.get(path) != wanted.get(path)
    }
    assert not differences, differences


def shown(state: State) -> tuple[int, object]:
    """What a change of shows without times: mode, and content or target."""
    return state[0], state[4]


def assert_listed(
    changes: FileChanges, before: Tree, after: Tree, *, has_access_times: bool
) -> None:
    """The listed changes make the tree before the one after, and each of them does something."""
    listed = changes.list()
    moves = {change.moved_from: change.path for change in listed if change.kind == "moved"}
    model: dict[str, tuple[int, object]] = {}
    removed = {change.path for change in listed if change.kind == "removed"}
    for path, state in before.items():
        if path in removed:
            continue
        above = [old for old in moves if old is not None and f"{path}/".startswith(f"{old}/")]
        deepest = max(above, key=len, default=None)
        model[path if deepest is None else moves[deepest] + path[len(deepest) :]] = shown(state)
    for change in listed:
        path = change.path
        if change.kind == "removed":
            assert path in before
        elif change.kind == "created":
            assert path not in model
            model[path] = shown(after[path])
        elif change.kind in ("changed", "mode"):
            assert model[path] != shown(after[path]), change
            model[path] = shown(after[path])
        else:
            assert change.kind == "moved"
            model[path] = shown(after[path])
    assert model == {path: shown(state) for path, state in after.items()}
    timed = {change.path for change in changes.list(times=True)} - {each.path for each in listed}
    for path in timed & {*before} if has_access_times else ():
        assert before[path][1:3] != after[path][1:3]
    for path in {*before} & {*after}:
        if before[path][1:3] != after[path][1:3] and shown(before[path]) == shown(after[path]):
            assert path in changes.before, path


# ---------------------------------------------------------------- the file systems


class MemoryRuns(Runs):
    def make_files(self) -> FileSystem:
        fs = MemoryFS()
        furnish(fs)
        return fs


class LocalRuns(Runs):
    has_exact_access_times = False

    def make_files(self) -> FileSystem:
        fs = LocalFS(self.folder, allow_fifos=True)
        furnish(fs)
        return fs


class OverlayRuns(LocalRuns):
    has_link_counts = False  # a lower file counts names that the overlay does not show

    def make_files(self) -> FileSystem:
        return OverlayFS(super().make_files())


class SqliteRuns(Runs):
    def make_files(self) -> FileSystem:
        fs = SqliteFS(self.folder / "files.db")
        furnish(fs)
        return fs


@pytest.mark.parametrize("machine", [MemoryRuns, LocalRuns, OverlayRuns, SqliteRuns])
def test_runs_are_listed_and_taken_back(machine: type[Runs]) -> None:
    run_state_machine_as_test(
        machine, settings=settings(max_examples=60, stateful_step_count=40, deadline=None)
    )
