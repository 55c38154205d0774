"""A user's program with smolagents, which mypy must pass in strict mode."""

from __future__ import annotations

from smolagents import Model, ToolCallingAgent  # type: ignore[import-untyped]

from keysh.adapters.smolagents import toolset


def ask(model: Model, question: str) -> str:
    """Let an agent answer."""
    with toolset(files={"/notes": "tea"}) as tools:
        agent = ToolCallingAgent([*tools], model, instructions=tools.system_prompt())
        return str(agent.run(question))
