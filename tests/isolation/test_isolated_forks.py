"""Forks of a shell in a worker: what became of them, and their merge, as in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import keysh
from isolation.test_worker_deaths import kill_idle_worker

FILES = {"/a": "1\n", "/b": "2\n", "/d/x": "x\n"}


def story(isolated: Any, *, has_history: bool = True) -> list[Any]:
    """Return what a host sees that divides, changes, merges and perhaps takes back."""
    told: list[Any] = []
    with keysh.Shell(isolated=isolated, files=FILES, journal=True) as shell:
        shell.run("v=1; w=1; f() { echo f; }; declare -a l=(1 2)")
        with shell.fork() as fork:
            told.append(fork.changes().record())
            fork.run("v=2; echo new > /new; rm /b; echo more >> /a; mv /d /e; g() { echo g; }")
            fork.run("cd /e; alias q=ls; l+=(3); ln -s /a /link; chmod 600 /a")
            changes = fork.changes()
            told += [
                [(one.kind, one.path, one.moved_from) for one in changes.files],
                [one.record() for one in changes.state], bool(changes), changes.is_complete,
            ]  # fmt: skip
            shell.run("w=5; echo own > /own")
            shell.merge(fork)
            told.append(
                shell.run("echo $v $w ${l[@]}; cat /a /own /e/x; ls /; pwd; g; alias").stdout
            )
            told.append(fork.changes().record()["files"])
            fork.run("v=9; echo f > /both"), shell.run("v=8; echo s > /both")
            with pytest.raises(keysh.MergeConflict) as conflict:
                shell.merge(fork)
            told += [str(conflict.value), conflict.value.paths, conflict.value.variables]
            told.append(shell.run("echo $v; cat /both").stdout)
            if has_history:
                told.append([(entry.number, entry.text) for entry in shell.undo(2)])
            told.append(shell.run("echo $v $w; ls /").stdout)
        for act in (shell.changes, lambda: shell.merge(fork.fork()), lambda: shell.merge(shell)):
            with pytest.raises((ValueError, keysh.KeyshError)):
                act()
    return told


def test_forks_are_as_in_this_process() -> None:
    assert story(True) == story(False)


def test_forks_in_one_worker_that_all_share() -> None:
    with keysh.Pool(1) as pool:
        told = story(pool, has_history=False)  # each move loses it
    assert told == story(False, has_history=False)


def test_fork_and_shell_may_lose_their_workers_between() -> None:
    with keysh.Shell(isolated=True, files=FILES) as shell, shell.fork() as fork:
        fork.run("x=1; echo 2 > /a"), shell.run("y=1")
        kill_idle_worker(shell), kill_idle_worker(fork)
        shell.merge(fork)
        assert shell.run("echo $x $y; cat /a").stdout == "1 1\n2\n"
        kill_idle_worker(shell)
        result = shell.run("echo $x")  # the merge is in no image yet, which is said
        assert result.stdout == "1\n" or (result.limit and result.limit.kind == "worker")


def test_fork_with_files_of_the_host_is_refused_unless_they_are_shared(tmp_path: Path) -> None:
    mounts = {"/work": keysh.LocalFS(str(tmp_path))}
    with keysh.Shell(mounts, isolated=True) as shell:
        with shell.fork() as fork:
            with pytest.raises(keysh.KeyshError, match="in no image"):
                fork.changes()
            with pytest.raises(keysh.KeyshError, match="in no image"):
                shell.merge(fork)
        with shell.fork(share=["/work"]) as fork:
            fork.run("x=1; echo hi > /work/f; echo m > /m")
            shell.merge(fork)
            assert shell.run("echo $x; cat /work/f /m").stdout == "1\nhi\nm\n"
