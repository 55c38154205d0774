"""MCP: the agent tools, served to a client of the Model Context Protocol over standard streams.

    keysh mcp --sandbox=project

The official SDK does the talking; it is the extra `keysh[mcp]`. One connection has one session.
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
from keysh.adapters.agent import BashSession, KeyshSession, ShellManager, tools_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh import Shell
    from keysh.adapters.agent import Guard, ToolRegistry
    from keysh.adapters.tool_result import ToolResult

INSTRUCTIONS = (
    "A shell session: Bash runs commands in it, Read and Write reach the same files. What a "
    "command sets stays for the next one, until Reset."
)


def server_for(registry: ToolRegistry) -> Server[dict[str, Any]]:
    """A server of tools, which some transport is to run."""

    async def list_tools(_: object, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(schema) for schema in registry.schemas("mcp")]
        )

    async def call_tool(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
        return tool_call_result(await registry.execute(asked.name, asked.arguments or {}))

    return Server(
        "keysh",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def tool_call_result(result: ToolResult) -> types.CallToolResult:
    """An answer as the protocol has it: a failure's reason stands before its output."""
    record = {"output": result.output, "error": result.error, **result.metadata}
    record = {
        key: encodable_text(one) if isinstance(one, str) else one for key, one in record.items()
    }
    parts = [part for part in (record["error"], record["output"]) if part]
    return types.CallToolResult(
        content=[types.TextContent(text="\n".join(parts))],
        structured_content=record,
        is_error=not result.success,
    )


def encodable_text(text: str) -> str:
    """A text as JSON can carry it: a file's name may be any bytes."""
    return text.encode("utf-8", "backslashreplace").decode()


async def serve(registry: ToolRegistry) -> None:
    """Serve tools until standard input ends."""
    server = server_for(registry)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def serve_keysh(options: dict[str, Any], prepare: Callable[[Shell], None]) -> int:
    """Serve a shell of keysh, of these options of `Shell` and prepared so."""
    return serve_session(KeyshSession(**options, prepare=prepare))


def serve_bash(env: dict[str, str]) -> int:
    """Serve the real bash, in this directory."""
    return serve_session(BashSession(env=env))


def serve_session(session: KeyshSession | BashSession, guard: Guard | None = None) -> int:
    """Serve a session until the client has gone, or SIGTERM comes; then nothing of it is left."""
    with ShellManager(session) as manager:

        def leave(number: int, _: object) -> None:
            # The SDK's thread that waits for input cannot be woken, so there is no way back.
            manager.close()
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        signal.signal(signal.SIGTERM, leave)
        asyncio.run(serve(tools_for(manager, guard)))
    return 0
