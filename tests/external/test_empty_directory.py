"""The empty directory of programs whose shell's directory is not on the machine."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import keysh
from process.conftest import PATH
from process.leaked_processes import kill_marked


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory in which directories are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def shell(places: Path) -> Iterator[keysh.Shell]:
    env = {"PATH": PATH, "KEYSH_TEST": str(places)}
    with keysh.Shell(env=env, external=True, check=False) as shell:
        yield shell
    assert os.listdir(places) == []
    kill_marked(str(places))


def test_it_is_used_again(shell: keysh.Shell) -> None:
    first = shell.run("/bin/pwd").stdout
    assert shell.run("/bin/pwd; /bin/sh -c '>x; rm x; exit 3'; /bin/true").stdout == first


@pytest.mark.parametrize(
    "change",
    [">x", "chmod 755 .", "mkdir x; rmdir x; sleep 0.02", 'mv "$PWD" "$PWD.moved"', 'rmdir "$PWD"'],
)
def test_one_that_was_changed_is_not(shell: keysh.Shell, places: Path, change: str) -> None:
    first = shell.run("/bin/pwd").stdout
    shell.vars["CHANGE"] = change
    shell.run('/bin/sh -c "$CHANGE"')
    assert shell.run("/bin/pwd; /bin/ls -A; /bin/stat -c %a .").stdout.split()[1:] == ["700"]
    for moved in places.glob("*.moved"):
        assert moved.name.removesuffix(".moved") == os.path.basename(first.strip())
        moved.rmdir()


def test_one_in_which_a_program_may_still_write_is_not(shell: keysh.Shell) -> None:
    first = shell.run("/bin/sh -c 'sleep 600 >/dev/null 2>&1 & pwd'").stdout
    assert shell.run("/bin/pwd").stdout != first


def test_programs_at_one_time_have_their_own(shell: keysh.Shell) -> None:
    shell.run("/bin/true")
    result = shell.run("/bin/sh -c 'pwd >&2; yes' | /bin/sh -c 'head -n 1; pwd >&2'")
    assert len(set(result.stderr.split())) == 2


def test_a_dropped_shell_leaves_none(places: Path) -> None:
    shell = keysh.Shell(env={"PATH": PATH}, external=True)
    shell.run("/bin/true")
    assert len(os.listdir(places)) == 1
    del shell
    assert os.listdir(places) == []
