"""The history of a shell in a worker: as in this process, and what is forgotten is said."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import keysh
from isolation.test_worker_deaths import kill_idle_worker


def test_history_is_as_in_this_process(tmp_path: Path) -> None:
    seen: list[list[Any]] = [[], []]
    for log, isolated in zip(seen, (False, True), strict=True):
        place = tmp_path / str(isolated)
        place.mkdir()
        mounts = {"/work": keysh.LocalFS(str(place))}
        with keysh.Shell(mounts, isolated=isolated, journal=True, clock=1.0) as shell:
            result = shell.run("x=1; f() { :; }; echo a > /f; echo b > /work/g")
            assert result.changes is not None
            log += [result.changes.record(), result.changes.diff(), bool(result.changes)]
            shell.run("x=2; rm /f; echo c > /work/g"), shell.run("echo nothing; exit 3")
            log += [
                (e.number, e.text, e.status, e.programs, bool(e.changes)) for e in shell.history
            ]
            log += [[e.number for e in shell.undo()], shell.vars["x"], (place / "g").read_text()]
            log += [[e.number for e in shell.redo()], shell.vars["x"], (place / "g").read_text()]
            log += [shell.run("undo; echo $x; cat /f").stdout]
            log += [[e.number for e in shell.checkout(0)], [*place.iterdir()], list(shell.vars)]
            for act in (lambda: shell.undo(9), lambda: shell.checkout(99), lambda: shell.undo(0)):
                with pytest.raises((keysh.UndoRefused, ValueError)) as refused:
                    act()
                log.append(str(refused.value))
            shell.run("echo 1 > /work/q")
            (place / "q").write_text("of somebody else")
            with pytest.raises(keysh.UndoConflict) as conflict:
                shell.undo()
            log += [conflict.value.paths, shell.history[-1].record()["changes"]]
    assert seen[1] == seen[0]


@pytest.mark.parametrize("isolated", [False, True])
def test_what_a_host_does_is_a_run(isolated: bool, tmp_path: Path) -> None:
    begun = threading.Event()
    with keysh.Shell(
        {"/work": keysh.LocalFS(str(tmp_path))}, isolated=isolated, journal=True
    ) as shell:
        shell.run("x=1")
        with shell.recording("by the host"):
            shell.vars["x"] = 2
            with shell.fs.open("/work/f", "w") as stream:
                stream.write(b"2")

            def run() -> None:
                begun.set()
                shell.run("y=$x")

            other = threading.Thread(target=run)
            other.start()
            begun.wait()
            shell.vars["x"] = 3
            with pytest.raises(keysh.KeyshError), shell.recording("another"):
                pass
        other.join()
        assert [(one.number, one.text) for one in shell.history] == [
            (1, "x=1"), (2, "by the host"), (3, "y=$x"),
        ]  # fmt: skip
        assert shell.vars["y"] == 3
        shell.undo(2)
        assert (shell.vars["x"], [*tmp_path.iterdir()]) == (1, [])
        shell.redo()
        assert (shell.vars["x"], (tmp_path / "f").read_text()) == (3, "2")


def test_a_recording_ends_with_its_worker_and_the_shell_goes_on() -> None:
    with keysh.Shell(isolated=True) as shell, pytest.raises(keysh.UndoRefused, match="no journal"):
        shell.recording("x")
    with keysh.Shell(isolated=True, journal=True) as shell:
        shell.run("x=1")
        with pytest.raises(keysh.KeyshError, match="worker"), shell.recording("x"):  # noqa: PT012 - what is in the block is lost
            shell.vars["x"] = 2
            with pytest.raises(keysh.KeyshError, match="no script runs"):
                shell.run("x=3")
            kill_idle_worker(shell)
            with pytest.raises(keysh.KeyshError, match="worker"):
                shell.vars["x"] = 4
        assert shell.run("echo $x").stdout == "1\n"
        with shell.recording("x"):
            shell.vars["x"] = 5
        assert shell.run("echo $x").stdout == "5\n"


def test_what_undo_changes_is_in_the_next_image() -> None:
    with keysh.Shell(isolated=True, journal=True) as shell:
        shell.run("x=1"), shell.run("x=2")
        shell.undo()
        assert shell.run("echo $x").stdout == "1\n"
        kill_idle_worker(shell)
        assert shell.run("echo $x").stdout == "1\n"


def test_history_that_is_gone_with_its_worker_is_missed_aloud() -> None:
    with keysh.Shell(isolated=True, journal=True) as shell:
        shell.run("x=1"), shell.run("x=2")
        kill_idle_worker(shell)
        shell.run("x=3")
        assert [entry.number for entry in shell.history] == [3]
        with pytest.raises(keysh.UndoRefused, match="has forgotten older ones"):
            shell.undo(2)
        with pytest.raises(keysh.UndoRefused, match="forgotten"):
            shell.checkout(0)
        shell.undo()
        assert shell.vars["x"] == 2


def test_run_with_programs_is_taken_back_in_part_only(tmp_path: Path) -> None:
    options: dict[str, Any] = {"external": True, "journal": True, "isolated": True}
    with keysh.Shell({"/work": keysh.LocalFS(str(tmp_path))}, cwd="/work", **options) as shell:
        result = shell.run("x=1; /bin/sh -c 'echo p > prog'")
        assert result.changes is not None
        assert not result.changes.is_complete
        with pytest.raises(keysh.UndoRefused, match="programs have run in the host"):
            shell.undo()
        shell.undo(partial=True)
        assert "x" not in shell.vars
    with keysh.Shell(**options) as shell:  # nothing of the host is mounted
        shell.run("x=1; /bin/sh -c :")
        assert [entry.number for entry in shell.undo()] == [1]


def test_long_values_and_many_changes_fit_into_a_frame() -> None:
    with keysh.Shell(isolated=True, journal=True) as shell:
        result = shell.run(
            "x=$(head -c 300000 /dev/zero | tr '\\0' x); for i in {1..8000}; do : > /$i; done"
        )
        assert result.changes is not None
        assert result.changes.reasons[-1].startswith("changes that are not listed")
        assert shell.undo()
        assert shell.run("ls / | grep -c 00; echo ${#x}").stdout == "0\n0\n"


def test_without_a_journal_there_is_no_history() -> None:
    with keysh.Shell(isolated=True) as shell, pytest.raises(keysh.UndoRefused, match="no journal"):
        shell.undo()


def test_host_reads_the_history_from_several_threads() -> None:
    with keysh.Shell(isolated=True, journal=True) as shell:
        for number in range(5):
            shell.run(f"x={number}")
        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(len(shell.history))) for _ in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [5, 5, 5]
