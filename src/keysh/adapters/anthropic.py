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

    from keysh.adapters.agent import Guard, ToolResult
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
) -> FrameworkTools[BetaFunctionTool[Any]]:
    """Return the tools of a session, a Shell, or a new session with the options of `Shell`.

    The model gets the text of each result, marked as an error after a failure; `on_result` gets all
    of it.
    """
    return FrameworkTools(
        function_tool, session, guard=guard, on_timeout=on_timeout, promote_after=promote_after,
        on_result=on_result, **options,
    )  # fmt: skip


def async_toolset(
    session: ToolSession = None,
    *,
    guard: Guard | None = None,
    on_timeout: str = "kill",
    promote_after: float | None = None,
    on_result: OnResult | None = None,
    **options: Any,
) -> FrameworkTools[BetaAsyncFunctionTool[Any]]:
    """Return the same tools for the runner of `AsyncAnthropic`."""
    return FrameworkTools(
        async_function_tool, session, guard=guard, on_timeout=on_timeout,
        promote_after=promote_after, on_result=on_result, **options,
    )  # fmt: skip


def function_tool(tool: BaseTool, tools: FrameworkTools[Any]) -> BetaFunctionTool[Any]:
    """Return a tool as the runner of `Anthropic` takes it."""

    def call(**arguments: Any) -> str:
        return text_of(tools.call(tool.name, arguments))

    return beta_tool(
        call, name=tool.name, description=tool.description, input_schema=tool.parameters_schema()
    )


def async_function_tool(tool: BaseTool, tools: FrameworkTools[Any]) -> BetaAsyncFunctionTool[Any]:
    """Return a tool as the runner of `AsyncAnthropic` takes it."""

    async def call(**arguments: Any) -> str:
        return text_of(await tools.acall(tool.name, arguments))

    return beta_async_tool(
        call, name=tool.name, description=tool.description, input_schema=tool.parameters_schema()
    )


def text_of(result: ToolResult) -> str:
    """Return what the model reads; raise ToolError for a failure."""
    if not result.success:
        raise ToolError(result.text)
    return result.text
