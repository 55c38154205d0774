"""A session of an agent is bounded, also if its host sets nothing."""

from __future__ import annotations

import pytest

from keysh import Limits
from keysh.adapters.agent import KeyshSession, ShellManager, shells
from keysh.adapters.agent.keysh_session import MAX_COMMAND_SECONDS
from keysh.adapters.agent.task import FinishedCommand
from keysh.adapters.thread import Stop


def test_the_oldest_shells_that_have_ended_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shells, "MAX_KEPT_SHELLS", 3)
    with ShellManager() as manager:
        begun = [manager.create_shell("echo a") for _ in range(3)]
        assert all(shell.wait(60) for shell in begun)
        last = [manager.create_shell("echo b") for _ in range(2)]
        assert [shell.id for shell in manager.list_shells()] == [
            shell.id for shell in [*begun[2:], *last]
        ]


def test_a_session_has_the_limits_of_a_shell_and_no_network() -> None:
    session = KeyshSession()
    limits, safe = session._shell.state.session.limits, Limits()
    assert {kind for kind in Limits.__slots__ if getattr(limits, kind) != getattr(safe, kind)} == {
        "seconds"
    }
    assert limits.seconds == MAX_COMMAND_SECONDS
    stop = Stop()
    done = session.run("curl http://127.0.0.1/", 20, stop)
    session.close()
    assert isinstance(done, FinishedCommand)
    assert b"the network is closed" in done.stderr
