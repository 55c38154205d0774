"""`keysh snapshot` and `keysh restore`: the shell of a run in a file, and another run in it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def keysh(*argv: str, stdin: str = "") -> tuple[int, str, str]:
    """Run the program as a process; return its status, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "keysh", *argv],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MARK": "of the snapshot"},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_shell_goes_on_from_its_image(directory: Path) -> None:
    text = (
        "hosts=[web1, web2]; greet() { echo \"hi $1 $MARK\"; }; cd /; trap 'echo out' USR1; false"
    )
    assert keysh("snapshot", "a.img", "-c", text) == (1, "", "")
    assert os.stat("a.img").st_mode & 0o777 == 0o600  # the environment is in it
    script = "greet ${hosts[1]}; pwd; trap -p"
    expected = "hi web2 of the snapshot\n/\ntrap -- 'echo out' SIGUSR1\n"
    assert keysh("restore", "a.img", "-c", script) == (0, expected, "")
    assert keysh("restore", "a.img", "--env", "MARK=1", "-c", "greet x")[1] == "hi x 1\n"
    assert [path.name for path in directory.iterdir()] == ["a.img"]


def test_arguments_are_those_of_the_new_script_or_of_the_image() -> None:
    Path("args.ksh").write_text('echo "$0 $@"\n')
    assert keysh("snapshot", "a.img", "args.ksh", "one", "two")[1] == "args.ksh one two\n"
    assert keysh("restore", "a.img", "-c", 'echo "$0 $@"')[1] == "args.ksh one two\n"
    assert keysh("restore", "a.img", "-c", 'echo "$0 $@"', "me", "3")[1] == "me 3\n"
    assert keysh("restore", "a.img", "args.ksh")[1] == "args.ksh \n"
    assert keysh("restore", "a.img", "-s", "4", stdin="echo $@")[1] == "4\n"


def test_files_in_memory_are_in_the_image() -> None:
    keysh("snapshot", "m.img", "--memory", "-c", "mkdir /w; cd /w; echo one > f")
    assert keysh("restore", "m.img", "-c", "echo two >> f; cat f")[1] == "one\ntwo\n"
    assert keysh("restore", "m.img", "-c", "cat f")[1] == "one\n"
    assert keysh("restore", "--save", "m.img", "-c", "echo three >> f")[0] == 0
    assert keysh("restore", "m.img", "-c", "cat f")[1] == "one\nthree\n"
    status, _, errors = keysh("restore", "m.img", "-c", "python3 -c 1")
    assert (status, "E301" in errors) == (2, True)  # as with --memory
    status, _, errors = keysh("restore", "m.img", "--sandbox=.", "-c", ":")
    assert (status, errors.splitlines()[0]) == (
        2,
        "keysh: restore: --sandbox: the image holds the files at / itself",
    )


def test_references_are_granted_by_the_command_line(directory: Path) -> None:
    (directory / "w").mkdir()
    (directory / "w" / "f").write_text("there\n")
    keysh("snapshot", "s.img", "--sandbox=w", "-c", "x=1")
    status, _, errors = keysh("restore", "s.img", "-c", "cat f")
    reference = f"LocalFS('{directory}/w')"
    assert (status, errors.splitlines()[0]) == (
        2,
        f"keysh: restore: the image refers to {reference} at /; --sandbox=DIR grants it",
    )
    assert keysh("restore", "s.img", "--sandbox=w", "-c", "cat f; echo $x")[1] == "there\n1\n"
    keysh("snapshot", "s.img", "--memory", "--mount", "/w=w", "-c", "x=2")
    assert "--mount /w=DIR grants it" in keysh("restore", "s.img", "-c", ":")[2]
    assert keysh("restore", "s.img", "--mount", "/w=w:ro", "-c", "cat /w/f")[1] == "there\n"


def test_an_overlay_in_an_image_is_written_by_commit(directory: Path) -> None:
    image = str(directory.parent / f"{directory.name}.img")
    Path("f").write_text("old\n")
    status, _, errors = keysh("snapshot", image, "--overlay", "-c", "echo new > f")
    assert (status, "1 change is not written" in errors) == (0, True)
    assert keysh("restore", image, "-c", "cat f")[1] == "new\n"
    assert Path("f").read_text() == "old\n"
    assert keysh("restore", image, "--overlay", "--commit", "-c", "cat f") == (0, "new\n", "")
    assert Path("f").read_text() == "new\n"


def test_info_prints_what_is_in_an_image() -> None:
    text = "f() { :; }; exec 3>x; mkdir -p /w; cd /w"
    status, _, errors = keysh("snapshot", "m.img", "--memory", "--clear-env", "-c", text)
    assert (status, errors) == (0, "keysh: not in the image: descriptor 3\n")
    lines = keysh("restore", "--info", "m.img")[1].splitlines()
    assert "directory  /w" in lines
    assert "files      / (memory)" in lines
    assert "functions  f" in lines
    assert "left out   descriptor 3" in lines
    record = json.loads(keysh("restore", "--info", "--json", "m.img")[1])
    assert (record["functions"], record["left_out"]) == (["f"], ["descriptor 3"])
    assert (record["mounts"], record["references"]) == ({"/": "memory"}, {})
    assert keysh("restore", "--info", "m.img", "-c", ":")[0] == 2


def test_own_options_of_restore_may_follow_the_file() -> None:
    keysh("snapshot", "m.img", "--memory", "-c", "x=1")
    assert keysh("restore", "m.img", "--info") == keysh("restore", "--info", "m.img")
    as_json = keysh("restore", "--info", "--json", "m.img")
    assert keysh("restore", "m.img", "--json", "--info") == as_json
    assert keysh("restore", "--info", "m.img", "--json") == as_json
    assert json.loads(keysh("restore", "m.img", "--json", "-c", "echo $x")[1])["stdout"] == "1\n"
    assert keysh("restore", "m.img", "--save", "-c", "x=2") == (0, "", "")
    assert keysh("restore", "m.img", "-c", "echo $x; echo --info") == (0, "2\n--info\n", "")
    assert keysh("restore", "m.img", "--info", "-c", ":")[0] == 2


def test_nothing_is_written_for_a_script_that_did_not_run(directory: Path) -> None:
    assert keysh("snapshot", "a.img", "-c", "echo )")[0] == 2
    assert keysh("snapshot", "a.img", "none.ksh")[0] == 127
    assert keysh("snapshot", "a.img", "--plan", "-c", ":")[0] == 2
    text = "sh -c 'kill -TERM $PPID'; sleep 60"
    assert keysh("snapshot", "a.img", "-c", text)[0] == -signal.SIGTERM
    assert list(directory.iterdir()) == []


def test_other_files_are_not_overwritten() -> None:
    Path("script.ksh").write_text("echo run\n")
    said = "keysh: script.ksh: File exists, and is no image\n"
    assert keysh("snapshot", "script.ksh") == (1, "", said)
    assert Path("script.ksh").read_text() == "echo run\n"
    assert keysh("snapshot", "none/a.img", "-c", "echo run")[:2] == (1, "")


def test_what_is_no_image() -> None:
    Path("f").write_text("text")
    assert keysh("restore", "f") == (1, "", "keysh: f: this is no image of keysh\n")
    assert keysh("restore", "--info", "f")[0] == 1
    assert keysh("restore", "none") == (1, "", "keysh: none: No such file or directory\n")
    keysh("snapshot", "a.img", "-c", ":")
    data = Path("a.img").read_bytes()
    Path("a.img").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert keysh("restore", "a.img", "-c", "echo run")[:2] == (1, "")
