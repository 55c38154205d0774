"""Hosts that collect the ends of all processes: the status is right, or said to be lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest

from keysh import Shell
from keysh.process import NotStarted, ProcessSpec, launcher, run, start
from keysh.process import exit as process_exit
from keysh.process.keeper import Keeper
from keysh.process.tree.process_table import process_row
from process.conftest import PATH, Make

# Linux 6.15 tells the status to those who hold a pidfd.
KEEPS_STATUS = tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 15)
OLD_KERNEL_REQUEST = 0  # a number that no kernel knows


def reap_all(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


@pytest.fixture(params=[signal.SIG_IGN, reap_all], ids=["SIG_IGN", "handler"], autouse=True)
def _reaping(request: pytest.FixtureRequest) -> Iterator[None]:
    before = signal.signal(signal.SIGCHLD, request.param)
    yield
    signal.signal(signal.SIGCHLD, before)


def test_status_is_right(make: Make) -> None:
    for script, code in (("echo out; exit 7", 7), ("echo out; kill -9 $$", 137), ("echo out", 0)):
        result = run(make("sh", "-c", script))
        assert result.stdout == b"out\n"
        if KEEPS_STATUS:
            assert (result.code, result.issue) == (code, "")
        else:
            assert (result.code, result.issue) in [(code, ""), (125, "reaped")]


@pytest.mark.skipif(not KEEPS_STATUS, reason="the kernel is older than 6.15")
def test_a_short_program_does_not_end_before_it_is_watched(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given all the time it needs to end before its pidfd is opened."""

    def open_late(pid: int) -> int:
        while (row := process_row(pid)) is not None and row.is_awake:
            pass
        return pidfd_open(pid)

    pidfd_open = os.pidfd_open
    monkeypatch.setattr(os, "pidfd_open", open_late)
    for _ in range(5):
        assert run(make("sh", "-c", "exit 7")).code == 7


def test_the_wait_is_not_seen(make: Make) -> None:
    env = {"PATH": PATH, "PWD": "/none"}
    result = run(ProcessSpec(["env"], env=env, stdin=b"input\n"))
    assert sorted(result.stdout.split()) == [b"PATH=" + PATH.encode(), b"PWD=/none"]
    result = run(make("sh", "-c", "cat; echo $0; echo /dev/fd/*", stdin=b"input\n"))
    # The last one is that of the listing.
    assert result.stdout == b"input\nsh\n/dev/fd/0 /dev/fd/1 /dev/fd/2 /dev/fd/3\n"


def test_without_a_launcher_it_is_not_waited_for(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "find_executable", lambda _: None)
    assert run(make("sh", "-c", "echo out")).stdout == b"out\n"


def test_a_lost_status_is_an_issue(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_exit, "PIDFD_GET_INFO", OLD_KERNEL_REQUEST)
    result = run(make("sh", "-c", "echo out; exit 7"))
    assert result.stdout == b"out\n"
    assert (result.code, result.issue) in [(125, "reaped"), (7, "")]
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        assert result.is_reaped


def test_a_script_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_exit, "PIDFD_GET_INFO", OLD_KERNEL_REQUEST)
    with Shell(env={"PATH": PATH}, external=True, check=False) as shell:
        result = shell.run("/bin/echo out; echo $?")
    told = "keysh: line 1: /bin/echo: its status is not known, because this program collects the "
    if result.stdout == "out\n125\n":
        assert result.stderr == f"{told}ends of all processes (SIGCHLD)\n"
    else:
        assert (result.stdout, result.stderr) == ("out\n0\n", "")


def test_trees_are_killed(make: Make) -> None:
    result = run(make("sh", "-c", "setsid sleep 60 & sleep 60", timeout=50))
    assert (result.code, result.survivors) == (124, [])


def test_a_keeper_without_a_thread_says_so(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with Keeper() as keeper:
        with start(make("sleep", "60")) as process, monkeypatch.context() as patch:
            patch.setattr(Thread, "start", refuse)
            with pytest.raises(NotStarted, match="temporarily unavailable"):
                keeper.keep(process)
            result = keeper.run(make("sleep", "60", timeout=10, on_timeout="background"))
            assert (result.code, result.issue) == (125, "EAGAIN")  # type: ignore[union-attr]
        assert keeper.keep(start(make("sleep", "60"))).kill().code == 143
