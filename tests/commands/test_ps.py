"""ps: its columns against the real tool's, and the processes of a shell."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from commands.command_runner import run_gnu
from keysh import Shell
from keysh.builtins.ps.columns import COLUMN_ALIASES, COLUMN_SPECS, PID_WIDTH

NARROW = [
    name for name, (_, width, _) in COLUMN_SPECS.items() if width != PID_WIDTH or name == "addr"
]
UNKNOWN = {"addr"}  # the real tool shows these in its own formats only


def ps(words: str, before: str = "") -> tuple[int, str, str]:
    """Run a call after a script; return its status, output and errors."""
    with Shell(env={"TZ": "UTC"}) as shell:
        result = shell.run(f"{before}\nps {words}; status=$?; kill %1 2>/dev/null; exit $status")
    return result.code, result.stdout, result.stderr


def heads(words: str) -> str:
    return ps(words)[1].splitlines()[0]


def real_heads(folder: Path, words: str) -> str:
    result = run_gnu("ps", *words.split(), "-p", str(os.getpid()), cwd=folder)
    return result.out.decode().splitlines()[0]


def test_column_widths_match_the_real_tool(tmp_path: Path) -> None:
    """Numbers of processes have seven digits here, on other machines fewer."""
    other = [name for name, meant in COLUMN_ALIASES.items() if meant in NARROW]
    names = ",".join([*(name for name in NARROW if name not in UNKNOWN), *other])
    assert heads(f"-o {names}") == real_heads(tmp_path, f"-o {names}")


@pytest.mark.parametrize(
    "words",
    ["", "-f", "-ef", "-F", "-l", "-fl", "-ly", "-j", "-fj", "u", "l", "j", "v", "-Lf", "-L", "-T",
     "-O stat", "-o pid,user:20,comm=NAME", "-o pid=NUMBER", "-o pid=,comm=X", "o user,pid",
     "-o user -o pid", "-o pid:3,tty"],
)  # fmt: skip
def test_output_formats_match_the_real_tool(tmp_path: Path, words: str) -> None:
    assert heads(words).split() == real_heads(tmp_path, words).split()


@pytest.mark.parametrize(
    ("words", "out"),
    [
        ("-o comm=", "keysh\nsleep\n"),
        ("-eo args=", "keysh\nsleep 9\n"),
        ("-p $! -o args=", "sleep 9\n"),
        ("$! -o args=", "sleep 9\n"),
        ("p $! o comm=", "sleep\n"),
        ("-C sleep -o args=", "sleep 9\n"),
        ("--ppid $$ -o comm=", "sleep\n"),
        ("-p $$,$! -o comm=", "keysh\nsleep\n"),
        ("-p '$$ $!' -o comm= ", ""),
        ("-N -p $$ -o comm=", "sleep\n"),
        ("-d -o comm=", "sleep\n"),
        ("-o comm= --sort=-pid", "sleep\nkeysh\n"),
        ("o comm= k comm", "keysh\nsleep\n"),
        ("-u user -o comm=", "keysh\nsleep\n"),
        ("-U 1000 -C nosuch -o comm=", "keysh\nsleep\n"),
        ("--forest -o args=", "keysh\n \\_ sleep 9\n"),
        ("-Ho args=", "keysh\n  sleep 9\n"),
        ("-o stat=,etimes= -p $!", "S          0\n"),
        ("-s $$ -o comm=", "keysh\nsleep\n"),
        ("-o user,uid= -p $$", "USER          \nuser      1000\n"),
        ("h o comm=X", "keysh\nsleep\n"),
        ("--noheader -o ni -p $!", "  0\n"),
    ],
)
def test_process_selection(words: str, out: str) -> None:
    status, result, errors = ps(words, "sleep 9 &")
    if "'$$" in words:  # text in which nothing is expanded
        assert (status, errors.splitlines()[0]) == (1, "error: process ID list syntax error")
        return
    assert (status, result, errors) == (0, out, "")


@pytest.mark.parametrize("words", ["aux", "-aux", "-ax u", "u"])
def test_bsd_letters_may_follow_a_dash(words: str) -> None:
    assert [line.split()[-1] for line in ps(words)[1].splitlines()] == ["COMMAND", "keysh"]


@pytest.mark.parametrize("words", ["-p 1", "-C nosuch", "-t 1", "-N -e -u user"])
def test_empty_listing_is_a_failure(words: str) -> None:
    assert ps(words) == (1, "    PID TTY          TIME CMD\n", "")


@pytest.mark.parametrize(
    "words",
    [
        "-o nosuch",
        "--sort=nosuch",
        "-p x",
        "-p ''",
        "-u nosuch",
        "z",
        "o",
        "-C",
        "-y",
        "--nosuch",
    ],
)
def test_refusals_match_the_real_tool(tmp_path: Path, words: str) -> None:
    status, out, errors = ps(f"$words {words}", "words=-w")
    real = run_gnu("ps", *words.replace("''", "\n").split(" "), cwd=tmp_path)
    assert (status, out, real.status) == (1, "", 1)
    if words in ("-o nosuch", "--sort=nosuch", "-p x", "-u nosuch", "z", "-y"):
        assert errors.splitlines()[0] == real.err.splitlines()[0]


def test_rows() -> None:
    status, out, _ = ps("--json | jq -c 'del(.pid, .ppid, .started)'", "sleep 9 &")
    rows = '{"state":"S","command":"keysh"}\n{"state":"S","command":"sleep 9"}\n'
    assert (status, out) == (0, rows)
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", ps("--json | jq -r .started")[1].strip()
    )
