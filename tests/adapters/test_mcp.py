"""The MCP server, called by the client of the SDK over real pipes."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="there is no SDK of the protocol")

from mcp import Client, MCPError, StdioServerParameters

from keysh.cli.main import main

pytestmark = pytest.mark.asyncio

TOOLS = ["Bash", "BashOutput", "KillShell", "BashInput", "Read", "Write", "Edit", "Reset"]
KEYSH_TOOLS = ["ListCommands", "Help", "Snapshot", "Restore"]


@asynccontextmanager
async def client(*options: str, cwd: Path, mark: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "keysh", "mcp", "--keep-env", "KEYSH_TEST", *options],
        cwd=cwd,
        env={"KEYSH_TEST": mark, "SOME_TOKEN": "hidden", "PATH": "/usr/bin:/bin"},
    )
    async with Client(server) as made:
        yield made


async def text(requests: Client, name: str, **arguments: Any) -> str:
    result = await requests.call_tool(name, arguments)
    return "".join(part.text for part in result.content)  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [(), ("--bash",)])
async def test_session_on_real_files(options: tuple[str, ...], tmp_path: Path, mark: str) -> None:
    async with client(*options, cwd=tmp_path, mark=mark) as requests:
        listed = await requests.list_tools()
        expected = TOOLS if options else [*TOOLS, *KEYSH_TOOLS]
        assert [tool.name for tool in listed.tools] == expected
        assert listed.tools[0].input_schema["required"] == ["command"]
        assert await text(requests, "Write", path="file", content="a\nb\n")
        assert await text(requests, "Bash", command="x=1; /bin/cat file") == "a\nb\n"
        assert await text(requests, "Bash", command="echo $x [$SOME_TOKEN]") == "1 []\n"
        failed = await requests.call_tool("Bash", {"command": "echo out; (exit 3)"})
        assert failed.is_error
        assert failed.content[0].text == "Exit code 3\nout\n"  # type: ignore[union-attr]
        assert failed.structured_content["exit_code"] == 3  # type: ignore[index]
        begun = await requests.call_tool("Bash", {"command": "sleep 60", "run_in_background": True})
        shell: str = begun.structured_content["bash_id"]  # type: ignore[index]
        assert "terminated" in await text(requests, "KillShell", shell_id=shell)
        assert await text(requests, "Read", path="file", offset=2) == "b\n"
        await text(requests, "Reset")
        assert await text(requests, "Bash", command="echo [${x:-}]; pwd") == f"[]\n{tmp_path}\n"
        machine = os.uname()
        tool_call_result = await text(requests, "Bash", command="uname -r; echo $HOSTNAME $UID")
        assert tool_call_result == f"{machine.release}\n{machine.nodename} {os.getuid()}\n"
        await text(requests, "Bash", command="sleep 60", run_in_background=True)
    # The fixture `mark` checks that no process is left.


@pytest.mark.parametrize("options", [(), ("--bash",)])
async def test_undecodable_names(options: tuple[str, ...], tmp_path: Path, mark: str) -> None:
    async with client(*options, cwd=tmp_path, mark=mark) as requests:
        done = await requests.call_tool("Bash", {"command": "mkdir $'\\xff'; cd $'\\xff'; echo in"})
        assert done.content[0].text == "in\n"  # type: ignore[union-attr]
        assert done.structured_content["cwd"] == f"{tmp_path}/\\udcff"  # type: ignore[index]
        await requests.call_tool("Bash", {"command": "echo in > $'a\\xfe'"})
        resources = (await requests.list_resources()).resources
        uris = {one.name: one.uri for one in resources}
        read = await requests.read_resource(uris["a\\udcfe"])
        assert read.contents[0].text == "in\n"  # type: ignore[union-attr]
        for uri in ("keysh:///%ff", "keysh://[", "keysh-shell:///%ff"):
            with pytest.raises(MCPError):
                await requests.read_resource(uri)


async def test_confined_session(tmp_path: Path, mark: str) -> None:
    (tmp_path / "seen").write_text("yes\n")
    async with client("--sandbox", cwd=tmp_path, mark=mark) as requests:
        assert await text(
            requests, "Bash", command="cat /seen; ls /etc/passwd; spawn /bin/true"
        ) == (
            "Exit code 1\nyes\n"
            "ls: cannot access '/etc/passwd': No such file or directory\n"
            "bash: line 1: spawn: external commands are disabled (allow_external_commands=false)\n"
        )
        assert "blocked" in await text(requests, "Bash", command="rm -rf /")
        assert (await text(requests, "Nope")).startswith("no such tool: Nope")


@pytest.mark.parametrize(
    ("options", "answer"), [((), "[7]\n"), (("--bash",), "[7]\n"), (("--dialect", "keysh"), "7\n")]
)
async def test_dialect(options: tuple[str, ...], answer: str, tmp_path: Path, mark: str) -> None:
    async with client(*options, cwd=tmp_path, mark=mark) as requests:
        assert await text(requests, "Bash", command='x=[7]; echo "${x[0]}"') == answer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_leaves_no_process(
    number: signal.Signals, tmp_path: Path, mark: str
) -> None:
    program = (
        "from keysh.adapters import mcp; from keysh.adapters.agent import BashSession; import os;"
        "s = BashSession(env=dict(os.environ)); s.start('echo x > fifo; sleep 60 & wait');"
        "mcp.serve_session(s)"
    )
    os.mkfifo(tmp_path / "fifo")
    held = os.open(tmp_path / "fifo", os.O_RDWR)
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as server:  # fmt: skip
        assert select.select([held], [], [], 20)[0]
        os.close(held)
        assert server.stdin is not None
        # An answer shows that the server waits for more.
        server.stdin.write(
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":'
            b'"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
        )
        server.stdin.flush()
        assert server.stdout is not None
        assert b'"serverInfo"' in server.stdout.readline()
        server.send_signal(number)
        assert server.wait(20) == -number


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["file"], "mcp: it takes options of two dashes only"),
        (["-c", "x"], "mcp: it takes options of two dashes only"),
        (["--nope"], "unrecognized option '--nope'"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--help"]) == 0
    assert "Usage: keysh mcp " in capsys.readouterr().out


def test_without_the_sdk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    for module in ("keysh.adapters.mcp", "keysh.cli.agent_session"):
        monkeypatch.delitem(sys.modules, module, raising=False)
        monkeypatch.delattr(module, raising=False)
    assert main(["mcp"]) == 1
    assert "pip install 'keysh[mcp]'" in capsys.readouterr().err
