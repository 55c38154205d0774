"""Tools of a server that is written with the official SDK, over standard streams and HTTP."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="there is no SDK of the protocol")

from keysh import Limits, Rules, Shell
from keysh.adapters.tools import McpServer

PROGRAM = """
from typing import Literal
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel, Field

server = MCPServer("weather", instructions="Ask about the weather.")

class Forecast(BaseModel):
    city: str
    degrees: list[float]

@server.tool()
async def forecast(
    context: Context, city: str, days: int = Field(1, ge=1, le=10), unit: Literal["C", "F"] = "C"
) -> Forecast:
    "The forecast of a city."
    await context.report_progress(1, 2)
    return Forecast(city=city, degrees=[20.5] * days)

@server.tool()
async def cities(prefix: str = "") -> list[str]:
    "Cities."
    return [name for name in ("Berlin", "Bern", "Rome") if name.startswith(prefix)]

@server.tool()
async def wait(seconds: float) -> str:
    "Wait."
    import asyncio
    await asyncio.sleep(seconds)
    return "waited"
"""
HTTP_END = """
import socket, sys
import uvicorn

config = uvicorn.Config(server.streamable_http_app(), log_level="critical")
uvicorn.Server(config).run([socket.socket(fileno=int(sys.argv[1]))])
"""
CALLS = {
    "weather forecast city=Berlin days=2": '{"city":"Berlin","degrees":[20.5,20.5]}',
    "weather forecast Rome | jq -c .degrees": "[20.5]",
    "weather cities prefix=Ber | jq -r '.[]'": "Berlin\nBern",
    "weather wait 0": "waited",
}


def assert_calls(shell: Shell) -> None:
    for script, output in CALLS.items():
        result = shell.run(script)
        assert (result.stdout, result.stderr) == (f"{output}\n", ""), script
    refused = shell.run("echo begun; weather forecast city=Berlin days=11")
    assert (refused.code, refused.stdout) == (2, "")
    assert "days must be at most 10" in refused.stderr
    assert shell.run("timeout 0.05 weather wait 60").code == 124
    assert shell.run("weather wait 0").stdout == "waited\n"


@pytest.mark.usefixtures("url")  # which takes as long to begin
def test_over_standard_streams(tmp_path: Path) -> None:
    program = tmp_path / "weather.py"
    program.write_text(f"{PROGRAM}\nserver.run()\n")
    with Shell(tools=[McpServer([sys.executable, str(program)])]) as shell:
        assert_calls(shell)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program = tmp_path_factory.mktemp("server") / "weather.py"
    program.write_text(PROGRAM + HTTP_END)
    with socket.create_server(("127.0.0.1", 0)) as listener:  # where calls wait until it has begun
        number = listener.fileno()
        with subprocess.Popen(
            [sys.executable, str(program), str(number)], pass_fds=[number], env={}
        ) as server:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
            server.kill()


def test_over_http(url: str) -> None:
    records: list[dict[str, object]] = []
    with Shell(tools=[McpServer(url, name="weather")], audit=records.append) as shell:
        assert_calls(shell)
    assert any("127.0.0.1" in str(record) for record in records)


def test_a_session_that_is_gone_is_begun_again(url: str) -> None:
    with Shell(tools=[McpServer(url, name="weather")]) as shell:
        shell.run("weather wait 0")
        connection = shell.registry.plugins["weather"].load.__self__  # type: ignore[attr-defined]
        connection._channel._session = "0" * 32
        assert shell.run("weather wait 0").stdout == "waited\n"


def test_policy_and_limits_hold_for_a_url(url: str) -> None:
    rules = Rules([{"hosts": ["127.0.0.1:*"], "methods": ["POST"], "decision": "deny"}])
    with Shell(tools=[McpServer(url, name="weather")], rules=rules) as shell:
        assert "denied by rule 1" in shell.run("weather wait 0").stderr
    with Shell(tools=[McpServer(url, name="weather")], limits=Limits(seconds=0.5)) as shell:
        result = shell.run("weather wait 60")
        assert result.limit is not None
        assert result.limit.kind == "seconds"
    with Shell(tools=[McpServer(url, name="weather")], network=None) as shell:
        assert shell.run(f"curl {url}").code == 126  # the tools do not open the network


def test_an_address_of_the_private_network_must_be_named() -> None:
    from keysh.adapters.tools.http_exchange import network_of_url

    assert not network_of_url("https://example.org/mcp", ()).allows("127.0.0.1")
    assert not network_of_url("https://example.org/mcp", ()).allows("169.254.169.254")
    assert network_of_url("https://example.org/mcp", ["10.0.0.0/8"]).allows("10.1.2.3")
    assert network_of_url("http://localhost:80/", ()).allows("127.0.0.1")
    assert network_of_url("http://example.org:90/", ()).refusal("GET", "example.org", 80)
