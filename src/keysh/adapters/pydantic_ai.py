"""Tools for agents of Pydantic AI: `pip install keysh[pydantic-ai]`.

with toolset(files={"/notes": "one\\n"}) as tools:
    agent = Agent(model, tools=tools, instructions=tools.system_prompt())
    agent.run_sync("How many notes are there?")
"""

from __future__ import annotations

from keysh.adapters.agent.frameworks.tools import FrameworkTools, refuse_missing

try:
    from pydantic_ai import Tool, ToolReturn
except ModuleNotFoundError as error:
    refuse_missing(error, "pydantic_ai", "pydantic-ai")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.adapters.agent import Guard
    from keysh.adapters.agent.frameworks.tools import OnResult, ToolSession
    from keysh.adapters.agent.tool import BaseTool


def toolset(
    session: ToolSession = None,
    *,
    guard: Guard | None = None,
    on_timeout: str = "kill",
    promote_after: float | None = None,
    on_result: OnResult | None = None,
    **options: Any,
) -> FrameworkTools[Tool[None]]:
    """Return the tools of a session, a Shell, or a new session with the options of `Shell`.

    The record of each result is the `metadata` of the tool's return part in the messages.
    """
    return FrameworkTools(
        pydantic_tool, session, guard=guard, on_timeout=on_timeout, promote_after=promote_after,
        on_result=on_result, **options,
    )  # fmt: skip


def pydantic_tool(tool: BaseTool, tools: FrameworkTools[Tool[None]]) -> Tool[None]:
    """Return a tool as Pydantic AI takes it."""

    async def call(**arguments: Any) -> ToolReturn[str]:
        result = await tools.acall(tool.name, arguments)
        return ToolReturn(result.text, metadata=result.record())

    return Tool.from_schema(call, tool.name, tool.description, tool.parameters_schema())
