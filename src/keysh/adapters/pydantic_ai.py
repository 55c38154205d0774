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

    from keysh.adapters.agent.tool import BaseTool


class PydanticTools(FrameworkTools["Tool[None]"]):
    """Tools for Pydantic AI. A result has its record as `metadata` of its part in the messages."""

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> Tool[None]:
        """Return a tool as Pydantic AI takes it."""

        async def call(**arguments: Any) -> ToolReturn[str]:
            result = await self.acall(tool.name, arguments)
            return ToolReturn(result.text, metadata=result.record())

        return Tool.from_schema(call, tool.name, tool.description, tool.parameters_schema())


toolset = PydanticTools
