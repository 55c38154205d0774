"""Shell.map and Shell.amap: items and rows as Python objects."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import keysh
from keysh import Limits, Shell


@pytest.fixture
def shell() -> Iterator[Shell]:
    with Shell() as shell:
        shell.run('check(host, port: int = 443) { echo "$host:$port"; [[ $host != down ]]; }')
        yield shell


def test_rows_are_typed(shell: Shell) -> None:
    rows = list(shell.map("check", ["web", "down", {"host": "db", "port": 5}], workers=1))
    assert [(row.index, row.ok, row.code, row.data) for row in rows] == [
        (0, True, 0, "web:443"), (1, False, 1, "down:443"), (2, True, 0, "db:5"),
    ]  # fmt: skip
    assert rows[2].item == {"host": "db", "port": 5}
    assert (rows[0].out, rows[0].err, rows[0].attempts, rows[0].worker) == ("web:443\n", "", 1, 1)
    assert repr(rows[1]) == "<Row 1 failed with 1>"


def test_shell_is_free_while_a_loop_takes_rows(shell: Shell) -> None:
    seen = [shell.run(f"echo {row.item}").stdout for row in shell.map("true", range(200))]
    assert seen == [f"{number}\n" for number in range(200)]


def test_files_are_those_of_the_shell_and_variables_are_not(shell: Shell) -> None:
    shell.run("n=1; add() { n=$1; echo $1 >> /sum; }")
    assert all(row.ok for row in shell.map("add", [5, 6]))
    assert shell.run("echo $n; sort /sum").stdout == "1\n5\n6\n"


def test_values_of_commands_are_data(shell: Shell) -> None:
    @keysh.command
    def double(sh: keysh.Call, number: int) -> dict[str, int]:
        """Double it.

        number  what to double
        """
        return {"twice": number * 2}

    shell.add(double)
    assert [row.data for row in shell.map("double", [1, 2])] == [{"twice": 2}, {"twice": 4}]


def test_leaving_the_loop_ends_what_runs(shell: Shell) -> None:
    before = threading.active_count()
    for row in shell.map("sleep", [0, 60, 60, 60], workers=4):
        assert row.ok
        break
    assert threading.active_count() == before


def test_exception_of_the_items_is_the_hosts(shell: Shell) -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("no more")

    with pytest.raises(ZeroDivisionError, match="no more"):
        list(shell.map("true", items()))
    assert shell.run("echo on").stdout == "on\n"


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (("true", "abc"), {}, "items must be a list or an iterator, but is 'abc'"),
        (("true", 5), {}, "items must be a list or an iterator, but is 5"),
        (("true", [1]), {"wrkers": 1}, "map has no option 'wrkers'; did you mean workers"),
        (("true", [1]), {"halt": "later"}, "halt must be one of never, soon, now"),
        ((object(), [1]), {}, "a value must be JSON"),
    ],
)
def test_wrong_arguments_are_refused(
    shell: Shell, arguments: tuple[Any, ...], options: dict[str, Any], error: str
) -> None:
    with pytest.raises(TypeError, match=error):
        shell.map(*arguments, **options)


def test_item_that_is_no_value_is_refused(shell: Shell) -> None:
    with pytest.raises(TypeError, match="a value must be JSON"):
        list(shell.map("true", [object()]))


def test_unknown_command_and_limits_raise(shell: Shell) -> None:
    with pytest.raises(keysh.Failed, match="nothing: command not found"):
        list(shell.map("nothing", [1]))
    with (
        Shell(limits=Limits(seconds=0.1)) as limited,
        pytest.raises(keysh.Failed, match="seconds") as caught,
    ):
        list(limited.map("sleep", [60]))
    assert caught.value.result.limit.kind == "seconds"


def test_coroutines_take_rows(shell: Shell) -> None:
    async def collect() -> list[str]:
        rows = shell.amap("check", ["a", "b"], workers=1)
        return [row.data + (await shell.arun("echo !")).stdout async for row in rows]

    assert asyncio.run(collect()) == ["a:443!\n", "b:443!\n"]


def test_cancelled_coroutine_ends_what_runs(shell: Shell) -> None:
    async def leave() -> None:
        rows = shell.amap("sleep", [0, 60, 60], workers=3)
        async for row in rows:
            assert row.ok
            break
        await rows.aclose()

    asyncio.run(leave())
    assert shell.run("echo on").stdout == "on\n"
