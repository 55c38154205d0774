"""Tools for the tool runner of Anthropic's SDK: `pip install keysh[anthropic]`.

    with toolset(files={"/notes": "one\\n"}) as tools:
        client.beta.messages.tool_runner(
            model=…, max_tokens=1000, system=tools.system_prompt(), tools=tools,
            messages=[{"role": "user", "content": "How many notes are there?"}],
        ).until_done()

`async_toolset` is for the runner of `AsyncAnthropic`.
"""

from __future__ import annotations

from typing import Any

from keysh.adapters.agent.frameworks.tools import FrameworkTools, refuse_missing

try:
    from anthropic import beta_async_tool, beta_tool
    from anthropic.lib.tools import ToolError
except ModuleNotFoundError as error:
    refuse_missing(error, "anthropic", "anthropic")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from anthropic.lib.tools import BetaAsyncFunctionTool, BetaFunctionTool

    from keysh.adapters.agent import ToolResult
    from keysh.adapters.agent.tool import BaseTool


def text_of(result: ToolResult) -> str:
    """Return what the model reads; raise ToolError for a failure."""
    if not result.success:
        raise ToolError(result.text)
    return result.text


class AnthropicTools(FrameworkTools["BetaFunctionTool[Any]"]):
    """Tools for the runner of `Anthropic`.

    The model gets the text of a result, marked as an error after a failure; `on_result` gets all
    of it.
    """

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> BetaFunctionTool[Any]:
        """Return a tool as the runner of `Anthropic` takes it."""

        def call(**arguments: Any) -> str:
            return text_of(self.call(tool.name, arguments))

        schema = tool.parameters_schema()
        return beta_tool(call, name=tool.name, description=tool.description, input_schema=schema)


class AsyncAnthropicTools(FrameworkTools["BetaAsyncFunctionTool[Any]"]):
    """The same tools for the runner of `AsyncAnthropic`."""

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> BetaAsyncFunctionTool[Any]:
        """Return a tool as the runner of `AsyncAnthropic` takes it."""

        async def call(**arguments: Any) -> str:
            return text_of(await self.acall(tool.name, arguments))

        schema = tool.parameters_schema()
        return beta_async_tool(
            call, name=tool.name, description=tool.description, input_schema=schema
        )


toolset, async_toolset = AnthropicTools, AsyncAnthropicTools
