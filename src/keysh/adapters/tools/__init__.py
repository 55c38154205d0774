"""Tools: what servers offer, as commands of a shell.

    shell = Shell(tools=[McpServer("uvx mcp-server-git"), OpenApi("petstore.json")])
    shell.run("petstore list-pets status=sold | jq '.[].name'")

Hosts enter at `McpServer` and `OpenApi`. A source makes a connection when a script first names its
tools; each tool is a declared command, which is bound, checked and completed as any other.
"""

from __future__ import annotations

from keysh.adapters.tools.mcp_server import McpServer as McpServer
from keysh.adapters.tools.openapi import OpenApi as OpenApi
