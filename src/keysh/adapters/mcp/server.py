"""The MCP server of one session: its tools, its files as resources, and prompts."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from mcp import types
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from keysh import __version__
from keysh.adapters.agent import SessionTools
from keysh.adapters.mcp.encodable import encodable_text, encodable_value
from keysh.adapters.mcp.prompts import MissingPrompt, prompt_of, prompts
from keysh.adapters.mcp.resources import (
    RESOURCE_TEMPLATES,
    MissingResource,
    read_resource,
    resources_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from keysh.adapters.agent import ToolRegistry
    from keysh.adapters.tool_result import ToolResult

PROGRESS_SECONDS = 1.0  # between two notifications of a call that goes on
RESOURCE_NOT_FOUND, INVALID_PARAMS = -32002, -32602


def server_for(
    registry: ToolRegistry, *, progress_seconds: float = PROGRESS_SECONDS
) -> Server[dict[str, Any]]:
    """Return an MCP server for the tools, to be run on a transport."""

    async def list_tools(_: object, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(schema) for schema in registry.schemas("mcp")]
        )

    async def call_tool(context: Any, request: types.CallToolRequestParams) -> types.CallToolResult:
        async with reported_progress(context, request.name, progress_seconds):
            result = await registry.execute(request.name, request.arguments or {})
        return tool_call_result(result)

    server = Server(
        "keysh",
        version=__version__,
        title="keysh",
        instructions=encodable_text(registry.system_prompt()) or None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=lambda _, request: get_prompt(registry, request),
    )
    if isinstance(registry, SessionTools):
        add_resources(server, registry)
    return server


def add_resources(server: Server[dict[str, Any]], tools: SessionTools) -> None:
    """Let a server list and read the files of a session, and the output of its shells."""

    async def list_resources(_: object, __: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=await resources_of(tools))

    async def list_templates(_: object, __: object) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[*RESOURCE_TEMPLATES])

    async def read(_: object, request: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            contents = await read_resource(tools, request.uri)
        except MissingResource as error:
            raise MCPError(RESOURCE_NOT_FOUND, encodable_text(str(error))) from None
        return types.ReadResourceResult(contents=[contents])

    server.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
    server.add_request_handler(
        "resources/templates/list", types.PaginatedRequestParams, list_templates
    )
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, read)


async def list_prompts(_: object, __: object) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=prompts())


async def get_prompt(
    registry: ToolRegistry, request: types.GetPromptRequestParams
) -> types.GetPromptResult:
    try:
        return prompt_of(registry, request.name, request.arguments or {})
    except MissingPrompt as error:
        raise MCPError(INVALID_PARAMS, encodable_text(str(error))) from None


@asynccontextmanager
async def reported_progress(context: Any, name: str, seconds: float) -> AsyncIterator[None]:
    """Tell the client now and then that a call goes on, if it has asked for that."""

    async def report() -> None:
        elapsed = 0.0
        while True:
            await asyncio.sleep(seconds)
            elapsed += seconds
            message = f"{name} has run for {elapsed:g} s"
            await context.session.report_progress(elapsed, None, message)

    task = asyncio.ensure_future(report())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def tool_call_result(result: ToolResult) -> types.CallToolResult:
    """Convert a result for the protocol."""
    return types.CallToolResult(
        content=[types.TextContent(text=encodable_text(result.text))],
        structured_content=encodable_value(result.record()),
        is_error=not result.success,
    )
