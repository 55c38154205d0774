"""A user's program with the tool runner of Anthropic's SDK, which mypy must pass in strict mode."""

from __future__ import annotations

from anthropic import Anthropic, AsyncAnthropic

from keysh.adapters.anthropic import async_toolset, toolset


def ask(client: Anthropic, question: str) -> str:
    """Let a model answer."""
    with toolset(files={"/notes": "tea"}) as tools:
        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-4-5", max_tokens=100, tools=tools, system=tools.system_prompt(),
            messages=[{"role": "user", "content": question}],
        )  # fmt: skip
        return "".join(one.text for one in runner.until_done().content if one.type == "text")


async def ask_in_time(client: AsyncAnthropic, question: str) -> int:
    """The same for a coroutine; return how many blocks it has answered with."""
    async with async_toolset(files={"/notes": "tea"}) as tools:
        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-4-5", max_tokens=100, tools=tools,
            messages=[{"role": "user", "content": question}],
        )  # fmt: skip
        return len((await runner.until_done()).content)
