"""What a client sends to the MCP server is judged first: an answer for each mistake."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="there is no SDK of the protocol")

from keysh.adapters.mcp import wire
from keysh.adapters.mcp.wire import INVALID_REQUEST, PARSE_ERROR, Fault, message_of

PING = b'{"jsonrpc":"2.0","id":%b,"method":"ping"}\n'
CALL = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"Bash","arguments":%b}}\n'
DEEP = b"[" * 100_000 + b"]" * 100_000

MISTAKES = {
    "text": (b"hello\n", PARSE_ERROR),
    "half": (b'{"jsonrpc":\n', PARSE_ERROR),
    "NUL": (b"\0\n", PARSE_ERROR),
    "two on a line": (PING[:-1] % b"1" + PING % b"2", PARSE_ERROR),
    "not UTF-8": (b'{"jsonrpc":"2.0","id":7,"method":"\xff"}\n', PARSE_ERROR),
    "deep list": (DEEP + b"\n", PARSE_ERROR),
    "deep object": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", PARSE_ERROR),
    "deep id": (PING % DEEP, PARSE_ERROR),
    "deep argument": (CALL % (b'{"command":' + DEEP + b"}"), PARSE_ERROR),
    "id of 5,000 digits": (PING % (b"9" * 5000), PARSE_ERROR),
    "NaN": (CALL % b'{"command":NaN}', PARSE_ERROR),
    "infinity": (CALL % b'{"command":"a","timeout":-Infinity}', PARSE_ERROR),
    "a key twice": (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n', PARSE_ERROR),
    "a key twice inside": (CALL % b'{"command":"a","command":"b"}', PARSE_ERROR),
    "list": (b"[]\n", INVALID_REQUEST),
    "batch": (b"[" + PING[:-1] % b"1" + b"]\n", INVALID_REQUEST),
    "null": (b"null\n", INVALID_REQUEST),
    "null as id": (PING % b"null", INVALID_REQUEST),
    "a fraction as id": (PING % b"1.5", INVALID_REQUEST),
    "true as id": (PING % b"true", INVALID_REQUEST),
    "an object as id": (PING % b"{}", INVALID_REQUEST),
    "id of 70 bits": (PING % str(1 << 70).encode(), INVALID_REQUEST),
    "a surrogate as id": (PING % b'"\\ud800"', INVALID_REQUEST),
    "a surrogate": (CALL % b'{"command":"\\ud800"}', INVALID_REQUEST),
    "no method": (b'{"jsonrpc":"2.0","id":6}\n', INVALID_REQUEST),
    "no version": (b'{"id":6,"method":"ping"}\n', INVALID_REQUEST),
    "params of a wrong type": (b'{"jsonrpc":"2.0","id":6,"method":"a","params":5}\n', -32600),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_line_that_is_no_message_is_a_fault_of_one_line(mistake: str) -> None:
    line, code = MISTAKES[mistake]
    with pytest.raises(Fault) as caught:
        message_of(line)
    answer = json.dumps(caught.value.record)
    assert caught.value.record["error"]["code"] == code  # type: ignore[index]
    assert len(answer) < 300
    assert "Error" not in answer
    assert "/" not in answer


def test_a_message_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_MESSAGE_BYTES", 100)
    with pytest.raises(Fault, match="over 100 bytes"):
        message_of(CALL % (b'{"command":"' + b"x" * 100 + b'"}'))


@pytest.mark.parametrize("request_id", [b"0", b"-5", b'"a"', str((1 << 62) + 1).encode()])
def test_messages_are_passed_on(request_id: bytes) -> None:
    assert message_of(PING % request_id) == (PING % request_id).decode()


class Server:
    """A server in a process of its own, which is sent bytes."""

    def __init__(self, *options: str, cwd: Path, text: str = "") -> None:
        command = ["-c", text] if text else ["-m", "keysh", "mcp", *options]
        self._process = subprocess.Popen(
            [sys.executable, *command], cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self.send(
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":'
            b'"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
            b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        )
        assert self.answer()["id"] == 1

    def send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def answer(self) -> dict[str, object]:
        assert self._process.stdout is not None
        end = time.monotonic() + 60
        assert select.select([self._process.stdout], [], [], end - time.monotonic())[0]
        answer: dict[str, object] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> tuple[int, bytes]:
        """End the server; return its status and what it wrote to standard error."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.stderr is not None
        errors = self._process.stderr.read()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process.stderr.close()
        return self._process.wait(60), errors


def test_the_server_lives_on_and_answers_each_mistake(tmp_path: Path) -> None:
    server = Server("--memory", cwd=tmp_path)
    for mistake, (line, code) in MISTAKES.items():
        server.send(b"\n" + line)
        answer = server.answer()
        assert answer["error"]["code"] == code, mistake  # type: ignore[index]
        server.send(PING % b"9")
        assert server.answer()["id"] == 9
    assert server.close() == (0, b"")


def test_a_command_of_ten_megabytes_is_answered(tmp_path: Path) -> None:
    server = Server("--memory", cwd=tmp_path)
    server.send(CALL % (b'{"command":"echo ' + b"x" * 10_000_000 + b' | wc -c"}'))
    assert server.answer()["result"]["content"][0]["text"] == "10000001\n"  # type: ignore[index]
    assert server.close() == (0, b"")


def test_the_numbers_and_variables_of_the_server_are_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARKED_VARIABLE", "marked")
    monkeypatch.setenv("KEPT_TOKEN", "kept")
    for options in (["--memory"], ["--sandbox"], [], ["--bash"]):
        server = Server(*options, "--keep-env=KEPT_TOKEN", cwd=tmp_path)
        pid = server._process.pid
        server.send(CALL % b'{"command":"echo $$ $BASHPID $KEPT_TOKEN; env; export -p"}')
        text: str = server.answer()["result"]["content"][0]["text"]  # type: ignore[index]
        assert "MARKED" not in text
        assert text.splitlines()[0].endswith(" kept")
        assert str(pid) not in text.splitlines()[0].split()
        assert server.close()[0] == 0


def test_an_exception_of_the_hosts_files_is_an_error_of_the_tool(tmp_path: Path) -> None:
    program = (
        "import keysh\n"
        "from keysh.adapters import mcp\n"
        "from keysh.adapters.agent import KeyshSession, ShellManager, tools_for\n"
        "registry = tools_for(ShellManager())\n"
        "async def fail(*arguments): raise RuntimeError('first\\nsecond')\n"
        "registry.get('Bash')._execute = fail\n"
        "import asyncio; asyncio.run(mcp.serve(registry))\n"
    )
    server = Server(cwd=tmp_path, text=program)
    server.send(CALL % b'{"command":"echo a"}')
    result = server.answer()["result"]
    assert result["isError"]  # type: ignore[index]
    text = result["content"][0]["text"]  # type: ignore[index]
    assert text.startswith("Bash: E299 an unexpected error: RuntimeError: first\n")
    assert "second" not in text
    server.send(PING % b"9")
    assert server.answer()["id"] == 9
    assert server.close() == (0, b"")
