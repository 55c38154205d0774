"""cal and ncal against Debian's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import keysh
from commands.command_runner import run_gnu, run_keysh

ERAS = ["2024", "1752", "1700", "2", "9999", "2023", "1900"]
OPTIONS = ["", "", "-j", "-3", "-A 2", "-B 1 -A 1", "-A 14", "-j -3", "-d 2021-05", "-y"]


def calls() -> list[str]:
    """Return calls of all kinds, the same ones each time."""
    chance = random.Random(7)
    rows = [
        f"{chance.choice(OPTIONS)} {chance.choice(['', '1', '2', '9', '12', 'feb', '-m 3'])} {year}"
        for year in ERAS
        for _ in range(12)
    ]
    return [*rows, "x", "13 2024", "0 2024", "ja 2024", "feb", "10000", "0", "-1 2024", "-m 13",
            "-A x 2 2024", "-m 2 3 2024", "MAY 2024"]  # fmt: skip


@pytest.mark.parametrize("name", ["cal", "ncal", "ncal -M", "ncal -b"])
def test_calls_match_debian(tmp_path: Path, name: str) -> None:
    tool, *options = name.split()
    for words in calls():
        arguments = [*options, *words.split()]
        assert run_keysh(tool, *arguments) == run_gnu(tool, *arguments, cwd=tmp_path), words


@pytest.mark.parametrize(
    "words", ["2 2024", "-M 1 2024", "1 2023", "12 2024", "-3 1 2024", "-j 2021"]
)
def test_week_numbers_match_debian(tmp_path: Path, words: str) -> None:
    arguments = ["-w", *words.split()]
    assert run_keysh("ncal", *arguments) == run_gnu("ncal", *arguments, cwd=tmp_path)


def test_this_month_is_that_of_the_shells_clock() -> None:
    shell = keysh.Shell(clock=1_700_000_000)
    assert shell.run("cal | head -1").stdout.strip() == "November 2023"
    assert shell.run("cal -y | head -1").stdout.strip() == "2023"
