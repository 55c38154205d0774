"""What a shell keeps from run to run counts for the next one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from keysh import Limits, Shell
from keysh.interp.run.budget import MIN_RUN_MEMORY_BYTES, Budget
from keysh.interp.state.kept_memory import kept_bytes
from keysh.interp.state.session import RUNS_PER_LOOK

LARGE = 8 << 20
SIZE = 200_000  # of what each of these scripts keeps
KEEPING = {
    "variable": "x=$big", "name": 'declare "v$big=1"', "declared name": 'declare -i "v$big"',
    "element": "x=(1 $big)", "key": "declare -A x=([$big]=1)", "arguments": "set -- $big",
    "function": 'eval "f() { echo $big; }"', "name of a function": 'eval "f$big() { :; }"',
    "alias": 'alias a="$big"', "trap": 'trap ": $big" USR1', "exit trap": 'trap ": $big" ERR',
    "directory": "mkdir -p $deep; pushd $deep; pushd $deep; pushd $deep",
    "completion": 'complete -W "$big" c', "hashed file": "hash -p /$big c",
    "last word": ": $big", "descriptor": "exec 7<<< $big", "job": "echo $big & wait",
    "text of a job": 'eval "sleep 100 $big &"', "file": "echo $big > /f",
    "open file without a name": "exec 7> /f; echo $big >&7; rm /f",
}  # fmt: skip


def test_variables_arguments_and_files_are_counted() -> None:
    shell = Shell(files={"/f": "a" * 1000})
    shell.run("x=(aaaa bbbb); y={k: [1, 2]}; set -- a b")
    before = kept_bytes(shell.state, LARGE)
    shell.vars["z"] = "a" * 5000
    shell.run("cp /f /g")
    assert kept_bytes(shell.state, LARGE) > before + 6000


@pytest.mark.parametrize("script", KEEPING.values(), ids=KEEPING)
def test_whatever_lives_on_is_counted(script: str) -> None:
    shell = Shell(dialect="bash", check=False)
    shell.run("shopt -s expand_aliases")
    before = kept_bytes(shell.state, LARGE)
    # What the host sets goes with the run.
    shell.run(script, env={"big": "a" * SIZE, "deep": "/d" * (SIZE // 6)})
    kept = kept_bytes(shell.state, 1 << 30) - before
    shell.close()
    assert kept > SIZE * 0.3


def test_long_literals_of_functions_count_as_they_are() -> None:
    shell = Shell(dialect="bash")
    before = kept_bytes(shell.state, 1 << 30)
    for number in range(5):
        shell.run(f"eval 'f{number}() {{ echo {'a' * SIZE} \"{'b c ' * SIZE}\"; }}'")
    shell.run(f"trap 'echo {'a' * SIZE}' USR1")
    kept = kept_bytes(shell.state, 1 << 30) - before
    assert 30 * SIZE < kept < 100 * SIZE


def test_functions_of_many_nodes_count_more() -> None:
    shell = Shell()
    before = kept_bytes(shell.state, 1 << 30)
    shell.run("f() { " + ": $a; " * 5000 + "}")
    assert kept_bytes(shell.state, 1 << 30) - before > 5_000_000


def test_what_is_kept_twice_is_counted_once() -> None:
    shell = Shell()
    shell.vars["x"] = "a" * SIZE
    before = kept_bytes(shell.state, LARGE)
    shell.run("y=$x; z=[$x, $x, $x]; set -- $x")
    assert kept_bytes(shell.state, LARGE) < before + SIZE


def test_many_short_runs_that_keep_a_little_are_noticed() -> None:
    shell = Shell(limits=Limits(session_memory=20 << 20))
    shell.vars["x"] = "a" * 100_000
    for number in range(RUNS_PER_LOOK + 1):
        result = shell.run(f'y{number}="$x"{number}')
    assert shell.state.session.kept_memory > 20 << 20
    assert result.limit is not None


def test_shell_that_is_much_too_large_runs_again_when_its_host_has_cleared_up() -> None:
    shell = Shell(limits=Limits(session_memory=20 << 20))
    shell.vars["x"] = "a" * (40 << 20)
    shell.run("sleep 0.002")
    result = shell.run("echo never")
    assert (result.code, result.stdout) == (125, "")
    assert result.limit is not None
    assert result.limit.kind == "session_memory"
    assert shell.state.session.threads == {}
    shell.vars["x"] = ""
    assert shell.run("echo on").stdout == "on\n"


@pytest.mark.parametrize("kind", ["function", "alias", "descriptor"])
def test_growth_of_each_kind_ends_the_session(kind: str) -> None:
    scripts = {
        "function": 'eval "f@() { echo $x; }"', "alias": 'alias "a@=$x"',
        "descriptor": "exec {f@}<<< ${x}@",
    }  # fmt: skip
    shell = Shell(limits=Limits(session_memory=48 << 20), dialect="bash")
    shell.vars["x"] = "a" * (2 << 20)
    for number in range(60):
        result = shell.run(scripts[kind].replace("@", str(number)) + "; sleep 0.002")
        if result.limit is not None:
            break
    assert result.limit is not None
    assert result.limit.kind == "session_memory"


def test_a_look_ends_where_there_is_too_much() -> None:
    shell = Shell()
    shell.vars["x"] = ["a" * 1000] * 1000
    assert kept_bytes(shell.state, 10_000) < 20_000


def test_what_is_kept_leaves_less_for_a_run() -> None:
    budget = Budget(Limits(memory=100 << 20, session_memory=100 << 20))
    budget.count_kept(60 << 20, 100 << 20)
    assert budget.memory_limit(1 << 30) is None
    assert budget.memory_limit((1 << 30) + (39 << 20)) is None
    limit = budget.memory_limit((1 << 30) + (41 << 20))
    assert limit is not None
    assert (limit.kind, limit.used, limit.allowed) == ("session_memory", 101 << 20, 100 << 20)
    assert "unset variables" in limit.message


def test_a_run_may_always_clear_up() -> None:
    budget = Budget(Limits(memory=100 << 20))
    budget.count_kept(200 << 20, 100 << 20)
    assert budget.max_memory == MIN_RUN_MEMORY_BYTES


# In a process of its own: what other tests have freed is taken again without growth.
KEEPING_TOO_MUCH = r"""
from keysh import Limits, Shell
from keysh.interp.state import kept_memory

kept_memory.LOOK_PAUSES = 0  # a slow machine looks less often
shell = Shell(limits=Limits(session_memory=64 << 20, value=64 << 20))
for number in range(14):  # a little more than the limit, in small steps
    script = f"x{number}=$(head -c 5000000 /dev/zero | tr '\\0' a); sleep 0.01"
    assert shell.run(script).code == 0
large = "y=$(head -c 40000000 /dev/zero | tr '\\0' a; sleep 0.05)"
limit = shell.run(large).limit
assert limit is not None
assert limit.kind == "session_memory"
assert shell.run("unset ${!x*}", dialect="bash").code == 0
assert shell.run(large).code == 0
"""


def test_a_shell_that_keeps_too_much_says_so_until_it_is_unset() -> None:
    words = [sys.executable, "-c", KEEPING_TOO_MUCH]
    child = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert child.returncode == 0, child.stderr
