"""Refusals of the bash dialect: what builtins, tools and arithmetic say; real bash is the judge."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import keysh
from dialect.dialect_oracle import ENVIRONMENT, bash_answer, dialect_answer
from real_tools import needs

BUILTINS = """
cd -z|pwd -z|pwd --no|read -z|read -d|export -z|readonly -z|declare -z|unset -z|shopt -z|exec -z
trap -z|wait -z|jobs -z|umask -z|ulimit -z|alias -z|unalias -z|type -z|command -z|hash -z|mapfile -z
mapfile -d|complete -z|compgen -z|cd a b|test a b c|[ 1 -lt x ]|kill|printf|shift x|set -z|set -o no
"""
LAUNCHERS = """
env nosuch|env ./nosuch|env /etc|env A=1 nosuch x|env env nosuch|env "it's"|timeout 1 nosuch
nice nosuch
timeout 1 /etc|echo a b / xargs nosuch|nohup nosuch|setsid nosuch|stdbuf -o0 nosuch
find /etc/passwd -exec nosuch {} +|find /etc/passwd -exec nosuch {} \\;
command_not_found_handle() { echo H; }; env nosuch; nosuch
"""
ARITHMETIC = """
1.5|1+|+|3 4|x y|08|2#3|99#1|3=4|(1|1)|1?2|1?2:|@|1 @|x=|1++|x++ y|1.5+2|abc.d|1 ? : 2|5 5 +|1,|#
0xg|1a
y--3|1 && |!|- |1 <|x==|x+=|4 +* 3|)|()|{|é|1é|x=08| 3 4
"""


def calls_of(text: str) -> list[str]:
    calls = text.strip("\n").replace("\n", "|").split("|")
    return [call.replace(" / ", " | ") for call in calls]


def bash_refusal(script: str, folder: Path) -> tuple[str, int]:
    """Return what real bash and its tools write to standard error, and the status."""
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env={**ENVIRONMENT, "LC_ALL": "C"}, text=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    return done.stderr, done.returncode


def dialect_refusal(script: str, folder: Path) -> tuple[str, int]:
    """Return the same of keysh."""
    fs = {"/": keysh.LocalFS("/")}
    with keysh.Shell(fs=fs, cwd=str(folder), env=ENVIRONMENT, dialect="bash") as shell:
        result = shell.run(script)
    return result.stderr, result.code


@needs("bash")
@pytest.mark.parametrize("call", [*calls_of(BUILTINS), *calls_of(LAUNCHERS)])
def test_refusal(call: str, tmp_path: Path) -> None:
    assert dialect_refusal(call, tmp_path) == bash_refusal(call, tmp_path)


@needs("bash")
@pytest.mark.parametrize("expression", calls_of(ARITHMETIC))
def test_malformed_arithmetic(expression: str, tmp_path: Path) -> None:
    script = f"let '{expression}'"
    said, status = dialect_refusal(script, tmp_path)
    bash_said, bash_status = bash_refusal(script, tmp_path)
    assert (said.partition(" (E")[0], status) == (bash_said.rstrip("\n"), bash_status)


@needs("bash")
@pytest.mark.parametrize(
    "script",
    [
        "declare -i v=1.5; echo x", "declare -i v; read v <<< 1.5; echo x", "x=-3; echo $((y-$x))",
        "x=$((-3)); echo $((4-$x)) $((y - $x)) $((y-1-$x)); echo $((y-$x))",
        "[[ 1.5 -gt 1 ]]; echo $?", "declare -i v; printf -v v 1.5; echo x",
    ],
)  # fmt: skip
def test_arithmetic_that_ends_a_line(script: str, tmp_path: Path) -> None:
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)
