"""`keysh --journal`, `keysh log` and `keysh undo`, as real programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def keysh(*argv: str, stdin: str = "", **env: str) -> tuple[int, str, str]:
    """Run the program as a process; return its status, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "keysh", *argv],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_scripts_are_taken_back_one_by_one(directory: Path) -> None:
    Path("make.ksh").write_text("echo $1 > made; mkdir -p d\n")
    assert keysh("--journal", "make.ksh", "one") == (0, "", "")
    assert keysh("--journal", "-c", "rm made; echo x > d/f; ls; exit 3") == (3, "d\nmake.ksh\n", "")
    assert keysh("--journal", "-c", "ls") == (0, "d\nmake.ksh\n", "")
    lines = keysh("log")[1].splitlines()
    assert lines[0].split() == ["run", "time", "status", "ms", "changed", "text"]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "3"]
    assert lines[1].endswith("2 files  make.ksh one")
    assert keysh("undo") == (0, "undone 2: rm made; echo x > d/f; ls; exit 3\n", "")
    assert (Path("made").read_text(), list(Path("d").iterdir())) == ("one\n", [])
    assert keysh("undo") == (0, "undone 1: make.ksh one\n", "")
    assert [path.name for path in Path().iterdir()] == ["make.ksh"]
    assert keysh("undo") == (1, "", "keysh: undo: no run is there to be taken back\n")
    records = json.loads(keysh("log", "--json")[1])
    assert [record["is_undone"] for record in records] == [True, True, False]
    assert records[1]["status"] == 3
    assert {file["path"] for file in records[1]["files"]} == {
        f"{directory}/work/made",
        f"{directory}/work/d/f",
    }
    assert oct((directory / "state" / "keysh" / "journal").stat().st_mode)[-3:] == "700"


def test_a_directory_of_choice_and_a_number() -> None:
    for number in range(4):
        keysh("--journal=j", "-c", f"echo {number} > f{number}")
    out = keysh("log", "j", "--number", "2")[1]
    assert out.splitlines()[1].split()[:3] == ["created", "file", f"{Path.cwd()}/f1"]
    assert keysh("log", "j", "-n", "9") == (
        1,
        "",
        "keysh: log: there is no run 9, or it has been forgotten\n",
    )
    assert keysh("undo", "j", "3")[1].count("undone") == 3
    assert sorted(path.name for path in Path().iterdir()) == ["f0", "j"]
    assert keysh("undo", "j", "0")[0] == 2
    assert keysh("undo", "2")[2].startswith("keysh: ")  # the default one, which is not there
    status, out, error = keysh("log", "none")
    assert (status, out) == (1, "")
    assert error.endswith("none/log: No such file or directory\n")


def test_builtins_use_the_same_journal() -> None:
    keysh("--journal=j", "-c", "echo 1 > before")
    lines = "echo 2 > f\nx=1\nundo\necho ${x-unset}\n"
    # A script is one run: its own changes are not taken back by itself.
    status, _, error = keysh("--journal=j", "-s", stdin=lines)
    assert (status, "undo: this run has changed something itself" in error) == (0, True)
    status, _, error = keysh("--journal=j", "-c", "undo")
    assert (status, error) == (1, "keysh: line 1: undo: no run is there to be taken back\n")


def test_changes_of_programs_beside_the_directory_are_not_claimed() -> None:
    keysh("--journal=j", "-c", "/bin/sh -c 'echo 1 > f'")
    out = keysh("log", "j", "-n", "1")
    assert "created  file" in out[1]
    assert "2 bytes" in out[1]
    assert "not complete" in out[2]
    status, _, error = keysh("undo", "j")
    assert (status, "is not known" in error) == (1, True)
    assert Path("f").exists()
    assert keysh("undo", "--partial", "j")[0] == 0
    assert not Path("f").exists()


def test_somebody_else_has_changed_a_file() -> None:
    keysh("--journal=j", "-c", "echo 1 > f; echo 2 > g")
    Path("f").write_text("mine\n")
    assert keysh("undo", "j") == (1, "", f"keysh: undo: changed since: {Path.cwd()}/f\n")
    assert (Path("f").read_text(), Path("g").read_text()) == ("mine\n", "2\n")


def test_jobs_are_part_of_the_run() -> None:
    Path("a").write_text("a\n")
    Path("b").write_text("b\n")
    text = "for f in a b; do { echo more >> $f; } & done; echo c > c; wait"
    assert keysh("--journal=j", "-c", text)[0] == 0
    assert keysh("log", "j", "-n", "1")[1].count("changed  file") == 2
    assert keysh("undo", "j")[0] == 0
    assert (Path("a").read_text(), Path("b").read_text()) == ("a\n", "b\n")
    assert not Path("c").exists()
    # One that outlives the script ends before the program does, and is no secret.
    assert keysh("--journal=j", "-c", "{ sleep 0.1; echo late > late; } &") == (0, "", "")
    assert Path("late").read_text() == "late\n"
    status, _, error = keysh("undo", "j")
    assert (status, "job 1" in error, "still runs" in error) == (1, True, True)


def test_json_lists_changes() -> None:
    result = json.loads(keysh("--journal=j", "--json", "-c", "echo 1 > f; x=1")[1])
    changes = result["changes"]
    assert [change["path"] for change in changes["files"]] == [f"{Path.cwd()}/f"]
    assert [change["name"] for change in changes["state"]] == ["x"]
    assert "changes" not in json.loads(keysh("--json", "-c", "echo 1 > f")[1])


def test_something_else_is_in_the_directory() -> None:
    Path("j").mkdir()
    Path("j/log").write_text("text\n")
    status, _, error = keysh("--journal=j", "-c", "echo run")
    assert (status, "keysh: --journal: the journal in " in error) == (2, True)
    assert "is damaged at byte 0" in error
    assert Path("j/log").read_text() == "text\n"
