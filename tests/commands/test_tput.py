"""tput against the real one of ncurses, which has the entry of xterm everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import run_gnu, run_keysh
from keysh.tools.tput import FLAG_CAPABILITIES, SEQUENCES

# These need a terminal to set up, or print the parameters' own text where there are none.
UNCOMPARED = {"init", "reset", "rep"}
NAMES = sorted((SEQUENCES.keys() | FLAG_CAPABILITIES.keys()) - UNCOMPARED)


@pytest.mark.parametrize("name", NAMES)
def test_a_capability_of_xterm(tmp_path: Path, name: str) -> None:
    words = ["-T", "xterm", name, "3", "7"] if "{" in SEQUENCES.get(name, "") else [
        "-T", "xterm", name
    ]  # fmt: skip
    if name in SEQUENCES and "{1" not in SEQUENCES[name] and len(words) > 3:
        del words[4:]
    assert run_keysh("tput", *words) == run_gnu("tput", *words, cwd=tmp_path)


@pytest.mark.parametrize("terminal", ["xterm", "xterm-256color", "dumb"])
@pytest.mark.parametrize(
    "call",
    ["cols", "lines", "colors", "pairs", "it", "setaf 0", "setaf 7", "setaf 9", "setab 9", "clear",
     "setab 15", "clear -x", "bold smul", "cols lines", "cup 1 2 bold", "nope", "bold nope"],
)  # fmt: skip
def test_it_answers_as_the_real_one(tmp_path: Path, terminal: str, call: str) -> None:
    words = ["-T", terminal, *call.split()]
    if terminal == "dumb" and call.startswith("clear"):
        pytest.skip("the real one calls this an error of usage")
    assert run_keysh("tput", *words) == run_gnu("tput", *words, cwd=tmp_path)


def test_the_environment_names_terminal_and_size() -> None:
    env = {"TERM": "xterm", "COLUMNS": "132", "LINES": "50"}
    assert run_keysh("tput", "cols", "lines", env=env).out == b"132\n50\n"
    assert run_keysh("tput", "setaf", "1", env=env).out == b"\033[31m"
    assert run_keysh("tput", "bold", env={"TERM": "nonsense"}).status == 3
