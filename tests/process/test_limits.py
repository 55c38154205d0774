"""Limits that are in force before the program's first instruction."""

from __future__ import annotations

import os
import resource
import sys

import pytest

from keysh.process import launcher, run
from keysh.process.resolve import find_executable
from process.conftest import Make
from process.leaked_processes import marked_processes


@pytest.fixture(params=["prlimit", "ulimit"])
def _launched_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "ulimit":
        monkeypatch.setattr(
            launcher,
            "find_executable",
            lambda name: None if name == "prlimit" else find_executable(name),
        )


@pytest.mark.usefixtures("_launched_by")
def test_limits_are_set(make: Make) -> None:
    script = "ulimit -v; ulimit -S -t; ulimit -H -t; ulimit -n; ulimit -H -n; nice"
    spec = make("sh", "-c", script, max_memory=1 << 30, cpu_seconds=7, max_open_files=50, nice=3)
    nice = b"%d" % min(19, os.nice(0) + 3)
    assert run(spec).stdout.split() == [b"1048576", b"7", b"8", b"50", b"50", nice]


@pytest.mark.usefixtures("_launched_by")
def test_arguments_survive_launchers(make: Make) -> None:
    spec = make("printf", "<%s>", "--", "-n", "$x", "a b", max_open_files=50, nice=0)
    assert run(spec).stdout == b"<--><-n><$x><a b>"


def test_memory(make: Make) -> None:
    spec = make(sys.executable, "-S", "-c", "bytearray(1 << 30)", max_memory=200 << 20)
    result = run(spec)
    assert (result.code, b"MemoryError" in result.stderr) == (1, True)


@pytest.mark.usefixtures("_launched_by")
def test_cpu_time(make: Make) -> None:
    result = run(make("sh", "-c", "echo partial; while :; do :; done", cpu_seconds=0))
    assert (result.code, result.limit) == (125, "cpu_seconds")


@pytest.mark.parametrize("detach", ["", "setsid "])
def test_number_of_processes(make: Make, mark: str, detach: str) -> None:
    loop = f"i=0; while [ $i -lt 100 ]; do {detach}sleep 60 & i=$((i+1)); done; echo all; wait"
    result = run(make("sh", "-c", loop, max_processes=8, tagged=True))
    assert (result.code, result.limit, result.issue) == (125, "max_processes", "LIMIT")
    assert marked_processes(mark) == []


def test_process_count_is_kept(make: Make) -> None:
    script = "sleep 0.05 & sleep 0.05 & wait; echo done"
    result = run(make("sh", "-c", script, max_processes=4))
    assert (result.code, result.stdout) == (0, b"done\n")


@pytest.mark.parametrize(
    "limits", [{"max_memory": -1}, {"nice": -1}, {"nice": 20}, {"cpu_seconds": -5}]
)
def test_invalid_limit(make: Make, limits: dict[str, int]) -> None:
    result = run(make("true", **limits))
    assert result.error is not None
    assert (result.code, result.error.kind) == (125, "limits")


def test_limit_above_the_host_limit(make: Make) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    result = run(make("true", max_open_files=hard + 1))
    assert f"is above this program's own limit of {hard}" in str(result.error)


def test_missing_launcher_is_an_error(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "find_executable", lambda name: None)
    for limits in ({"max_open_files": 9}, {"nice": 1}, {"terminal": (80, 24)}):
        result = run(make("true", **limits))
        assert result.error is not None
        assert result.error.kind == "limits"
