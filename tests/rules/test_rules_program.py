"""`keysh --rules FILE`: what the program does with rules, and whom it asks."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

KEYSH = [sys.executable, "-P", "-m", "keysh"]
RULES = """\
ask_seconds = 20

[[rule]]
command = "rm"
decision = "ask"
reason = "files are lost"

[[rule]]
paths = ["**/.git/**"]
access = ["write", "remove"]
decision = "deny"

[[rule]]
command = "env"
arguments = ["...", "true"]
decision = "deny"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "rules.toml").write_text(RULES)
    (tmp_path / ".git").mkdir()
    (tmp_path / "f").touch()
    return tmp_path


def keysh(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program without a terminal."""
    return subprocess.run(
        [*KEYSH, *arguments], cwd=place, capture_output=True, text=True, timeout=60, check=False,
        start_new_session=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_text_script_and_input_are_judged(place: Path) -> None:
    script = "echo x > .git/y; env true; echo on"
    (place / "s.sh").write_text(script)
    for arguments in (["-c", script], ["s.sh"], ["run", "s.sh"], ["--overlay", "-c", script]):
        done = keysh(place, "--rules", "rules.toml", *arguments)
        if "run" in arguments:
            done = keysh(place, "run", "--rules", "rules.toml", "s.sh")
        assert done.stdout == "on\n"
        assert "/.git/y: denied by rule 2 of rules.toml" in done.stderr
        assert "env: denied by rule 3 of rules.toml" in done.stderr
        assert not list((place / ".git").iterdir())
        said = "keysh: rules hold no file or host that a real program uses, and nothing confines"
        assert done.stderr.startswith(said)


def test_nobody_is_asked_without_a_terminal(place: Path) -> None:
    done = keysh(place, "--rules=rules.toml", "--confine=off", "-c", "rm f")
    assert (done.returncode, done.stderr) == (
        126, "keysh: line 1: rm: denied by the host: rule 1 of rules.toml: files are lost\n"
    )  # fmt: skip
    assert (place / "f").exists()


@pytest.mark.parametrize(
    ("script", "answers", "left"),
    [
        ("rm f", ["y"], False),
        ("rm f", ["n"], True),
        ("rm f", [""], True),
        ("rm f; touch f; rm f", ["a"], False),
        ("rm f; touch f; rm f", ["yes", "no"], True),
    ],
)
def test_person_is_asked_at_the_terminal(
    place: Path, script: str, answers: list[str], left: bool
) -> None:
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(place)
        os.execv(
            KEYSH[0], [*KEYSH, "--rules=rules.toml", "--confine=off", "-c", f"{script}; echo END"]
        )
    shown, rest = "", answers.copy()
    try:
        while "END" not in shown:
            assert select([terminal], [], [], 60)[0]
            shown += os.read(terminal, 1000).decode()
            if rest and shown.count("[N]o: ") > len(answers) - len(rest):
                os.write(terminal, f"{rest.pop(0)}\n".encode())
    finally:
        os.waitpid(pid, 0)
        os.close(terminal)
    assert not rest
    assert shown.startswith(
        "keysh: keysh:1:1: rm f (rule 1 of rules.toml: files are lost)\r\nallow"
    )
    assert (place / "f").exists() == left


def test_what_was_typed_before_the_question_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from keysh.cli import console

    master, terminal = pty.openpty()
    monkeypatch.setattr(console, "TERMINAL", os.ttyname(terminal))
    try:
        os.write(master, b"y\n")
        assert select([terminal], [], [], 60)[0]
        assert console.answer_at_terminal("?", 0) == ""
    finally:
        os.close(master)
        os.close(terminal)


def test_plan_says_what_rules_decide(place: Path) -> None:
    script = "rm f; echo > .git/x; $x; env $y true"
    plan = json.loads(keysh(place, "--rules", "rules.toml", "--plan", "-c", script).stdout)
    decided = [(one["subject"], one["decision"], one["may_be"]) for one in plan["verdicts"]]
    assert decided == [
        (["rm", "f"], "ask", "ask"),
        (["echo"], "allow", "allow"),
        ([f"{place}/.git/x"], "deny", "deny"),
        ([None], "allow", "deny"),
        (["env", None, "true"], "deny", "deny"),
    ]
    assert "which command a word becomes" in plan["unknown"]
    tree = keysh(place, "--rules", "rules.toml", "--plan=tree", "-c", script).stdout
    assert "\n# 1:1: rm f: to be asked by rule 1 of rules.toml: files are lost\n" in tree
    assert "\n# not known before the run: which command a word becomes\n" in tree
    assert (place / "f").exists()


@pytest.mark.parametrize("words", [["-c", "echo a"], ["--plan", "-c", "echo a"]])
def test_rules_that_are_wrong_run_nothing(place: Path, words: list[str]) -> None:
    (place / "bad.toml").write_text("[[rule]]\n")
    done = keysh(place, "--rules", "bad.toml", "--audit", "log", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bad.toml:1: rule 1: is about nothing\nfix: ")
    assert not (place / "log").exists()
    done = keysh(place, "--rules", "none.toml", *words)
    assert (done.returncode, done.stderr) == (2, "none.toml: No such file or directory\n")


def test_counts_have_their_number(place: Path) -> None:
    (place / "one.toml").write_text(
        '[[rule]]\ncommand = "a"\ndecision = "deny"\nmatch = ["a", "a b"]\n'
    )
    assert keysh(place, "rules", "check", "one.toml").stdout == (
        "one.toml: 1 rule, 2 examples; default: allow\n"
    )
    assert keysh(place, "rules", "check", "rules.toml").stdout == (
        "rules.toml: 3 rules, 0 examples; default: allow\n"
    )


def test_agents_server_takes_rules(place: Path) -> None:
    from keysh.cli.agent_session import agent_options
    from keysh.cli.command_line import parse_options

    options = parse_options(["--memory", "--rules", str(place / "rules.toml")])
    assert options is not None
    settings = agent_options(options)
    assert settings["rules"].judge_command(["rm"]).decision == "ask"
    assert settings["on_ask"] is None  # its terminal is the client's
