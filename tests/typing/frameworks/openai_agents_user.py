"""A user's program with the OpenAI Agents SDK, which mypy must pass in strict mode."""

from __future__ import annotations

from agents import Agent, RunConfig, Runner
from agents.run_config import SandboxRunConfig
from agents.sandbox import SandboxAgent

from keysh.adapters.agent import ToolResult
from keysh.adapters.openai_agents import sandbox, toolset


def ask(question: str) -> tuple[str, list[int | None]]:
    """Let an agent answer; return also the status of each command."""
    statuses: list[int | None] = []

    def note(name: str, result: ToolResult) -> None:
        statuses.append(result.exit_code)

    with toolset(files={"/notes": "tea"}, on_result=note) as tools:
        agent = Agent("clerk", instructions=tools.system_prompt(), tools=[*tools])
        return str(Runner.run_sync(agent, question).final_output), statuses


async def ask_in_a_sandbox(question: str) -> str:
    """Let an agent with tools of its own answer."""
    async with sandbox(files={"/workspace/notes": "tea"}) as session:
        agent = SandboxAgent("clerk", instructions=session.system_prompt())
        config = RunConfig(sandbox=SandboxRunConfig(session=session))
        return str((await Runner.run(agent, question, run_config=config)).final_output)
