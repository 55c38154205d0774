"""A user's program with the OpenAI Agents SDK, which mypy must pass in strict mode."""

from __future__ import annotations

from agents import Agent, Runner

from keysh.adapters.agent import ToolResult
from keysh.adapters.openai_agents import toolset


def ask(question: str) -> tuple[str, list[int | None]]:
    """Let an agent answer; return also the status of each command."""
    statuses: list[int | None] = []

    def note(name: str, result: ToolResult) -> None:
        statuses.append(result.exit_code)

    with toolset(files={"/notes": "tea"}, on_result=note) as tools:
        agent = Agent("clerk", instructions=tools.system_prompt(), tools=[*tools])
        return str(Runner.run_sync(agent, question).final_output), statuses
