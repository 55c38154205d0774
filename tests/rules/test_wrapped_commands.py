"""What a real program certainly runs in turn: wrappers, texts of shells, and `#!` lines."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import keysh
from keysh.rules.planned_programs import NestingTooDeep
from keysh.rules.wrapped_commands import commands_of_program

WRAPPED = [
    ["sudo", "-u", "amy", "git", "push"],
    ["env", "-S", "git push"],
    ["env", "-Sgit push"],
    ["env", "--split-string=git push"],
    ["env", "-S", "git 'push'"],
    ["env", "-S", 'git "push"'],
    ["env", "-S", "git\\_push"],
    ["env", "-S", "A=1 git\tpush # x"],
    ["env", "-S", "git push \\c x"],
    ["env", "-S", "-u A git", "push"],
    ["env", "-S", "git push ${X}"],
    ["env", "-iS", "git push"],
    ["env", "-vS", "git push"],
    ["env", "-ivSgit push"],
    ["env", "-i", "--split", "git push"],
    ["env", "--split=git push"],
    ["/usr/bin/env", "A=1", "git", "push"],
    ["strace", "-f", "-o", "out", "git", "push"],
    ["ltrace", "-e", "x", "git", "push"],
    ["unshare", "-r", "git", "push"],
    ["nsenter", "-t", "1", "-m", "git", "push"],
    ["chrt", "-f", "10", "git", "push"],
    ["taskset", "-c", "0", "git", "push"],
    ["taskset", "0x3", "git", "push"],
    ["prlimit", "--nofile=10", "git", "push"],
    ["runuser", "-u", "amy", "--", "git", "push"],
    ["runuser", "-c", "git push", "amy"],
    ["su", "-c", "git push", "amy"],
    ["su", "amy", "-c", "git push"],
    ["su", "--command=git push"],
    ["script", "-c", "git push", "/dev/null"],
    ["script", "-qc", "git push", "/dev/null"],
    ["flock", "/tmp/l", "-c", "git push"],
    ["flock", "/tmp/l", "git", "push"],
    ["watch", "-n", "1", "git push"],
    ["watch", "git", "push"],
    ["watch", "true; git push"],
    ["systemd-run", "--user", "git", "push"],
    ["fakeroot", "git", "push"],
    ["sh", "-c", "git push"],
    ["bash", "-xc", "true && git push"],
    ["sh", "-c", "git push\n)"],
    ["sh", "-c", "true\ngit push\nif"],
    ["sh", "-c", "git push\necho 'a"],
    ["nice", "sh", "-c", "git push\n;;"],
    ["find", "/", "-exec", "git", "push", ";"],
    ["xargs", "-n1", "git", "push"],
    ["busybox", "sh", "-c", "git push"],
    ["sh", "-c", "$0 $1", "git", "push"],
    ["sh", "-c", "$0", "git push"],
    ["sh", "-c", '"$@"', "sh", "git", "push"],
    ["sh", "-c", 'exec "$0" "$@"', "git", "push"],
    ["sh", "-c", 'git "$@"', "sh", "push"],
    ["sh", "-c", "git $*", "sh", "push"],
    ["sh", "-c", "git ${1}", "sh", "push"],
    ["sh", "-c", 'g"$1"t p"$2"h', "sh", "i", "us"],
    ["sh", "-c", 'sh -c "$1" "$2"', "sh", "git $0", "push"],
    ["find", ".", "-exec", "sh", "-c", '"$1" "$2"', "sh", "git", "push", ";"],
    ["timeout", "--signal", "KILL", "5", "env", "nice", "git", "push"],
]
OTHERS = [
    ["echo", "git", "push"], ["su", "amy"], ["script", "git push"], ["env", "-S", "echo git push"],
    ["watch", "echo git push"], ["strace", "-o", "git", "push"], ["env", "-S", "'git push"],
    ["sh", "-c", "echo git push"], ["sh", "-c", "if\ngit push"], ["flock", "-c"], ["watch"],
    ["sh", "-c", '"$0"', "git push"], ["sh", "-c", 'shift; "$@"', "sh", "git", "push"],
    ["sh", "-c", 'f() { "$@"; }; f ls', "sh", "git", "push"], ["sh", "-c", "$9 $1", "git", "push"],
    ["sh", "-c", "$1", "sh", "git\u00a0push"], ["sh", "-c", '"$*"', "sh", "git", "push"],
    ["sh", "-c", "${99999999999999999999}", "git push"],
]  # fmt: skip


@pytest.mark.parametrize("words", WRAPPED, ids=" ".join)
def test_command_is_found(words: list[str]) -> None:
    assert any(command[:2] == ["git", "push"] for command in commands_of_program(words))


@pytest.mark.parametrize("grow", ['"$@" "$@"', '"$1$1$1" "$2$2"', "$1$1 $2$2"])
def test_arguments_that_nested_scripts_double_have_a_bound(grow: str) -> None:
    text = f'sh -c "$0" "$0" {grow}'
    with contextlib.suppress(NestingTooDeep):
        commands = [*commands_of_program(["sh", "-c", text, text, "a" * 100, "b" * 100])]
        assert sum(len(word) for command in commands for word in command) < 10_000_000


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_nothing_else_is_taken_for_a_command(words: list[str]) -> None:
    assert not any(command[:2] == ["git", "push"] for command in commands_of_program(words))


@pytest.mark.parametrize(
    "words",
    [
        ["env"] * 5000, ["env", "--a"] * 5000, ["env", *["-S"] * 5000, "ls"],
        ["strace", "--a"] * 40 + ["git", "push"],
        ["env", "--a", "eval"] * 500, ["flock", "--a"] * 100 + ["-c", "flock --a " * 100],
        ["sh", "-c", "eval " * 500 + "ls"],
        ["find", *["-exec", "env", "--a"] * 5000],
    ],
    ids=lambda words: " ".join(words[:4]),
)  # fmt: skip
def test_commands_that_nest_too_deep_are_not_all_followed(words: list[str]) -> None:
    with pytest.raises(NestingTooDeep):
        list(commands_of_program(words))


def test_program_that_nests_too_deep_is_denied(
    machine: Callable[[keysh.Rules], keysh.Shell],
) -> None:
    rules = keysh.Rules([{"command": "git", "decision": "deny"}])
    result = machine(rules).run("/usr/bin/env " * 40 + "git push")
    assert result.code == 126
    assert "denied, since it runs too many commands in turn" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["e$1", "sh", "nv git push"],
        ["$1$2", "sh", "git ", "push"],
        ["IFS=,; $1", "sh", "git,push"],
        ['command set -- git push; "$@"', "sh", "ls"],
        ['builtin set -- git push; "$@"', "sh", "ls"],
        ['x=set; $x -- git push; "$@"', "sh", "ls"],
        ["BASH_ARGV0=git; $0 push", "ls"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_plan_does_not_claim_to_know_what_arguments_become(words: list[str]) -> None:
    """Each of them runs `git push`."""
    rules = keysh.Rules([{"command": "git", "decision": "deny"}])
    plan = keysh.Shell(rules=rules, dialect="bash").plan(
        "sh -c " + " ".join(map(keysh.quote, words))
    )
    assert plan.verdicts is not None
    assert plan.verdicts.decision == "deny"


def test_find_without_a_command_runs_none() -> None:
    assert list(commands_of_program(["find", ".", "-exec", ";", "-exec", "a", ";"])) == [["a"]]


def test_plan_of_a_script_whose_inner_text_has_a_mistake() -> None:
    rules = keysh.Rules([{"command": "git", "decision": "deny"}])
    shell = keysh.Shell(rules=rules, dialect="bash")
    verdicts = shell.plan("sh -c 'git push\n)'").verdicts
    assert [(act.subject[:1], act.verdict.may_be) for act in verdicts.acts] == [
        (["sh"], "allow"), (["git"], "deny"), ([None], "deny"),
    ]  # fmt: skip
    assert "what `sh` runs" in verdicts.unknown


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[keysh.Rules], keysh.Shell]:
    def make(rules: keysh.Rules) -> keysh.Shell:
        return keysh.Shell(
            keysh.LocalFS("/"), cwd=str(tmp_path), rules=rules, external=True, dialect="bash",
            env={"PATH": "/usr/bin:/bin"},
        )  # fmt: skip

    return make


@pytest.mark.parametrize(
    "line",
    ["ENV echo", "ENV -S echo a", "ENV -S A=1 'echo' a", "ECHO", "ECHO a", "./between", "NICE"],
)
def test_interpreter_of_a_script_is_judged(
    machine: Callable[[keysh.Rules], keysh.Shell], tmp_path: Path, line: str
) -> None:
    for name in ("env", "echo", "nice"):
        line = line.replace(name.upper(), str(shutil.which(name)))
    line = line.replace("./between", str(tmp_path / "between"))
    (tmp_path / "x").write_text(f"#!{line}\n")
    (tmp_path / "x").chmod(0o755)
    (tmp_path / "between").write_text(f"#!{shutil.which('echo')}\n")
    (tmp_path / "between").chmod(0o755)
    denied = "nice" if "nice" in line else "echo"
    shell = machine(keysh.Rules([{"command": denied, "decision": "deny"}]))
    result = shell.run("./x")
    assert (result.code, result.stdout) == (126, "")
    assert "denied by rule 1" in result.stderr
    other = machine(keysh.Rules([{"command": "cat", "decision": "deny"}]))
    # `nice` runs the script, which is run by `nice`, for as long as it may.
    assert "denied" not in other.run("./x", timeout=1).stderr


def test_script_that_is_allowed_needs_no_rule_for_its_interpreter(
    machine: Callable[[keysh.Rules], keysh.Shell], tmp_path: Path
) -> None:
    (tmp_path / "x").write_text(f"#!{shutil.which('echo')} hi\n")
    (tmp_path / "x").chmod(0o755)
    rules = keysh.Rules([{"command": "x", "decision": "allow"}], default={"command": "deny"})
    assert machine(rules).run("./x").stdout.startswith("hi")
    assert machine(rules).run("/bin/echo hi").code == 126


def test_rules_of_a_policy_judge_all_that_its_shell_does() -> None:
    rules = keysh.Rules([
        {"command": "rm", "decision": "deny"},
        {"paths": ["/kept"], "access": ["write"], "decision": "deny"},
        {"command": "touch", "decision": "ask"},
    ])  # fmt: skip
    asked: list[str] = []
    shell = keysh.Shell(
        external=keysh.Policy([], rules=rules), files={"/a": ""}, env={"PATH": "/bin"},
        on_ask=lambda request: asked.append(str(request)) or "allow",  # type: ignore[func-returns-value]
    )  # fmt: skip
    assert shell.run("rm /a").code == 126
    assert shell.run("echo x > /kept").code == 126
    assert shell.run("touch /b").code == 0
    assert asked == ["touch /b"]
    assert [act.verdict.decision for act in shell.plan("rm x; touch y").verdicts.acts] == [
        "deny", "ask",
    ]  # fmt: skip


def test_two_sets_of_rules_allow_what_both_allow() -> None:
    own = keysh.Rules([{"command": "rm", "decision": "deny"}])
    other = keysh.Rules(
        [{"command": ["ls", "rm"], "decision": "allow"}], default={"command": "deny"}
    )
    shell = keysh.Shell(rules=own, external=keysh.Policy([], rules=other), env={"PATH": "/bin"})
    assert [shell.run(script).code for script in ("ls /", "rm -f /x", "pwd")] == [0, 126, 126]
    acts = shell.plan("ls; rm x; pwd; $x").verdicts.acts
    assert [(act.verdict.decision, act.verdict.may_be) for act in acts] == [
        ("allow", "allow"), ("deny", "deny"), ("deny", "deny"), ("deny", "deny"),
    ]  # fmt: skip
