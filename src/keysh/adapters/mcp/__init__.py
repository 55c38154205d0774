"""Serve a session to clients of the Model Context Protocol (MCP): over standard streams, or HTTP.

    keysh mcp --sandbox=project
    keysh mcp --http=127.0.0.1:8000

This uses the official SDK, the extra `keysh[mcp]`. Each connection has its own session. Hosts enter
at `serve_session`, at `http_server.serve_http`, or at `server_for` with a transport of their own.
"""

from __future__ import annotations

try:
    import mcp as _sdk  # noqa: F401 - a message that helps, before any part of it is missed
except ModuleNotFoundError as error:
    if error.name != "mcp":
        raise
    raise ModuleNotFoundError(
        "the SDK of the protocol is not installed: pip install 'keysh[mcp]'", name="mcp"
    ) from None

from keysh.adapters.mcp.pipe_server import serve as serve
from keysh.adapters.mcp.pipe_server import serve_session as serve_session
from keysh.adapters.mcp.server import server_for as server_for
