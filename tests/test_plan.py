"""Plans: the commands that a script would run, as records and as a tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from keysh import Shell
from keysh.cli.main import main

pytestmark = pytest.mark.quick

SCRIPT = """\
deploy() { rm -rf "$1" 2>/dev/null; }
for f in $(find /src -name '*.py' | sort); do
    if grep -q TODO "$f"; then deploy "$f" &> log; else echo "$x" >> out; fi
done < in
{ cat a; } > /etc/motd
> empty
cat <<END | tr a b
today is $(date)
END
until read -r x; do ((n++)); done < <(ls)
(cd /; ls) &
case $x in
    a) pwd ;;
esac
"""
TREE = """\
deploy()
    rm -rf … 2>/dev/null
<in
    for f
        $(…)
            |
                find /src -name *.py
                sort
        if
            grep -q TODO …
            deploy … &>log
            echo … >>out
>/etc/motd
    cat a
>empty
|
    cat <<…
        $(…)
            date
    tr a b
<…
    until
        read -r x
    <(…)
        ls
&
    (…)
        cd /
        ls
case
    pwd"""


def test_tree_shows_nesting() -> None:
    assert str(Shell().plan(SCRIPT)) == TREE


def test_commands_are_listed_in_source_order() -> None:
    plan = Shell().plan(SCRIPT)
    names = [command["name"] for command in plan.commands]
    assert names == [
        "rm", "find", "sort", "grep", "deploy", "echo", "cat", "cat", "date", "tr", "read", "ls",
        "cd", "ls", "pwd",
    ]  # fmt: skip
    assert plan.functions == ["deploy"]
    assert [command["name"] for command in plan.commands if command["is_function"]] == ["deploy"]
    assert (plan.commands[3]["line"], plan.commands[3]["column"]) == (3, 8)
    assert not plan.is_opaque


def test_redirections_without_a_command() -> None:
    plan = Shell().plan(SCRIPT)
    displayed = [(one["operator"], one["target"]) for one in plan.redirections]
    assert displayed == [("<", "in"), (">", "/etc/motd"), (">", "empty"), ("<", None)]
    assert plan.commands[0]["redirections"] == [{"fd": 2, "operator": ">", "target": "/dev/null"}]


@pytest.mark.parametrize(
    "text",
    [
        'eval "$x"', ". ./f", "$command a", 'bash -c "ls"', "xargs $x", "timeout 3 $x",
        "/bin/dash x", "env A=b bash x", "command eval ls", "sudo -u amy /bin/sh x", "nice bash",
        "find . -exec sh -c ls ';'", "run python x",
        "builtin . x",
    ],
)  # fmt: skip
def test_commands_that_may_run_anything_are_opaque(text: str) -> None:
    assert Shell().plan(text).is_opaque
    assert not Shell().plan("xargs rm; timeout 3 ls; find . -exec rm {} +; echo bash").is_opaque


def test_plan_is_escaped_for_the_terminal() -> None:
    assert str(Shell().plan("echo $'\\e[2J' > $'\\a'")) == "echo \\x1b[2J >\\x07"


def test_plan_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--plan=tree", "-c", "ls | sort"]) == 0
    assert capsys.readouterr() == ("|\n    ls\n    sort\n", "")
    assert main(["--plan", "-c", "ls > out"]) == 0
    assert json.loads(capsys.readouterr().out)["commands"][0]["name"] == "ls"
    assert main(["--plan=tree", "-c", ""]) == 0
    assert capsys.readouterr() == ("", "")


def test_plan_of_an_invalid_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--plan", "-c", "if"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("", "keysh:1:1: E102 not closed: `if`")


def test_unknown_plan_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--plan=xml", "-c", "ls"]) == 2
    assert "plan must be one of json, tree, but is 'xml'" in capsys.readouterr().err


def test_plan_in_the_bash_dialect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = Shell(dialect="bash").plan("select x in a b; do rm $x; done; x=[1")
    assert [one["name"] for one in plan.commands] == ["rm"]
    assert str(plan) == "select x\n    rm …"
    (tmp_path / "menu.sh").write_text("select x in a b; do rm $x; done\n")
    assert main(["--plan=tree", str(tmp_path / "menu.sh")]) == 0
    assert capsys.readouterr().out == "select x\n    rm …\n"
