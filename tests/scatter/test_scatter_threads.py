"""scatter on threads: order, halts, retries, limits, cancelling, logs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import keysh
from keysh import Cancel, Limits, Shell
from scatter.printed_rows import rows_of

ENV = {"PATH": "/usr/bin:/bin"}
WAIT_SECONDS = 30


def calling(act: Callable[[str], object], name: str = "act") -> Any:
    """A command that calls a function with its argument."""

    @keysh.command(name=name)
    def command(sh: keysh.Call, argument: str) -> None:
        """Act.

        argument  what to act on
        """
        act(argument)

    return command


# ---------------------------------------------------------------- what runs when


@pytest.mark.parametrize("workers", [2, 5])
def test_as_many_items_run_at_once_as_there_are_workers(workers: int) -> None:
    barrier = threading.Barrier(workers, timeout=WAIT_SECONDS)
    with Shell(commands=[calling(lambda _: barrier.wait())]) as shell:
        items = " ".join(map(str, range(workers * 3)))
        rows = rows_of(shell, f"scatter act {items} workers={workers}")
    assert [row["ok"] for row in rows] == [True] * workers * 3


def test_rows_come_as_they_are_done() -> None:
    """The first item ends when the host has the row of the second one."""
    has_row = threading.Event()
    acts = {"0": lambda: has_row.wait(WAIT_SECONDS), "1": lambda: None}
    with Shell(commands=[calling(lambda item: acts[item]())]) as shell:
        seen = []
        for row in shell.map("act", ["0", "1"], workers=2, order="done"):
            seen.append(row.item)
            has_row.set()
    assert seen == ["1", "0"]


def test_rows_come_in_the_order_of_the_items() -> None:
    has_ended = threading.Event()
    acts = {"0": lambda: has_ended.wait(WAIT_SECONDS), "1": has_ended.set}
    with Shell(commands=[calling(lambda item: acts[item]())]) as shell:
        assert [row.item for row in shell.map("act", ["0", "1"], workers=2)] == ["0", "1"]


def test_few_items_are_held_while_an_earlier_row_is_missing() -> None:
    taken = []
    is_slow = threading.Event()

    def items() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            if number == 7:  # the last one that is taken beside the first, which runs
                is_slow.set()
            yield str(number)

    seen_at_end_of_first = []

    def act(item: str) -> None:
        if item == "0":
            assert is_slow.wait(WAIT_SECONDS)
            seen_at_end_of_first.append(len(taken))

    with Shell(commands=[calling(act)]) as shell:
        rows = shell.map("act", items(), workers=4)
        assert sum(row.ok for row in rows) == 1000
    assert seen_at_end_of_first == [8]


def test_row_comes_before_the_next_line_of_an_open_input() -> None:
    words = [sys.executable, "-m", "keysh", "--memory", "-c", "scatter true"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    for item in ("first", "second"):
        process.stdin.write(f"{item}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["item"] == item
    process.communicate()
    assert process.returncode == 0


def test_item_that_no_program_takes_fails_alone() -> None:
    with Shell(env=ENV, external=True) as shell:
        rows = list(shell.map("/bin/echo", [[["a"]], "b"]))
    assert [row.code for row in rows] == [2, 0]


def test_nested_scatters_do_not_wait_for_one_another() -> None:
    script = "inner() { seq 4 | scatter true workers=8 | gather; }; seq 8 | scatter inner workers=8"
    with Shell(limits=Limits(jobs=3)) as shell:
        assert [row["code"] for row in rows_of(shell, script)] == [0] * 8


# ---------------------------------------------------------------- endings


def test_every_attempt_counts() -> None:
    calls: list[str] = []

    def act(item: str) -> None:
        calls.append(item)
        if calls.count(item) < 3:
            raise keysh.KeyshError("not yet")

    with Shell(commands=[calling(act)]) as shell:
        [row] = shell.map("act", ["a"], retries=5)
    assert (row.ok, row.attempts, calls) == (True, 3, ["a"] * 3)


def test_halt_now_ends_what_runs(shell: Shell) -> None:
    rows = rows_of(
        shell, "f() { [[ $1 == 1 ]] || sleep 60; return 7; }; scatter f 0 1 2 3 workers=2 halt=now"
    )
    assert [(row["i"], row["code"]) for row in rows if row["i"] == 1] == [(1, 7)]
    assert all(not row["ok"] for row in rows)
    assert len(rows) == 2


def test_timeout_ends_the_programs_of_an_item() -> None:
    with Shell(env=ENV, external=True) as shell:
        [row] = rows_of(shell, "c=[/bin/sh, -c]; scatter $c 'sleep 60 & sleep 60' timeout=100")
    assert row["code"] == 124


@pytest.mark.parametrize(
    ("limits", "script", "kind"),
    [
        (Limits(seconds=0.2), "scatter sleep 60 60 workers=2", "seconds"),
        (Limits(steps=5000), "f() { while true; do :; done; }; scatter f 1 2 workers=2", "steps"),
        (Limits(value=1000), "f() { seq 1000; }; scatter f 1", "value"),
    ],
)
def test_limits_of_the_run_end_it(limits: Limits, script: str, kind: str) -> None:
    with Shell(limits=limits) as shell:
        result = shell.run(script)
        assert result.limit is not None
        assert result.limit.kind == kind
        assert shell.run("jobs; echo on").stdout == "on\n"


def test_cancelling_leaves_nothing() -> None:
    before = threading.active_count()
    begun = threading.Barrier(3, timeout=WAIT_SECONDS)
    cancel = Cancel()
    results = []
    with Shell(commands=[calling(lambda _: begun.wait())]) as shell:

        def run() -> None:
            script = "f() { act x; sleep 60; }; scatter f 1 2 3 4 workers=2"
            results.append(shell.run(script, cancel=cancel))

        thread = threading.Thread(target=run)
        thread.start()
        begun.wait()
        cancel.cancel()
        thread.join()
        assert results[0].code == 130
        assert shell.run("jobs -l; echo on").stdout == "on\n"
    assert threading.active_count() == before


def test_item_that_kills_its_worker_ends_alone(shell: Shell) -> None:
    script = "f() { [[ $1 == 1 ]] && { kill %1; sleep 30; }; echo $1; }; scatter f 1 2 3 workers=1"
    assert [row["code"] for row in rows_of(shell, script)] == [143, 0, 0]


def test_idle_worker_that_was_killed_gets_no_item(shell: Shell) -> None:
    script = """
        f() { case $1 in 1) while [[ ! -e /two ]]; do sleep 0.01; done; sleep 0.05; kill %2;;
                         2) touch /two;; esac; echo $1; }
        scatter f 1 2 workers=2; echo 3 | scatter f; seq 3 6 | scatter f workers=2
    """
    assert all(row["ok"] for row in rows_of(shell, script))


def test_reader_that_has_enough_ends_the_scatter(shell: Shell) -> None:
    result = shell.run("seq 100000 | scatter echo | head -n 2 | gather")
    assert result.stdout == "1\n2\n"


# ---------------------------------------------------------------- logs


def test_line_that_was_cut_off_is_run_again(shell: Shell) -> None:
    shell.run("scatter echo a b workers=1 log=/log > /dev/null; head -c -20 /log > /cut")
    rows = rows_of(shell, "scatter echo a b log=/cut resume=true")
    assert [row["item"] for row in rows] == ["a", "b"]
    logged = shell.run("cat /cut").stdout.splitlines()
    assert sum(line.startswith('{"i":1') for line in logged) == 2  # one of them cut off


@pytest.mark.parametrize(
    ("log", "fact"),
    [
        ("hello\n", "is not a log of scatter"),
        ('{"scatter":1,"command":["cat"]}\n', "is the log of another command, cat"),
        ('{"scatter":1,"command":["echo"]}\n[1]\n', "line 2 is not a row of scatter"),
        ('{"scatter":1,"command":["echo"]}\n{"i":"x","ok":1}\n', "line 2 is not a row of scatter"),
    ],
)
def test_log_of_something_else_is_refused(log: str, fact: str) -> None:
    with Shell(files={"/log": log}) as shell:
        result = shell.run("scatter echo a log=/log resume=true")
        assert result.code == 2
        assert fact in result.stderr
        assert shell.run("cat /log").stdout == log


def test_log_that_cannot_be_written_ends_the_scatter(shell: Shell) -> None:
    result = shell.run("scatter echo a log=/no/such")
    assert result.code == 2
    assert "log /no/such: No such file or directory" in result.stderr


# ---------------------------------------------------------------- random numbers


def test_random_numbers_depend_on_seed_and_place(shell: Shell) -> None:
    shell.run("f() { echo $RANDOM $RANDOM; }")
    once = shell.run("seq 20 | scatter f seed=3 workers=1 | gather").stdout
    assert (
        once
        == shell.run(
            "seq 20 | scatter f seed=3 workers=7 order=done | jq -s -c 'sort_by(.i)[]' | gather"
        ).stdout
    )
    assert len({*once.splitlines()}) == 20
    assert once != shell.run("seq 20 | scatter f seed=4 | gather").stdout


# ---------------------------------------------------------------- bad arguments


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("scatter", "missing operand"),
        ("scatter echo a timeout=0", "timeout must be milliseconds above 0, but is 0"),
        ("scatter echo a retries=-1", "retries must be 0 or more, but is -1"),
        ("scatter echo a workers=0", "workers must be a number from 1"),
        ("scatter echo a workers=1000", "at most 512"),
        ("scatter echo a workers=150000%", "workers must be a number from 1"),
        ("scatter echo a resume=true", "resume needs a log"),
        ("scatter '' a", "command not found"),
        ("x={a: 1}; scatter /bin/nothing $x", "command not found"),
        ("f() { :; }; x={a: 1}; scatter f $x", "f declares no parameters, so it takes no record"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_runs(
    shell: Shell, script: str, error: str
) -> None:
    result = shell.run(script)
    assert error in result.stderr
    assert result.code in (1, 2, 127)
    assert result.stdout == ""
