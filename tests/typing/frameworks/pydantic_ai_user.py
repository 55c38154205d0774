"""A user's program with Pydantic AI, which mypy must pass in strict mode."""

from __future__ import annotations

from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from keysh import Shell
from keysh.adapters.pydantic_ai import toolset


def ask(question: str) -> str:
    """Let an agent answer, in a shell that stays."""
    with Shell(dialect="bash") as shell, toolset(shell) as tools:
        agent = Agent(TestModel(), tools=tools, instructions=tools.system_prompt())
        return agent.run_sync(question).output


async def ask_in_time(question: str) -> str:
    """The same for a coroutine."""
    async with toolset(files={"/notes": "tea"}, on_timeout="background") as tools:
        agent = Agent(TestModel(), tools=tools)
        return (await agent.run(question)).output
