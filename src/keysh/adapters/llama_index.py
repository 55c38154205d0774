"""Tools for agents of LlamaIndex: `pip install keysh[llama-index]`.

with toolset(files={"/notes": "one\\n"}) as tools:
    agent = FunctionAgent(tools=tools, llm=llm, system_prompt=tools.system_prompt())
    await agent.run("How many notes are there?")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from keysh.adapters.agent.frameworks.tools import FrameworkTools, refuse_missing

try:
    from llama_index.core.tools import AsyncBaseTool, ToolMetadata, ToolOutput
except ModuleNotFoundError as error:
    refuse_missing(error, "llama_index", "llama-index")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent import ToolResult
    from keysh.adapters.agent.tool import BaseTool


@dataclass
class KeyshToolMetadata(ToolMetadata):
    """The declaration of a tool, with the schema of keysh in place of a pydantic model."""

    schema: dict[str, Any] | None = None

    def get_parameters_dict(self) -> dict[str, Any]:
        """Return the schema of the parameters."""
        return {} if self.schema is None else self.schema


class KeyshTool(AsyncBaseTool):
    """A tool as LlamaIndex takes it."""

    def __init__(self, tool: BaseTool, tools: LlamaIndexTools) -> None:
        self._tools = tools
        self._metadata = KeyshToolMetadata(
            tool.description, tool.name, None, schema=tool.parameters_schema()
        )

    @property
    def metadata(self) -> ToolMetadata:
        """The declaration of the tool."""
        return self._metadata

    def call(self, **arguments: Any) -> ToolOutput:
        """Run the tool, and wait for it."""
        return self._output(arguments, self._tools.call(self._metadata.get_name(), arguments))

    async def acall(self, **arguments: Any) -> ToolOutput:
        """Run the tool."""
        result = await self._tools.acall(self._metadata.get_name(), arguments)
        return self._output(arguments, result)

    def _output(self, arguments: dict[str, Any], result: ToolResult) -> ToolOutput:
        return ToolOutput(
            self._metadata.get_name(), result.text, raw_input=arguments,
            raw_output=result.record(), is_error=not result.success,
        )  # fmt: skip


class LlamaIndexTools(FrameworkTools[KeyshTool]):
    """Tools for LlamaIndex. A result has its record as `raw_output`; `is_error` if it failed."""

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> KeyshTool:
        """Return a tool as LlamaIndex takes it."""
        return KeyshTool(tool, self)


toolset = LlamaIndexTools
