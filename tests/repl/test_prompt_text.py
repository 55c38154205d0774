"""The parts of the prompt that need no terminal: its text, the branch, bytes that are not text."""

from __future__ import annotations

import pytest

from keysh import MemoryFS, Router, Shell
from keysh.interp.variables.prompt_text import decoded_prompt
from keysh.repl.plain_reader import without_colors
from keysh.repl.prompt import PromptFacts, branch, duration_text, standard_prompt
from keysh.repl.screen import escaped_text, is_text


def facts(**given: object) -> PromptFacts:
    return PromptFacts(**{"cwd": "/home/amy/work", "home": "/home/amy", **given})  # type: ignore[arg-type]


def test_standard_prompt() -> None:
    assert without_colors(standard_prompt(facts())) == "~/work\n$ "
    assert (
        without_colors(standard_prompt(facts(cwd="/home/amylee", is_root=True)))
        == "/home/amylee\n# "
    )
    full = facts(branch="main", status=2, seconds=75.2, jobs=2)
    assert without_colors(standard_prompt(full)) == "~/work main 2 1m15s 2 jobs\n$ "


def test_standard_prompt_fits_a_narrow_window() -> None:
    made = facts(cwd="/a/very/long/path/to/some/where", branch="main", width=12)
    assert without_colors(standard_prompt(made)) == "…some/where\n$ "


def test_directory_is_shown_escaped() -> None:
    assert without_colors(standard_prompt(facts(cwd="/a\x1b[1m\n"))) == "/a\\x1b[1m\\n\n$ "


@pytest.mark.parametrize(
    ("seconds", "wanted"), [(0.04, "0.0s"), (59.9, "59.9s"), (61, "1m01s"), (7384, "2h03m")]
)
def test_durations(seconds: float, wanted: str) -> None:
    assert duration_text(seconds) == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (r"\w \W \$ ", "~/work work $ "), (r"\u:\j\n", "amy:0\n"), (r"\!\#", "43"),
        (r"\[\e[1m\]x\\ \q \033", "\x1b[1mx\\ \\q \x1b"), ("end\\", "end\\"), ("é $x", "é $x"),
        (r"\303\251\012\000", "é\n"), (r"\D{%Y}}\D", r"1970}\D"), (r"\v \s", "5.2 keysh"),
    ],
)  # fmt: skip
def test_ps1(written: str, wanted: str) -> None:
    shell = Shell(
        files={"/home/amy/work/x": ""}, cwd="/home/amy/work", clock=lambda: 10**6,
        env={"HOME": "/home/amy", "USER": "amy"},
    )  # fmt: skip
    text = decoded_prompt(shell.state, written, is_expanded=False, entered_commands=3)
    assert text == wanted


def test_branch() -> None:
    fs = Router(MemoryFS())
    for path, text in {
        "/repo/.git/HEAD": "ref: refs/heads/topic/x\n",
        "/loose/.git/HEAD": "0123456789abcdef0123456789abcdef01234567\n",
        "/tree/.git": "gitdir: ../repo/.git/worktrees/tree\n",
        "/repo/.git/worktrees/tree/HEAD": "ref: refs/heads/other\n",
    }.items():
        at = 0
        while (at := path.find("/", at + 1)) > 0:
            try:
                fs.make_directory(path[:at])
            except FileExistsError:
                continue
        with fs.open(path, "w") as stream:
            stream.write(text.encode())
    assert branch(fs, "/repo/not/there") == "topic/x"
    assert branch(fs, "/loose") == "0123456"
    assert branch(fs, "/tree") == "other"
    assert branch(fs, "/") == ""


def test_undecodable_bytes() -> None:
    assert is_text("é\x1b[1m\n")
    assert not is_text("a\0")
    assert not is_text("\udcff")
    assert escaped_text("a\t\udcff\x1b\nb") == "a\t\\xff\\x1b\nb"
