"""Serve the agent tools to a client of the Model Context Protocol (MCP) over standard streams.

    keysh mcp --sandbox=project

This uses the official SDK, the extra `keysh[mcp]`. Each connection has its own session.
"""

from __future__ import annotations

import asyncio
import signal

try:
    from mcp import types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server
except ModuleNotFoundError as error:
    if error.name != "mcp":
        raise
    raise ModuleNotFoundError(
        "the SDK of the protocol is not installed: pip install 'keysh[mcp]'", name="mcp"
    ) from None

from keysh import __version__
from keysh.adapters.agent import BashSession, KeyshSession, ShellManager, ToolResult, tools_for
from keysh.adapters.mcp.wire import Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh import Shell
    from keysh.adapters.agent import Guard, ToolRegistry


def server_for(registry: ToolRegistry) -> Server[dict[str, Any]]:
    """Return an MCP server for the tools, to be run on a transport."""

    async def list_tools(_: object, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(schema) for schema in registry.schemas("mcp")]
        )

    async def call_tool(_: object, request: types.CallToolRequestParams) -> types.CallToolResult:
        return tool_call_result(await registry.execute(request.name, request.arguments or {}))

    return Server(
        "keysh",
        version=__version__,
        instructions=registry.system_prompt() or None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def tool_call_result(result: ToolResult) -> types.CallToolResult:
    """Convert a result for the protocol."""
    record = {
        key: encodable_text(one) if isinstance(one, str) else one
        for key, one in result.record().items()
    }
    return types.CallToolResult(
        content=[types.TextContent(text=encodable_text(result.text))],
        structured_content=record,
        is_error=not result.success,
    )


def encodable_text(text: str) -> str:
    """Escape what JSON cannot carry: a file name may contain any bytes."""
    return text.encode("utf-8", "backslashreplace").decode()


async def serve(registry: ToolRegistry) -> None:
    """Serve the tools until standard input ends."""
    server = server_for(registry)
    wire: Any = Wire()
    async with stdio_server(wire, wire) as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def serve_keysh(options: dict[str, Any], prepare: Callable[[Shell], None]) -> int:
    """Serve a keysh session; `options` are its own, and `prepare` sets up its shells."""
    return serve_session(KeyshSession(**options, prepare=prepare))


def serve_bash(env: dict[str, str]) -> int:
    """Serve a session of the real bash in the current directory; `env` is its environment."""
    return serve_session(BashSession(env=env, keep=env))


def serve_session(session: KeyshSession | BashSession, guard: Guard | None = None) -> int:
    """Serve a session until the client disconnects or SIGTERM arrives, then end all of it."""
    with ShellManager(session) as manager:

        def terminate(number: int, _: object) -> None:
            # The SDK's thread that waits for input cannot be woken, so a normal exit would hang.
            manager.close()
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        signal.signal(signal.SIGTERM, terminate)
        asyncio.run(serve(tools_for(manager, guard)))
    return 0
