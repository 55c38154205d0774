"""A mapper that a host brings."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from typing import Any

import pytest

import keysh
from keysh import Shell


class Threads:
    """A mapper of threads, which counts its calls."""

    width = 3

    def __init__(self) -> None:
        self.pool = concurrent.futures.ThreadPoolExecutor(self.width)
        self.calls = 0
        self.is_cancelled = False

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.calls += 1
        return self.pool.submit(function, *arguments)

    def cancel(self) -> None:
        self.is_cancelled = True


@pytest.fixture
def mapper() -> Any:
    mapper = Threads()
    yield mapper
    mapper.pool.shutdown()


def test_items_go_over_the_mapper_in_chunks(mapper: Threads) -> None:
    with Shell(mapper=mapper) as shell:
        shell.run("x=[1, 2]; f() { echo $1 $x; }")
        for _ in range(2):  # it is not closed by the first
            rows = list(shell.map("f", range(500)))
            assert [row.data for row in rows] == [f"{number} [1,2]" for number in range(500)]
        assert 0 < mapper.calls < 500
        assert not mapper.is_cancelled
        before = mapper.calls
        assert shell.run("scatter echo a engine=threads | gather").stdout == "a\n"
        assert mapper.calls == before


def test_exception_of_a_mapper_fails_the_scatter(mapper: Threads) -> None:
    def refuse(function: Callable[..., Any], *arguments: Any) -> Any:
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_exception(OSError("the network is down"))
        return future

    mapper.submit = refuse  # type: ignore[method-assign]
    with Shell(mapper=mapper) as shell, pytest.raises(keysh.Failed, match="the network is down"):
        list(shell.map("true", [1]))
