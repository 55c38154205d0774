"""`declare -f` prints functions of all constructs byte for byte as real bash does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import keysh
from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

FUNCTIONS = [
    text
    for text in re.split(
        r"^(?=f\d+\(|function f)",
        (Path(__file__).parent / "printed_functions.sh").read_text(),
        flags=re.MULTILINE,
    )
    if text
]

# What bash prints of these means something else: `coproc COPROC ls` and `& ` behind a heredoc.
MISPRINTED = ("f24(", "f46(", "f87(")
READABLE = [text for text in FUNCTIONS if not text.startswith(MISPRINTED)]


@needs("bash")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_function_is_printed_as_in_bash(function: str, tmp_path: Path) -> None:
    script = f"{function}\ndeclare -f\n"
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


@pytest.mark.parametrize("function", READABLE)
def test_printed_function_is_the_same_function(function: str) -> None:
    with keysh.Shell(dialect="bash") as shell:
        printed = shell.run(f"{function}\ndeclare -f\n").stdout
    with keysh.Shell(dialect="bash") as shell:
        again = shell.run(f"{printed}\ndeclare -f\n")
    assert (again.stdout, again.code) == (printed, 0)


FUNCTION_OF_KEYSH = r"""deploy(host, port: int = 80, tags: list = ["a)", {b: 1}], *files)
{
    x=[1, 2, ...$tags];
    y={a: 1, b: [c d]};
    echo $'x\0y' ${y[b][0]} > $host;
    function inner ()
    {
        [[ 1 in $x ]]
    };
    other(a: int)
    {
        echo $a
    }
}
"""


def test_function_of_the_other_dialect_keeps_its_literals() -> None:
    with keysh.Shell() as shell:
        shell.run(FUNCTION_OF_KEYSH)
        for dialect in ("keysh", "bash"):
            printed = shell.run("declare -f deploy", dialect=dialect).stdout
            assert printed.replace(" \n", "\n") == FUNCTION_OF_KEYSH


@needs("bash")
def test_trap_sees_commands_in_the_form_of_bash(tmp_path: Path) -> None:
    script = """trap 'echo "<$BASH_COMMAND>"' DEBUG
echo   a   "b  c"  >/dev/null
[[ a   ==   b ]]
((  1 +1 ))
x=$(echo   q)
f() { echo in   f; }; f  x
false | false
"""
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)
