"""Rules from TOML and Python: what is refused and how, the judge, `keysh rules` and plans."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh.rules.path_pattern import PathPattern, steps_of

GIT = """\
default = {request = "deny"}
ask_seconds = 5

[[rule]]
name = "pushes"
command = "git"
arguments = ["...", "push", "..."]
decision = "ask"
reason = "seen by others"
match = ["git push origin", "sudo git -C x push", "sh -c 'git push'"]
not_match = ["git status", "echo git push"]

[[rule]]
paths = ["/repo/.git/**"]
access = ["write", "remove"]
decision = "deny"
match = ["write /repo/.git/config", "/repo/.git"]
not_match = ["read /repo/.git/config", "write /repo/a"]

[[rule]]
hosts = ["*.example.org", "10.0.0.0/8"]
methods = ["GET"]
url_paths = ["/v1/**"]
decision = "allow"
match = ["GET https://a.example.org/v1/x"]
not_match = ["POST https://a.example.org/v1/x", "https://a.example.org/v2", "https://example.org/v1"]

[[rule]]
env = ["*_TOKEN"]
decision = "deny"
match = ["GH_TOKEN"]
not_match = ["HOME"]
"""


def test_file_and_records_give_the_same_rules(tmp_path: Path) -> None:
    import tomllib

    file = tmp_path / "rules.toml"
    file.write_text(GIT)
    content = tomllib.loads(GIT)
    for rules in (
        keysh.Rules.load(file),
        keysh.Rules(content["rule"], default=content["default"], ask_seconds=5),
    ):
        assert rules.ask_seconds == 5
        assert (rules.defaults["command"], rules.defaults["request"]) == ("allow", "deny")
        assert rules.judge_command(["git", "push"]).decision == "ask"
        assert rules.judge_path("remove", "/repo/.git/x").decision == "deny"
        assert rules.judge_request("GET", "a.example.org", 443, "/v1/").decision == "allow"
        assert rules.judge_variable("A_TOKEN").decision == "deny"
        assert pickle.loads(pickle.dumps(rules)).judge_command(["git", "push"]).decision == "ask"


WRONG = [
    (
        "[[rule]]\n",
        "x.toml:1: rule 1: is about nothing\nfix: give it one of command, paths, hosts, env",
    ),
    (
        '[[rule]]\ncommand = "a"\n',
        'x.toml:1: rule 1: has no decision\nfix: decision = "allow", "ask" or "deny"',
    ),
    (
        '\n[[rule]]\ncommand = "a"\ndecision = "no"\n',
        "x.toml:2: rule 1: decides 'no'\nfix: decision =",
    ),
    (
        '[[rule]]\ncomand = "a"\ndecision = "deny"\n',
        "rule 1: has no key 'comand'\nfix: did you mean command",
    ),
    (
        '[[rule]]\ncommand = "a"\nhosts = ["b"]\ndecision = "deny"\n',
        "has command and hosts\nfix: give it one of",
    ),
    (
        '[[rule]]\ncommand = "git push"\ndecision = "deny"\n',
        "must be one word, but is 'git push'\nfix: arguments",
    ),
    ('[[rule]]\ncommand = 1\ndecision = "deny"\n', "command must be a list of texts, but is 1"),
    ('[[rule]]\ncommand = []\ndecision = "deny"\n', "command is empty"),
    ('[[rule]]\npaths = [".git/**"]\ndecision = "deny"\n', "but is '.git/**'; write **/.git/**"),
    (
        '[[rule]]\npaths = ["/a/../b"]\ndecision = "deny"\n',
        "must be without . and .., but is '/a/../b'",
    ),
    (
        '[[rule]]\npaths = ["/a"]\naccess = ["list"]\ndecision = "deny"\n',
        "access has 'list'\nfix: one of read, write",
    ),
    ('[[rule]]\nhosts = ["a:x"]\ndecision = "deny"\n', "a port must be a number"),
    ('[[rule]]\nhosts = ["10.0.0.1/8"]\ndecision = "deny"\n', "has host bits set"),
    ('[[rule]]\ncommand = "a"\naccess = ["read"]\ndecision = "deny"\n', "has no key 'access'"),
    (
        '[[rule]]\ncommand = "a"\ndecision = "deny"\nmatch = ["b"]\n',
        "example in match does not match: b\nfix: change the rule, or move",
    ),
    (
        '[[rule]]\ncommand = "a"\ndecision = "deny"\nnot_match = ["env a"]\n',
        "example in not_match matches: env a",
    ),
    (
        '[[rule]]\ncommand = "a"\ndecision = "deny"\nmatch = ["("]\n',
        "its example '(' must be a command",
    ),
    ('[[rule]]\npaths = ["/a"]\ndecision = "deny"\nmatch = ["write a"]\n', "must be `write /path`"),
    (
        '[[rule]]\nhosts = ["a"]\ndecision = "deny"\nmatch = ["a"]\n',
        "must be `POST https://host/path`",
    ),
    (
        '[[rule]]\ncommand = "a"\ndecision = "deny"\n[[rule]]\nenv = "B"\ndecision = "x"\n',
        "x.toml:4: rule 2: decides",
    ),
    ('default = "no"\n', "x.toml: default is 'no'\nfix: default ="),
    ('default = {reed = "deny"}\n', "default has no 'reed'\nfix: one of command, read"),
    (
        '[[rule]]\ncommand = "a"\ndecision = "deny"\nmatch = ["find . -exec ;"]\n',
        "does not match: find . -exec ;",
    ),
    ("ask_seconds = 0\n", "ask_seconds is 0\nfix: a number over 0"),
    ("rules = []\n", "has no key 'rules'\nfix: did you mean rule"),
    ("rule = 1\n", "rule must be tables [[rule]], but is 1"),
    ("rule = [1]\n", "a rule must be a table, but is 1"),
    ("[[rule]\n", "x.toml: is not TOML: "),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_file_is_refused_with_place_and_fix(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text)
    with pytest.raises(keysh.RulesError) as raised:
        keysh.Rules.load(str(file))
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "is not UTF-8"), (None, "No such file"),
        (b"ask_seconds = " + b"1" * 5000, "is not TOML: "),
        (b"#" + b"\xc3\xa9" * (2 << 20), "is over 4194304 bytes"),
    ],
    ids=["bytes", "missing", "long number", "large"],
)  # fmt: skip
def test_file_that_cannot_be_read(tmp_path: Path, data: bytes | None, message: str) -> None:
    file = tmp_path / "x.toml"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(keysh.RulesError, match=message):
        keysh.Rules.load(file)


@pytest.mark.parametrize("seconds", [10**400, float("inf")])
def test_long_wait_is_as_long_as_a_lock_can_wait(seconds: float) -> None:
    assert keysh.Rules(ask_seconds=seconds).ask_seconds == threading.TIMEOUT_MAX


def test_record_that_is_wrong_names_the_rule() -> None:
    with pytest.raises(keysh.RulesError, match=r"^rules: rule 2: has no decision"):
        keysh.Rules([{"command": "a", "decision": "deny"}, {"command": "b"}])


# ---------------------------------------------------------------- the judge


@pytest.mark.parametrize(
    "order", [("allow", "ask", "deny"), ("deny", "ask", "allow"), ("ask", "deny", "allow")]
)
def test_strictest_match_wins_in_any_order(order: tuple[str, ...]) -> None:
    rules = keysh.Rules([{"command": "a", "decision": decision} for decision in order])
    assert rules.judge_command(["a"]).decision == "deny"
    assert str(rules.judge_command(["a"])) == f"denied by rule {order.index('deny') + 1} of rules"


def test_default_is_said() -> None:
    rules = keysh.Rules([{"command": "ls", "decision": "allow"}], default="deny")
    result = keysh.Shell(files={"/a": ""}, rules=rules).run("ls; rm /a")
    assert result.code == 126
    assert "rm: denied: no rule matches, and the default for command is deny" in result.stderr


DENIED_BY_DEFAULT = [
    ("cat /work/a", "cat"),
    ("git push", "git"),
    ("echo x > /etc/x", "/etc/x"),
    ("f() { :; }; f", "f"),
    ("cd /work; echo y > ../z", "/z"),
    ("LS", "LS"),
    ("env ls", "env"),
    ("sh -c ls", "sh"),
    ("echo x > /WORK/q", "/WORK/q"),
    ("echo $(< /etc/p)", "/etc/p"),
    ("/etc/script.ksh", "/etc/script.ksh"),
]
ALLOWED_BY_RULE = [
    "ls /work",
    "/bin/ls /work",
    "/usr/bin/ls /work",
    "echo x > /work/b",
    "x=ls; $x /work",
    "test -e /etc",
    "echo x > /dev/null",
    "echo $(< /work/a)",
    "cd /work; echo y > y",
]


@pytest.mark.parametrize("dialect", ["bash", "keysh"])
@pytest.mark.parametrize(
    ("script", "subject"), [*DENIED_BY_DEFAULT, *((one, "") for one in ALLOWED_BY_RULE)]
)
def test_list_of_what_is_allowed(script: str, subject: str, dialect: str) -> None:
    rules = keysh.Rules(
        [
            {"command": ["ls", "echo", "test", "cd", "*.ksh"], "decision": "allow"},
            {"paths": ["/work/**"], "decision": "allow"},
        ],
        default="deny",
    )
    files = {"/work/a": "1", "/etc/p": "s", "/etc/script.ksh": "echo ran"}
    shell = keysh.Shell(files=files, rules=rules, dialect=dialect, check=False)
    shell.fs.set_mode("/etc/script.ksh", 0o755)
    result = shell.run(script)
    if subject:
        assert "ran" not in result.stdout
        assert f"{subject}: denied: no rule matches, and the default for" in result.stderr
    else:
        assert (result.code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("/a", ["/a"], ["/", "/b", "/a/b"]), ("/", ["/"], ["/a"]), ("/**", ["/", "/a", "/a/b"], []),
        ("/a/**", ["/a", "/a/b", "/a/b/c"], ["/ab", "/"]), ("/a/*", ["/a/b"], ["/a", "/a/b/c"]),
        ("/a/**/z", ["/a/z", "/a/b/z", "/a/b/c/z"], ["/a", "/z", "/a/z/y"]),
        ("**/*.py", ["/x.py", "/a/b/x.py"], ["/x.pyc", "/"]), ("/*/b", ["/a/b"], ["/b", "/a/c/b"]),
        ("/a[0-9]?", ["/a1x"], ["/a1", "/ax1"]), ("/**/a/**/b", ["/a/b", "/x/a/y/b"], ["/b/a"]),
    ],
)  # fmt: skip
def test_path_patterns(pattern: str, matching: list[str], other: list[str]) -> None:
    found = PathPattern(pattern, is_folded=False)
    assert [path for path in matching + other if found.matches(steps_of(path))] == matching
    rules = keysh.Rules([{"paths": [pattern], "decision": "deny"}])
    denied = [path for path in matching + other if rules.judge_path("read", path).rule]
    assert denied == matching


def test_rule_that_allows_takes_names_as_they_are() -> None:
    rules = keysh.Rules(
        [{"paths": ["/repo/**"], "decision": "allow"}, {"command": "ls", "decision": "allow"}],
        default="deny",
    )
    assert rules.judge_path("write", "/repo/x").decision == "allow"
    for path in ("/REPO/x", "/rep\u200do/x"):
        assert rules.judge_path("write", path).decision == "deny"
    assert rules.judge_command(["LS"]).decision == "deny"


@pytest.mark.parametrize(
    ("words", "decision", "may_be"),
    [
        (["git", None], "allow", "deny"), (["git", "push", None], "deny", "deny"),
        (["git", "status", None], "allow", "deny"), ([None], "allow", "deny"),
        (["ls", None], "allow", "allow"), (["git"], "allow", "allow"),
    ],
)  # fmt: skip
def test_words_that_are_not_known(words: list[str | None], decision: str, may_be: str) -> None:
    rules = keysh.Rules(
        [{"command": "git", "arguments": ["...", "push", "..."], "decision": "deny"}]
    )
    verdict = rules.judge_command(words)
    assert (verdict.decision, verdict.may_be) == (decision, may_be)


def test_long_arguments_and_paths_take_linear_time() -> None:
    rules = keysh.Rules([
        {"command": "a", "arguments": ["...", "x", "...", "y", "...", "z"], "decision": "deny"},
        {"paths": ["**/a*b*c*d/**/e*f*g/**/h"], "decision": "deny"},
    ])  # fmt: skip
    assert rules.judge_command(["a", *["x", "y"] * 20_000]).rule is None
    assert rules.judge_path("read", "/abcd" * 2_000 + "/" + "abc" * 20_000).rule is None


# ---------------------------------------------------------------- before the run


def test_plan_says_what_is_decided_and_what_is_not_known() -> None:
    rules = keysh.Rules([
        {"command": "rm", "arguments": ["-r", "..."], "decision": "deny"},
        {"paths": ["/etc/**"], "access": ["write"], "decision": "ask"},
    ])  # fmt: skip
    shell = keysh.Shell(rules=rules, files={"/etc/x": ""}, dialect="bash")
    shell.run("ln -s /etc /link")
    plan = shell.plan("sudo rm -r /a; rm $x > /link/y; eval $z; $c; echo a > $f")
    assert plan.verdicts is not None
    assert [
        (act.verdict.action, act.subject[0], act.verdict.decision, act.verdict.may_be)
        for act in plan.verdicts.acts
    ] == [
        ("command", "sudo", "allow", "allow"), ("command", "rm", "deny", "deny"),
        ("command", "rm", "allow", "deny"), ("write", "/etc/y", "ask", "ask"),
        ("command", "eval", "allow", "allow"), ("command", None, "allow", "deny"),
        ("command", "echo", "allow", "allow"),
    ]  # fmt: skip
    assert plan.verdicts.decision == "deny"
    assert {
        "what `eval` runs",
        "which command a word becomes",
        "which files redirections write",
    } <= {*plan.verdicts.unknown}
    assert plan.record()["verdicts"][1]["rule"] == "rule 1 of rules"
    assert keysh.Shell().plan("rm -r /a").verdicts is None


def keysh_rules(*words: str) -> Any:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-m", "keysh", "rules", *words],
        check=False, capture_output=True, text=True, env=environment,
    )  # fmt: skip


def test_rules_subcommand(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(GIT)
    checked = keysh_rules("check", str(file))
    assert (checked.returncode, checked.stdout) == (
        0,
        (
            f"{file}: 4 rules, 15 examples; default: command allow, read allow, write allow, "
            "remove allow, request deny, env allow\n"
        ),
    )
    asked = keysh_rules("explain", str(file), "true; git push")
    assert asked.returncode == 1
    assert asked.stdout.splitlines()[1] == (
        "1:7: git push: to be asked by rule 1 (pushes) of rules.toml: seen by others"
    )
    for text, status in (
        ("git status", 0), ("remove /repo/.git/x", 1), ("read /repo/.git/x", 0),
        ("GET https://a.example.org/v1/", 0), ("GET https://b.org/", 1), ("(", 2),
    ):  # fmt: skip
        assert keysh_rules("explain", str(file), text).returncode == status
    file.write_text(GIT.replace('"GH_TOKEN"', '"HOME"'))
    wrong = keysh_rules("check", str(file))
    assert wrong.returncode == 2
    assert wrong.stderr.startswith(
        "rules.toml:28: rule 4: its example in match does not match: HOME\n"
    )
    assert keysh_rules("explain", str(file)).returncode == 2
