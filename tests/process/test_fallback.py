"""Systems without pidfd, /proc, waitid, epoll or eventfd, played on one that has them."""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import time
from pathlib import Path

import pytest

from keysh.process import STREAM, Flag, arun, resolve, run, start
from keysh.process.tree import process_table
from process.conftest import Make
from process.leaked_processes import marked_processes
from real_tools import need

pytestmark = pytest.mark.usefixtures("_poor")


F_GETPATH = 50  # as macOS has it
FCNTL = fcntl.fcntl


def with_paths(fd: int, command: int, argument: bytes | int = 0) -> bytes | int:
    """The call of macOS that returns a descriptor's path."""
    if command != F_GETPATH:
        return FCNTL(fd, command, argument)
    return os.fsencode(os.readlink(f"/proc/self/fd/{fd}")).ljust(1024, b"\0")


@pytest.fixture(params=["no pidfd", "no /proc", "nothing"])
def _poor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "no /proc":
        monkeypatch.delattr(os, "pidfd_open")
    if request.param != "no pidfd":
        need("ps")
        monkeypatch.setattr(process_table, "PROC", "/nonexistent")
        monkeypatch.setattr(resolve, "PROC", "/nonexistent")
        monkeypatch.setattr(fcntl, "F_GETPATH", F_GETPATH, raising=False)
        monkeypatch.setattr(fcntl, "fcntl", with_paths)
    if request.param == "nothing":
        monkeypatch.delattr(os, "waitid")
        monkeypatch.delattr(os, "eventfd")
        monkeypatch.delattr(select, "epoll")


def test_output_and_status(make: Make) -> None:
    result = run(make("sh", "-c", "cat; echo e >&2; exit 3", stdin=b"x" * 100_000))
    assert (len(result.stdout), result.stderr, result.code) == (100_000, b"e\n", 3)


def test_end_is_detected_while_the_output_stays_open(make: Make) -> None:
    script = "exec >&- 2>&-; sleep 0.05; kill -9 $$"
    assert run(make("sh", "-c", script)).signal == 9


def test_directory_by_descriptor(make: Make, tmp_path: Path) -> None:
    held = os.open(tmp_path, os.O_PATH)
    try:
        assert run(make("pwd", "-P", directory=held)).stdout == os.fsencode(tmp_path) + b"\n"
    finally:
        os.close(held)


def test_limits(make: Make) -> None:
    script = "for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait"
    result = run(make("sh", "-c", script, max_processes=3))
    assert (result.code, result.limit) == (125, "max_processes")
    result = run(make("sh", "-c", "ulimit -n", max_open_files=40))
    assert result.stdout == b"40\n"


def test_stream(make: Make) -> None:
    with start(make("yes", stdout=STREAM)) as process:
        assert next(process.output()).startswith(b"y\n")
        assert process.wait().code == 141


def test_cancel(make: Make) -> None:
    with Flag() as flag:
        flag.set()
        flag.set()
        assert run(make("sleep", "60"), cancel=flag.fd).code == 130
        flag.clear()
        assert run(make("true"), cancel=flag.fd).code == 0


def test_async(make: Make) -> None:
    async def main() -> int:
        return (await arun(make("sh", "-c", "exit 3"))).code

    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(main()) == 3
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


@pytest.fixture(params=["no ps", "a ps without options", "a ps that shows nothing"])
def _unseen(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither /proc, which is a directory without a mount, nor `ps` shows processes."""
    monkeypatch.setattr(process_table, "PROC", str(tmp_path))
    ps = {"no ps": str(tmp_path / "ps"), "a ps without options": "false"}
    monkeypatch.setattr(process_table, "PS_COMMAND", [ps.get(request.param, "true")])


@pytest.mark.usefixtures("_unseen")
@pytest.mark.parametrize("grace", [0, 100])
@pytest.mark.parametrize(
    "script",
    ["sleep 60", "sleep 60 & sleep 60 & wait", "trap '' TERM; while :; do sleep 60; done"],
)
def test_timeout_kills_the_group_that_cannot_be_seen(
    make: Make, mark: str, script: str, grace: int
) -> None:
    result = run(make("sh", "-c", script, timeout=100, grace=grace))
    assert (result.code, result.survivors) == (124, [])
    end = time.monotonic() + 20
    while marked_processes(mark):  # the kernel ends them, but nobody sees when
        assert time.monotonic() < end


@pytest.mark.usefixtures("_unseen")
def test_what_ends_by_itself_is_not_counted_where_nothing_is_seen(make: Make) -> None:
    assert run(make("sh", "-c", "sleep 0.05; exit 3", max_processes=1)).code == 3


@pytest.mark.parametrize(
    "script",
    [
        "sleep 60 & sleep 60 & wait",
        "trap '' TERM; while :; do sleep 60; done",
        "(trap '' TERM; sleep 60; sleep 60) & wait",
        "setsid sleep 60 & wait",
    ],
)
def test_timeout_kills_the_tree(make: Make, mark: str, script: str) -> None:
    result = run(make("sh", "-c", script, timeout=100, grace=100))
    assert (result.code, marked_processes(mark)) == (124, [])
