"""What real programs do to files is listed completely and taken back."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from keysh import LocalFS, MemoryFS, Policy, Shell
from keysh.vfs.journal import program_index
from keysh.vfs.journal.changes import FileChanges
from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.journal.file_journal import FileJournal
from keysh.vfs.transfer import walk_tree

PATH = "/usr/local/bin:/usr/bin:/bin"
PYTHON = """
import os
os.rename("d", "e"); os.truncate("g", 1); os.link("g", "new"); os.chmod("keep", 0o600)
open("e/more", "w").write("x" * 1000); os.symlink("g", "soft"); os.utime("d2", (1, 2))
"""


class Journalled:
    """A shell whose directory /work is one of the machine, with a journal of its runs."""

    def __init__(
        self,
        folder: Path,
        contents: ContentStore | None = None,
        watch: list[str] | None = None,
        policy: Policy | bool = True,
    ) -> None:
        self.fs = LocalFS(folder) if policy is True else MemoryFS()
        mounts = {"/": MemoryFS(), "/work": self.fs}
        self.shell = Shell(mounts, cwd="/work", env={"PATH": PATH, "HOME": "/"}, external=policy)
        self.shell.run("mkdir d d2; echo a > d/f; ln d/f g; echo old > keep; ln -s x y")
        self.journal = FileJournal(self.shell.fs, contents, watch)
        self.shell._begin().state.session.before_program = self.journal.before_program
        self.trees = [self.tree()]
        self.history: list[FileChanges] = []

    def tree(self) -> dict[str, tuple[object, ...]]:
        first: dict[int, str] = {}
        result = {}
        for path, stat in sorted(walk_tree(self.fs, "/")):
            content = None
            if stat.is_file:
                with self.fs.open(path) as stream:
                    content = stream.read()
            elif stat.is_link:
                content = self.fs.read_link(path).encode()
            name = first.setdefault(stat.inode, path)
            result[path] = (stat.mode, stat.modified, name, content)
        return result

    def run(self, text: str, timeout: float | None = 60) -> FileChanges:
        self.journal.begin()
        self.shell.run(text, timeout=timeout)
        changes = self.journal.end()
        self.history.append(changes)
        self.trees.append(self.tree())
        return changes

    def take_back_and_repeat(self) -> None:
        for _ in range(2):
            for number in reversed(range(len(self.history))):
                self.journal.restore(self.history[number])
                assert self.tree() == self.trees[number]
            for number, changes in enumerate(self.history):
                self.journal.restore(changes, "after")
                assert self.tree() == self.trees[number + 1]


def listed(changes: FileChanges) -> list[tuple[str, str]]:
    return [(change.kind, change.path) for change in changes.list()]


def test_shell_python_and_a_program_killed_in_the_middle(tmp_path: Path) -> None:
    case = Journalled(tmp_path)
    changes = case.run("echo by keysh > n; /bin/sh -c 'rm keep; mv d e; echo b >> g; : > n'")
    assert (changes.reasons, changes.lost) == ([], {})
    assert listed(changes) == [
        ("moved", "/work/e"), ("changed", "/work/e/f"), ("changed", "/work/g"),
        ("removed", "/work/keep"), ("created", "/work/n"),
    ]  # fmt: skip
    assert case.run("/bin/sh -c 'mv e d; echo new > keep'; echo after >> keep").is_complete
    changes = case.run(f"{sys.executable} -c '{PYTHON}'")
    assert changes.is_complete
    assert ("created", "/work/new") in listed(changes)
    endless = "i=0; while :; do i=$((i+1)); echo $i > t$((i % 50)); done"
    changes = case.run(f"/bin/sh -c '{endless}'", timeout=0.4)
    assert changes.is_complete
    assert ("created", "/work/t1") in listed(changes)
    assert not case.run("/bin/true")
    case.take_back_and_repeat()


@pytest.mark.skipif(not shutil.which("git", path=PATH), reason="there is no git")
def test_git(tmp_path: Path) -> None:
    case = Journalled(tmp_path)
    commit = "git add . && git -c user.name=a -c user.email=b@c commit -qm one"
    assert case.run(f"git init -q . && {commit}").is_complete
    assert ("created", "/work/.git/HEAD") in listed(case.history[0])
    assert case.run(f"git mv keep kept && echo 2 >> kept && {commit}").is_complete
    assert case.run("git checkout -q HEAD~ && git gc -q").is_complete
    case.take_back_and_repeat()


def test_a_content_that_changes_within_a_tick_of_the_clock(tmp_path: Path) -> None:
    case = Journalled(tmp_path)
    case.run("echo 1 > x")
    for number in range(2, 8):
        case.run(f"/bin/sh -c 'echo {number} > x'")
        assert listed(case.history[-1]) == [("changed", "/work/x")]
    case.take_back_and_repeat()


def test_copies_of_directories_pass_the_journal(tmp_path: Path) -> None:
    case = Journalled(tmp_path, policy=Policy(materialize=True))
    changes = case.run("/bin/sh -c 'echo b >> g; rm keep; mv d e'")
    assert changes.is_complete
    assert ("removed", "/work/keep") in listed(changes)
    case.take_back_and_repeat()


def test_watched_directories(tmp_path: Path) -> None:
    case = Journalled(tmp_path, watch=["/work/d"])
    changes = case.run("/bin/sh -c 'echo b >> d/new; echo c > d2/unseen'")
    assert listed(changes) == [("created", "/work/d/new")]
    assert changes.reasons == ["what programs change outside /work/d is not known"]


def test_more_files_than_an_index_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Journalled(tmp_path)
    monkeypatch.setattr(program_index, "MAX_INDEXED_FILES", 3)
    changes = case.run("/bin/sh -c 'echo b > g'; echo by keysh > new")
    assert not changes.is_complete
    assert "it has more than 3 files" in changes.reasons[0]
    assert listed(changes) == [("created", "/work/new")]


def test_more_bytes_than_the_journal_keeps(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 60)
    case = Journalled(tmp_path, ContentStore(100))
    changes = case.run("/bin/sh -c 'echo b > g'")
    assert "more than half of the journal's 100" in changes.reasons[0]
    (tmp_path / "large").unlink()
    changes = case.run("/bin/sh -c 'echo b > keep'")
    assert (changes.is_complete, listed(changes)) == (True, [("changed", "/work/keep")])
