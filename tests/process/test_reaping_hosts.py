"""Hosts that collect the ends of all processes: the status is right, or said to be lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest

from keysh import Shell
from keysh.process import NotStarted, run, start
from keysh.process import exit as process_exit
from keysh.process.keeper import Keeper
from process.conftest import PATH, Make

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


def test_status_is_right_or_said_to_be_unknown(make: Make) -> None:
    for script, code in (("echo out; exit 7", 7), ("echo out; kill -9 $$", 137), ("echo out", 0)):
        result = run(make("sh", "-c", script))
        assert result.stdout == b"out\n"
        assert (result.code, result.issue) in [(code, ""), (125, "reaped")]


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
