"""Real programs: what they change in a directory of the machine is found, and taken back."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from history.worlds import files_of, tree_of
from keysh import Journal, LocalFS, Policy, ReadOnlyFS, Shell, UndoRefused

PYTHON = sys.executable


@pytest.fixture
def work(tmp_path: Path) -> Path:
    directory = tmp_path / "work"
    directory.mkdir()
    (directory / "kept").write_text("kept\n")
    return directory


@pytest.fixture
def shell(work: Path) -> Iterator[Shell]:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(work), "GIT_CONFIG_NOSYSTEM": "1"}
    mounts = {"/": ReadOnlyFS(LocalFS("/")), str(work): LocalFS(work)}
    with Shell(
        mounts, journal=True, external=Policy(unconfined=True), env=env, cwd=str(work)
    ) as made:
        yield made


def files_in(shell: Shell) -> dict[str, object]:
    """Return the files of the directory that can be written to."""
    return tree_of(shell.fs.mounts[shell.cwd])


def assert_undone(shell: Shell, *scripts: str, timeout: float = 60) -> None:
    """Run scripts, and take them back one by one: all files are as before each."""
    worlds = []
    for script in scripts:
        worlds.append(files_in(shell))
        result = shell.run(script, timeout=timeout)
        changes = result.changes
        assert changes is not None
        assert changes.is_complete, changes.reasons
        assert list(changes.files), (script, result.stderr)
    for before in reversed(worlds):
        after = files_in(shell)
        shell.undo()
        assert files_in(shell) == before
        shell.redo()
        assert files_in(shell) == after
        shell.undo()


def test_python(shell: Shell) -> None:
    program = (
        "import os; os.rename('kept', 'moved'); os.truncate('moved', 2); os.mkdir('d'); "
        "os.link('moved', 'd/hard'); os.symlink('d', 'link'); open('d/new', 'w').write('x'); "
        "os.chmod('moved', 0o600)"
    )
    truncation = "open('kept', 'w')"
    assert_undone(shell, f'{PYTHON} -c "{program}"', "rm -r d", f'{PYTHON} -c "{truncation}"')
    assert shell.history == ()


def test_a_program_that_is_killed(shell: Shell, work: Path) -> None:
    place = str(work)
    program = (
        "import time; open('kept', 'w').write('half'); open('begun', 'w').write('1'); "
        "time.sleep(600)"
    )
    before = files_in(shell)
    result = shell.run(f'{PYTHON} -c "{program}"', timeout=3)
    assert (result.code, result.limit and result.limit.kind) == (124, "seconds")
    changes = result.changes
    assert changes is not None
    assert [(change.kind, change.path) for change in changes.files] == [
        ("created", f"{place}/begun"),
        ("changed", f"{place}/kept"),
    ]
    assert changes.is_complete
    assert len(shell.history[-1].programs) == 1
    shell.undo()
    assert files_in(shell) == before


@pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")
def test_git(shell: Shell) -> None:
    who = "git -c user.name=a -c user.email=a@b"
    assert_undone(
        shell,
        "git init -q .",
        f"git add kept; {who} commit -q -m one",
        f"echo two > kept; git mv kept other; {who} commit -q -a -m two",
        "git checkout -q -b topic HEAD~1; git gc -q",
    )


@pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")
def test_make(shell: Shell) -> None:
    shell.run("printf 'all: a b\\na b: kept\\n\\tcp kept $@; touch $@.done\\n' > Makefile")
    assert_undone(shell, "make -s", "echo more >> kept; make -s", "rm b b.done; make -s a")


def test_programs_of_a_session_in_memory() -> None:
    """Their files are copied out and in again, and what comes back is a change as any other."""
    external = Policy(materialize=True)
    with Shell(files={"/w/f": "1\n"}, cwd="/w", journal=True, external=external) as shell:
        before = files_of(shell)
        program = "import os; os.rename('f', 'g'); open('new', 'w').write('2')"
        result = shell.run(f'{PYTHON} -c "{program}"')
        assert result.code == 0, result.stderr
        changes = result.changes
        assert changes is not None
        assert changes.is_complete, changes.reasons
        assert {change.path for change in changes.files} >= {"/w/g", "/w/new"}
        shell.undo()
        assert files_of(shell) == before
        shell.redo()
        assert shell.run("cat g new").stdout == "1\n2"


@pytest.mark.skipif(not (shutil.which("git") and shutil.which("make")), reason="needs git and make")
def test_git_and_make_of_a_session_in_memory() -> None:
    files = {"/w/Makefile": "out: in\n\tcp in out\n", "/w/in": "data\n"}
    env = {"PATH": "/usr/bin:/bin", "HOME": "/w", "GIT_CONFIG_NOSYSTEM": "1"}
    names = "-c user.name=a -c user.email=a@b"
    external = Policy(materialize=True)
    with Shell(files=files, cwd="/w", journal=True, external=external, env=env) as shell:
        worlds = []
        for script in (
            "/usr/bin/make",
            f"git init -q . && git add -A && git {names} commit -qm one",
            "/bin/sh -c 'mv in moved; : > out'",
        ):
            worlds.append(files_of(shell))
            result = shell.run(script)
            assert result.code == 0, result.stderr
            assert result.changes is not None
            assert result.changes.is_complete, result.changes.reasons
            assert result.changes.files
        worlds.append(files_of(shell))
        result = shell.run("/bin/sh -c 'echo x > part; exec sleep 600'", timeout=1)
        assert result.limit is not None
        assert result.changes is not None
        assert result.changes.is_complete, result.changes.reasons
        for before in reversed(worlds):
            if files_of(shell) != before:  # the one that was killed may have done nothing yet
                shell.undo()
            assert files_of(shell) == before


def test_what_is_not_watched_is_not_claimed(work: Path, tmp_path: Path) -> None:
    place = str(work)
    mounts = {"/": ReadOnlyFS(LocalFS("/")), place: LocalFS(work)}
    journal = Journal(watch=[f"{place}/d"])
    external = Policy(unconfined=True)
    with Shell(mounts, journal=journal, external=external, cwd=place) as shell:
        shell.run("mkdir d")
        changes = shell.run("/bin/touch d/in outside").changes
        assert changes is not None
        assert [change.path for change in changes.files] == [f"{place}/d/in"]
        assert not changes.is_complete
        with pytest.raises(UndoRefused, match="cannot be taken back"):
            shell.undo()
        assert (work / "d" / "in").exists()
        shell.undo(partial=True)
        assert not (work / "d" / "in").exists()
        assert (work / "outside").exists()
