"""Tools for agents of smolagents: `pip install keysh[smolagents]`.

with toolset(files={"/notes": "one\\n"}) as tools:
    agent = ToolCallingAgent(tools, model, instructions=tools.system_prompt())
    agent.run("How many notes are there?")
"""

from __future__ import annotations

from typing import Any

from keysh.adapters.agent.frameworks.tools import FrameworkTools, refuse_missing

try:
    from smolagents import Tool
except ModuleNotFoundError as error:
    refuse_missing(error, "smolagents", "smolagents")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent.tool import BaseTool


class KeyshTool(Tool):
    """A tool as smolagents takes it: called with what the model gives, also by position."""

    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, tool: BaseTool, tools: SmolagentsTools) -> None:
        self.name, self.description = tool.name, tool.description
        self.inputs = {
            one.name: {**one.schema(), **({} if one.required else {"nullable": True})}
            for one in tool.parameters
        }
        self._tools = tools
        super().__init__()

    def forward(self, *values: Any, **arguments: Any) -> str:
        """Run the tool."""
        named = dict(zip(self.inputs, values, strict=False))
        return self._tools.call(self.name, named | arguments).text


class SmolagentsTools(FrameworkTools[KeyshTool]):
    """Tools for smolagents. The model gets the text of a result; `on_result` gets all of it."""

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> KeyshTool:
        """Return a tool as smolagents takes it."""
        return KeyshTool(tool, self)


toolset = SmolagentsTools
