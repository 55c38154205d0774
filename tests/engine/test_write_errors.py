"""Errors of writing, to a full disk or a closed descriptor, and of reading, against bash."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bash import PATH, is_reference_machine
from keysh import Shell
from real_tools import need

LONGEST = 60  # seconds, after which a run that does not end is a failure

FULL = [
    "echo a", "printf a", "pwd", "set", "type cd", "declare -p HOME", "x=a; echo $x", "echo -n a",
    "seq 3", "ls /", "cat f", "head f", "tail f", "sort f", "grep a f", "grep -c a f", "sed p f",
    "tr a b <f", "wc f", "find f", "find f -ls", "cut -c1 f", "uniq f", "tac f", "rev f", "nl f",
    "xxd f", "dd if=f status=none",
    "od f", "base64 f", "stat f", "diff f e", "cmp f e", "env", "printenv", "expr 1 + 1", "date",
    "basename a", "du f", "df /", "paste f", "fold f", "expand f", "yes", "{ echo a; }", "(echo a)",
    "f() { echo a; }; f", "eval echo a", "echo $(echo a; echo b >&2)",
    "for i in a; do echo $i; done",
]  # fmt: skip
CLOSED = [
    "echo a", "printf a", "pwd", "seq 3", "ls /", "head f", "tail f", "grep a f", "cut -c1 f",
    "uniq f", "tac f", "od f", "base64 f", "diff f e", "env", "printenv", "date", "{ echo a; }",
]  # fmt: skip
UNREAD = [
    "cat", "head", "tail", "sort", "grep a", "sed p", "cut -c1", "tr a b", "od",
    "base64", "md5sum", "sum", "nl", "paste", "fold", "expand", "unexpand", "comm - f", "join - f",
    "cmp - f", "cmp f", "tee", "shuf", "read x", "while read x; do :; done", "dd status=none",
    "true", "ls", "echo a", "cat f", "(cat)", "{ cat; }", "md5sum -c", "exec", "pwd >/dev/null",
]  # fmt: skip
# The effect remains, whether or not it can be reported.
DEEDS = [
    "cp -v f g", "mv -v f g", "ln -v f g", "rm -v f e", "mkdir -pv g/h", "chmod -v 600 f",
    "install -vm 600 f g", "split --verbose -l1 f g", "tee g <f",
]  # fmt: skip
SCRIPTS = [
    *(f"{script} >/dev/full; echo $?" for script in FULL),
    *(f"{script} >&-; echo $?" for script in CLOSED),
    *(f"{script} {to}; echo $?; ls . g" for script in DEEDS for to in (">/dev/full", ">&-")),
    *(f"{script} <.; echo $?" for script in UNREAD),
    "exec <.; cat; echo $?",
    "exec >&-; echo a; echo $? >&2; set -e; echo b; echo no >&2",
    "exec >/dev/full; echo a || echo failed >&2; cat f && echo no >&2",
    # A message that cannot be written is not a failure.
    "ls nofile 2>/dev/full; echo $?; cat nofile f 2>/dev/full; echo $?",
    "{ cat nofile; echo on; } 2>/dev/full; exec 2>/dev/full; cat nofile; echo $?",
    "echo a 2>/dev/full >&2; echo $?; { echo a >&2; } 2>/dev/full; echo $?",
    "set -x; echo b 2>/dev/full; set +x",
    "cat nofile >/dev/full 2>&1; echo $?; echo a >/dev/full 2>&1; echo $?",
    "read x <&-; echo $?; while read -r x; do :; done <&-; echo $?",
]  # fmt: skip


@pytest.mark.skipif(not is_reference_machine(), reason="the real tools of that machine judge")
@pytest.mark.parametrize("script", SCRIPTS)
def test_agrees_with_bash(script: str, tmp_path: Path) -> None:
    if script.startswith("xxd"):
        need("xxd")
    env = {"PATH": PATH, "LC_ALL": "C", "HOME": "/"}
    (tmp_path / "f").write_text("a\n")
    (tmp_path / "e").write_text("")
    bash = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=env, input="", capture_output=True, text=True,
        check=False, timeout=LONGEST,
    )  # fmt: skip
    with Shell(env=env, files={"/d/f": "a\n", "/d/e": ""}, cwd="/d") as shell:
        result = shell.run(script, stdin="", timeout=LONGEST)
    message = re.sub(
        "^(bash|environment): line 1: ", "keysh: line 1: ", bash.stderr, flags=re.MULTILINE
    )
    assert (result.stdout, result.stderr, result.code) == (bash.stdout, message, bash.returncode)


def test_directory_cannot_be_read() -> None:
    with Shell() as shell:
        result = shell.run("x=$(</); echo $? $x; cat <<<on")
    assert (result.stdout, result.stderr) == (
        "1\non\n",
        "keysh: line 1: read error: Is a directory\n",
    )


def test_output_reaches_device_targets() -> None:
    with Shell() as shell:
        result = shell.run(
            "echo a | tee /dev/full; echo $?; echo b >/dev/full | cat; cp /dev/stdin f <<<c; cat f"
        )
        assert result.stdout == "a\n1\nc\n"
        assert result.stderr == (
            "tee: /dev/full: No space left on device\n"
            "keysh: line 1: echo: write error: No space left on device\n"
        )
