"""What the MCP server offers beside tools, called by the client of the SDK: over pipes and HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import jsonschema
import pytest

pytest.importorskip("mcp", reason="there is no SDK of the protocol")

from mcp import Client
from mcp.shared.exceptions import MCPError

from keysh.adapters.agent import KeyshSession, ShellManager, tools_for
from keysh.adapters.mcp.http_server import (
    HttpSessions,
    address_of_text,
    is_same_origin,
    serve_http,
)
from keysh.adapters.mcp.server import server_for
from keysh.adapters.mcp.settings import ServerSettings
from keysh.cli.main import main

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def connected(mode: str = "legacy", **options: Any) -> AsyncIterator[tuple[Client, Any]]:
    """Connect a client to a server of a session in this process."""
    session = KeyshSession(files={"/work/a b": "1\n", "/raw": b"\xff"}, cwd="/work", journal=True)
    with ShellManager(session) as manager:
        tools = tools_for(manager, **options)
        async with Client(server_for(tools, progress_seconds=0.02), mode=mode) as client:
            yield client, manager


async def test_tools_have_titles_hints_and_schemas_that_results_obey() -> None:
    async with connected() as (client, _):
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"Bash", "BashOutput", "KillShell", "Read", "Write", "Edit", "Changes", "Undo",
                "ListCommands", "Help"} <= listed.keys()  # fmt: skip
        assert listed["Read"].annotations.read_only_hint is True  # type: ignore[union-attr]
        assert listed["Bash"].annotations.destructive_hint is True  # type: ignore[union-attr]
        assert all(tool.title and tool.annotations for tool in listed.values())
        for name, arguments in (
            ("Bash", {"command": "x=1; seq 9000"}), ("Bash", {"command": "grpe a"}),
            ("Read", {"path": "/work/a b"}), ("Read", {"path": "/none"}),
            ("Edit", {"path": "/work/a b", "old_string": "1", "new_string": "2"}),
            ("Changes", {}), ("Undo", {}), ("Help", {"command": "wc"}),
            ("Bash", {"command": "printf '\\xff'; mkdir $'\\xff'"}),
        ):  # fmt: skip
            result = await client.call_tool(name, arguments)
            jsonschema.validate(result.structured_content, listed[name].output_schema)
            assert result.structured_content["success"] is not result.is_error  # type: ignore[index]


async def test_resources_are_files_outputs_and_shells() -> None:
    async with connected() as (client, manager):
        await client.call_tool("Bash", {"command": "seq 9000"})
        begun = await client.call_tool(
            "Bash", {"command": "echo begun; cat", "run_in_background": True}
        )
        shell = begun.structured_content["bash_id"]  # type: ignore[index]
        listed = {one.uri for one in (await client.list_resources()).resources}
        assert listed == {
            "keysh:///work/a%20b", "keysh:///v/output/1", "keysh:///v/results/1",
            f"keysh-shell:///{shell}",
        }  # fmt: skip
        texts = {}
        for uri in listed:
            read = await client.read_resource(uri)
            texts[uri] = read.contents[0].text  # type: ignore[union-attr]
        assert texts["keysh:///work/a%20b"] == "1\n"
        assert texts["keysh:///v/output/1"].startswith("1\n2\n")
        printed = ""
        while printed != "begun\n":  # what else it had printed would never end this
            read = await client.read_resource(f"keysh-shell:///{shell}")
            printed = read.contents[0].text  # type: ignore[union-attr]
        unread = await client.call_tool("BashOutput", {"bash_id": shell})
        assert unread.structured_content["output"] == "begun\n"  # type: ignore[index]
        assert manager.get_shell(shell).kill()
        raw = (await client.read_resource("keysh:///raw")).contents[0]
        assert raw.blob == "/w=="  # type: ignore[union-attr]
        templates = (await client.list_resource_templates()).resource_templates
        assert "keysh:///v/results/{number}" in [one.uri_template for one in templates]
        for uri in ("keysh:///none", "keysh-shell:///x", "file:///etc/passwd", "keysh://host/raw"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)


async def test_prompts_tell_of_the_session_and_of_codes() -> None:
    async with connected() as (client, _):
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert names == ["about", "explain"]
        about = await client.get_prompt("about")
        assert "keysh" in about.messages[0].content.text  # type: ignore[union-attr]
        page = await client.get_prompt("explain", {"code": "e303"})
        assert page.messages[0].content.text.startswith("# E303 ")  # type: ignore[union-attr]
        for name, arguments in (("none", {}), ("explain", {"code": "../x"})):
            with pytest.raises(MCPError):
                await client.get_prompt(name, arguments)


async def test_a_call_reports_its_progress() -> None:
    heard: list[str] = []
    enough = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(str(message))
        enough.set()

    async with connected() as (client, _):
        script = "until test -e /stop; do sleep 0.01; done"
        call = asyncio.ensure_future(
            client.call_tool("Bash", {"command": script}, progress_callback=hear)
        )
        await enough.wait()
        await client.call_tool("Write", {"path": "/stop", "content": ""})
        await call
    assert heard[0] == "Bash has run for 0.02 s"


async def test_a_call_is_cancelled_by_the_client() -> None:
    async with connected() as (client, manager):
        call = asyncio.ensure_future(
            client.call_tool("Bash", {"command": "touch /begun; sleep 60"})
        )
        while manager.session.fs.stat_or_none("/begun", follow=True) is None:
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        again = await client.call_tool("Bash", {"command": "echo free"})
        assert again.structured_content["output"] == "free\n"  # type: ignore[index]


# ---------------------------------------------------------------- HTTP

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@contextmanager
def http_server(*options: str, token: str = "") -> Iterator[str]:
    """Start the program; yield the URL that it tells."""
    words = [sys.executable, "-m", "keysh", "mcp", "--memory", "--http=0", *options]
    env = {**os.environ, **({"KEYSH_MCP_TOKEN": token} if token else {})}
    with subprocess.Popen(words, stderr=subprocess.PIPE, env=env, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert line.startswith("keysh: mcp: serving at http://127.0.0.1:"), line
        yield line.split()[-1]
        server.terminate()
        assert server.stderr.read() == ""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with http_server("--max-sessions=2", "--max-shown=1000", "--promote-after=500") as at:
        yield at


async def bash(client: Client, command: str) -> str:
    result = await client.call_tool("Bash", {"command": command})
    return str(result.structured_content["output"])  # type: ignore[index]


async def test_each_client_has_a_session_of_its_own(url: str) -> None:
    async with Client(url) as first, Client(url) as second:
        assert await bash(first, "x=1; echo first > /a; cat /a") == "first\n"
        assert await bash(second, "echo [$x]; ls / | grep a") == "[]\n"
        assert await bash(first, "echo $x") == "1\n"
        assert begin(url)[0] == 503
        assert (await first.read_resource("keysh:///a")).contents[0].text == "first\n"  # type: ignore[union-attr]
    async with Client(url) as third:  # there is room again
        assert await bash(third, "cat /a 2>&1") == "cat: /a: No such file or directory\n"


def request(
    url: str, method: str = "POST", record: object = None, **headers: str
) -> tuple[int, Any]:
    address = url.split("/")[2]
    connection = http.client.HTTPConnection(address)
    sent = HEADERS | {name.replace("_", "-"): value for name, value in headers.items()}
    path = "/" + url.split("/", 3)[3]
    connection.request(method, path, json.dumps(record), sent)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip


def begin(url: str, **headers: str) -> tuple[int, str]:
    """Begin a session; return the status and its id."""
    connection = http.client.HTTPConnection(url.split("/")[2])
    connection.request("POST", "/mcp", json.dumps(INITIALIZE), {**HEADERS, **headers})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("mcp-session-id", "")


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def test_requests_that_no_client_sends_are_refused(url: str) -> None:
    refusals = [
        (421, {"Host": "evil.example"}),  # a page whose name now means loopback
        (421, {"Host": "evil.example:8000"}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": "null"}),
        (404, {"Mcp_Session_Id": "0" * 32}),
        (400, {"MCP_Protocol_Version": "2026-07-28"}),
        (400, {}),  # no session without initialize
    ]
    for status, headers in refusals:
        found, text = await asyncio.to_thread(request, url, "POST", PING, **headers)
        assert found == status, (headers, text)
        assert "error" in json.loads(text)
    assert (await asyncio.to_thread(request, url.replace("/mcp", "/other")))[0] == 404
    large = {**PING, "params": {"x": "x" * (17 << 20)}}
    try:
        status, _ = await asyncio.to_thread(request, url, "POST", large)
        assert status == 413
    except ConnectionError:
        pass  # it was refused before all was sent
    async with Client(url) as client:  # and it goes on
        assert await bash(client, "echo a") == "a\n"


async def status_of(app: HttpSessions, method: str) -> int:
    """Send a request to begin a session, and return its status."""
    statuses: list[int] = []
    headers = [(b"host", b"localhost")]
    headers += [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    scope = {"type": "http", "method": method, "path": "/mcp", "headers": headers}
    bodies = [{"type": "http.request", "body": json.dumps(INITIALIZE).encode()}]

    async def receive() -> Any:
        return bodies.pop() if bodies else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if "status" in message:
            statuses.append(message["status"])

    await app({**scope, "query_string": b""}, receive, send)
    return statuses[0]


async def test_only_a_post_begins_a_session_and_one_that_fails_is_no_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    failures = [OSError("no \x1b[31mroom")]

    def make_session() -> KeyshSession:
        if failures:
            raise failures.pop()
        return KeyshSession()

    async with HttpSessions(make_session, ServerSettings()).running() as app:
        for method in ("GET", "DELETE", "OPTIONS"):  # a page sends a GET without an Origin
            assert await status_of(app, method) == 400
        assert failures  # none was made
        assert await status_of(app, "POST") == 500
        assert await status_of(app, "POST") == 200
    assert capsys.readouterr().err == "keysh: mcp: a session failed: OSError: no \\x1b[31mroom\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_the_streams_of_its_clients(number: signal.Signals) -> None:
    words = [sys.executable, "-m", "keysh", "mcp", "--memory", "--http=0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        url = server.stderr.readline().split()[-1]
        status, session = begin(url)
        assert status == 200
        connection = http.client.HTTPConnection(url.split("/")[2])
        connection.request("GET", "/mcp", headers={**HEADERS, "Mcp-Session-Id": session})
        stream = connection.getresponse()
        assert stream.status == 200
        server.send_signal(number)
        assert stream.read() == b""
        assert server.stderr.read() == ""
        assert server.wait() == -number
        connection.close()


async def test_settings_of_the_program_hold(url: str) -> None:
    async with Client(url) as client:
        long = await bash(client, "seq 1000")
        assert len(long) < 1100
        assert "the whole is in /v/output/1" in long
        moved = await client.call_tool("Bash", {"command": "sleep 60"})
        assert moved.structured_content["moved_to_background"] is True  # type: ignore[index]


async def test_a_token_is_required_and_a_session_ends_when_nobody_uses_it() -> None:
    with http_server("--idle-seconds=0.05", token="secret") as url:
        for headers in ({}, {"Authorization": "Bearer other"}, {"Authorization": "Bearer secre"}):
            status, _ = await asyncio.to_thread(request, url, "POST", PING, **headers)
            assert status == 401
        token = {"Authorization": "Bearer secret"}
        status, session = begin(url, **token)
        assert status == 200
        while request(url, "POST", PING, Mcp_Session_Id=session, **token)[0] != 404:
            time.sleep(0.1)  # longer than it lasts


def test_elsewhere_than_on_loopback_a_token_is_required() -> None:
    with pytest.raises(ValueError, match="a token is required"):
        serve_http(KeyshSession, ("0.0.0.0", 0), ServerSettings())
    with pytest.raises(ValueError, match="a token is required"):
        serve_http(KeyshSession, ("example.org", 0), ServerSettings(), "")


def test_addresses_and_origins() -> None:
    assert address_of_text("") == ("127.0.0.1", 8000)
    assert address_of_text("90") == ("127.0.0.1", 90)
    assert address_of_text("[::1]:90") == ("::1", 90)
    assert address_of_text("localhost") == ("localhost", 8000)
    assert is_same_origin("http://localhost:3000", "127.0.0.1:8000")
    assert is_same_origin("https://host:1", "host:1")
    assert not is_same_origin("https://host:2", "host:1")
    assert not is_same_origin("http://localhost", "host:1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--http=a:b"], "--http"),
        (["--http=0.0.0.0:0"], "a token is required"),
        (["--max-shown=few"], "--max-shown must have a number"),
        (["--max-shown=10"], "max_shown must be a number from 1000"),
        (["--promote-after=nan"], "promote_after must be milliseconds above 0"),
        (["--max-sessions=0"], "max_sessions must be a number above 0"),
        (["--bash", "--memory"], "beside --bash"),
    ],
)
def test_wrong_words(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.delenv("KEYSH_MCP_TOKEN", raising=False)
    assert main(["mcp", *words]) == 2
    assert message in capsys.readouterr().err
