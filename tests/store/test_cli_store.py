"""`keysh --store FILE`: the session of a file goes on from one process to the next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(*argv: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "keysh", *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MARK": "first"},
    )


def keysh(*argv: str) -> tuple[int, str, str]:
    """Run the program; return its status, output and errors."""
    with start(*argv) as process:
        out, err = process.communicate()
    return process.returncode, out, err


def test_a_session_goes_on(directory: Path) -> None:
    first = 'xs=[1, 2]; greet() { echo "hi $1 $MARK"; }; mkdir /d; cd /d; echo one > f; false'
    assert keysh("--store", "a.db", "-c", first) == (1, "", "")
    assert keysh("--store", "a.db", "-c", "echo $?; greet ${xs[1]}; pwd; cat f") == (
        0, "1\nhi 2 first\n/d\none\n", "",
    )  # fmt: skip
    assert keysh("--store", "a.db", "--env", "MARK=1", "-c", "greet x")[1] == "hi x 1\n"
    assert os.stat("a.db").st_mode & 0o777 == 0o600  # the environment is in it
    assert [path.name for path in directory.iterdir()] == ["a.db"]


def test_arguments_are_those_of_the_command_line() -> None:
    Path("args.ksh").write_text('echo "$0 $@"\n')
    assert keysh("--store", "a.db", "args.ksh", "one", "two")[1] == "args.ksh one two\n"
    assert keysh("--store", "a.db", "-c", 'echo "$0 $@"')[1] == "args.ksh one two\n"
    assert keysh("--store", "a.db", "args.ksh", "3")[1] == "args.ksh 3\n"


def test_nothing_of_the_machine_is_seen(directory: Path) -> None:
    Path("secret").write_text("secret\n")
    status, out, err = keysh(
        "--store", "a.db", "-c", f"cat {directory}/secret; ls /; {sys.executable}"
    )
    assert status == 127
    assert out.split() == ["bin", "dev", "tmp", "usr"]
    assert "No such file" in err
    assert keysh("--store", "a.db", "--mount", f"/m={directory}", "-c", "cat /m/secret")[1] == (
        "secret\n"
    )


def test_processes_at_the_same_time_take_turns() -> None:
    keysh("--store", "a.db", "-c", "n=0")
    processes = [start("--store", "a.db", "-c", "n=$((n + 1)); echo $n") for _ in range(4)]
    outputs = [process.communicate() for process in processes]
    assert sorted(outputs) == [(f"{number}\n", "") for number in range(1, 5)]


def test_a_run_that_is_not_stored() -> None:
    keysh("--store", "a.db", "-c", "x=1")
    quota = ("--store", "a.db", "--limit", "file_bytes=1000", "-c")
    status, out, err = keysh(*quota, "x=2; head -c 2000 /dev/zero > /f")
    assert (status, out) == (125, "")
    assert "limit reached: file_bytes" in err
    assert keysh("--store", "a.db", "-c", "echo $x; wc -c < /f")[1] == "2\n0\n"


def test_what_cannot_be_used() -> None:
    Path("text").write_text("this is no database, but a text of some length\n" * 20)
    assert keysh("--store", "text", "-c", "ls") == (1, "", "keysh: text: file is not a database\n")
    assert keysh("--store", "missing/a.db", "-c", "ls")[2] == (
        "keysh: missing/a.db: No such file or directory\n"
    )
    for option in ("--memory", "--sandbox", "--overlay", "--journal"):
        status, _, err = keysh("--store", "a.db", option, "-c", "ls")
        assert status == 2
        assert f"--store and {option} exclude each other" in err
    assert not os.path.exists("a.db")


def test_a_plan_makes_no_store() -> None:
    assert keysh("--store", "a.db", "--plan=tree", "-c", "rm f")[0] == 0
    assert not os.path.exists("a.db")


def test_an_image_of_a_store() -> None:
    assert keysh("snapshot", "a.img", "--store", "a.db", "-c", "x=1; echo one > /f") == (0, "", "")
    assert keysh("restore", "a.img", "-c", "echo $x; cat /f")[1] == "1\none\n"
    status, _, err = keysh("restore", "a.img", "--store", "a.db", "-c", "ls")
    assert status == 2
    assert "restore: --store: the image holds the files at / itself" in err
