"""Sessions of agents, as tests open them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from keysh.adapters.agent import BackgroundShell, ShellManager
from keysh.adapters.agent.task import FinishedCommand
from keysh.adapters.thread import Stop

Open = Callable[..., ShellManager]


def run(manager: ShellManager, command: str, seconds: float = 20, **options: Any) -> Any:
    """A command of the session, without the tool around it."""
    with Stop() as stop:
        return manager.session.run(command, seconds, stop, **options)


def output(manager: ShellManager, command: str) -> str:
    """What a command puts out."""
    done = run(manager, command)
    assert isinstance(done, FinishedCommand)
    return done.stdout.decode()


def read_until(shell: BackgroundShell, wanted: str) -> str:
    """Its output up to a text, which comes or the test hangs and so fails."""
    text = ""
    while wanted not in text:
        shell.wait(0.005)
        text += shell.get_new_output()[0]
    return text
