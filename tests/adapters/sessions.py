"""Run commands in the sessions of agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from keysh.adapters.agent import BackgroundShell, ShellManager
from keysh.adapters.agent.task import FinishedCommand
from keysh.adapters.thread import Stop
from keysh.adapters.tool_result import ToolResult

Open = Callable[..., ShellManager]


def run(manager: ShellManager, command: str, seconds: float = 20, **options: Any) -> Any:
    """Run a command in the session, without the tool."""
    with Stop() as stop:
        return manager.session.run(command, seconds, stop, **options)


def output(manager: ShellManager, command: str) -> str:
    """Run a command; return its output."""
    done = run(manager, command)
    assert isinstance(done, FinishedCommand)
    return done.stdout.decode()


def facts(result: ToolResult) -> dict[str, Any]:
    """Return the metadata of a result without its duration, which it must have."""
    assert result.duration_ms is not None
    assert result.duration_ms >= 0
    return {name: fact for name, fact in result.metadata.items() if name != "duration_ms"}


def read_until(shell: BackgroundShell, wanted: str) -> str:
    """Return the output up to a text; without it the test hangs, and so fails."""
    text = ""
    while wanted not in text:
        shell.wait(0.005)
        text += shell.get_new_output()[0]
    return text
