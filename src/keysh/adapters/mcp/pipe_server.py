"""Serve one session over standard streams, until the client disconnects."""

from __future__ import annotations

import asyncio
import signal

from mcp.server.stdio import stdio_server

from keysh.adapters.mcp.server import server_for
from keysh.adapters.mcp.settings import ServerSettings
from keysh.adapters.mcp.wire import Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.adapters.agent import BashSession, Guard, KeyshSession, ToolRegistry


async def serve(registry: ToolRegistry) -> None:
    """Serve the tools until standard input ends."""
    server = server_for(registry)
    wire: Any = Wire()
    async with stdio_server(wire, wire) as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def serve_session(
    session: KeyshSession | BashSession,
    guard: Guard | None = None,
    settings: ServerSettings | None = None,
) -> int:
    """Serve a session until the client disconnects, SIGTERM or Ctrl-C; then end all of it."""
    settings = settings or ServerSettings()
    with settings.manager_of(session) as manager:

        def terminate(number: int, _: object) -> None:
            # The SDK's thread that waits for input cannot be woken, so a normal exit would hang.
            manager.close()
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, terminate)
        asyncio.run(serve(settings.tools_of(manager, guard)))
    return 0
