"""What a shell keeps from run to run counts for the next one."""

from __future__ import annotations

from keysh import Limits, Shell
from keysh.interp.run.budget import MIN_RUN_MEMORY_BYTES, Budget
from keysh.interp.state.kept_memory import kept_bytes

LARGE = 8 << 20


def test_variables_arguments_and_files_are_counted() -> None:
    shell = Shell(files={"/f": "a" * 1000})
    shell.run("x=(aaaa bbbb); y={k: [1, 2]}; set -- a b")
    before = kept_bytes(shell.state, LARGE)
    shell.vars["z"] = "a" * 5000
    shell.run("cp /f /g")
    assert kept_bytes(shell.state, LARGE) > before + 6000


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


def test_a_shell_that_keeps_too_much_says_so_until_it_is_unset() -> None:
    shell = Shell(limits=Limits(session_memory=64 << 20, value=64 << 20))
    keep = "x{}=$(head -c 30000000 /dev/zero | tr '\\0' a); sleep 0.01"
    results = [shell.run(keep.format(number)) for number in range(4)]
    assert results[0].code == 0
    assert results[-1].limit is not None
    assert results[-1].limit.kind == "session_memory"
    assert shell.run("unset x0 x1 x2 x3").code == 0
    assert shell.run(keep.format(0)).code == 0
