"""McpServer: the tools of a server of the Model Context Protocol, as commands of a shell."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from itertools import count

from keysh.adapters.tools.http_headers import headers_of
from keysh.adapters.tools.mcp_messages import (
    CLIENT,
    SessionLost,
    notification_record,
    request_record,
    result_of,
    value_of_result,
)
from keysh.adapters.tools.remote_tool import RemoteTool
from keysh.adapters.tools.shell_names import server_word
from keysh.adapters.tools.tool_connection import (
    CALL_SECONDS,
    MAX_ANSWER_BYTES,
    ToolConnection,
    ToolSource,
)
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.turn import in_turn
from keysh.process.resolve import SYSTEM_PATH
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from keysh.adapters.tools.call_wait import CallWait
    from keysh.adapters.tools.mcp_http import HttpChannel
    from keysh.adapters.tools.mcp_pipe import PipeChannel
    from keysh.interp.run.turn import Turn
    from keysh.process.policy import Policy

PASSED_VARIABLES = ("HOME", "LANG", "LOGNAME", "PATH", "TMPDIR", "USER")  # of this process
URL_STARTS = ("http://", "https://")
MAX_PAGES = 100  # of a list of tools


class McpServer(ToolSource):
    """A server of tools: a URL, or the words or line of the program that serves them.

        Shell(tools=[McpServer("uvx mcp-server-git --repository ."), McpServer("https://…/mcp")])

    The program gets `env` and a few variables of this process, such as PATH and HOME. `headers` and
    `auth`, a token or a name and a password, go to the URL and nowhere else. `addresses` are
    networks that are allowed although they are not public. `policy` holds the program.
    """

    def __init__(
        self,
        target: str | Sequence[str],
        *,
        name: str = "",
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        headers: Mapping[str, str] | None = None,
        auth: str | tuple[str, str] | None = None,
        addresses: Iterable[str] = (),
        policy: Policy | None = None,
        seconds: float = CALL_SECONDS,
        max_bytes: int = MAX_ANSWER_BYTES,
        shadows: bool = False,
        only: Iterable[str] | None = None,
    ) -> None:
        self.url = ""
        self.argv: tuple[str, ...] = ()
        if isinstance(target, str) and target.startswith(URL_STARTS):
            self.url = target
        else:
            self.argv = program_words(target)
        name = name or (name_of_url(self.url) if self.url else name_of_program(self.argv))
        super().__init__(name, seconds=seconds, max_bytes=max_bytes, shadows=shadows, only=only)
        if env is not None and not hasattr(env, "items"):
            refuse("env", "a mapping", env, "env={'NAME': 'value'}")
        inherited = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
        self.env = {"PATH": SYSTEM_PATH, **inherited, **(env or {})}
        self.cwd = None if cwd is None else os.fspath(cwd)
        self.headers, self.addresses = headers_of(headers, auth), tuple(addresses)
        self.policy = policy
        if self.url:
            from keysh.adapters.tools.http_exchange import network_of_url  # noqa: PLC0415 - brings in httpcore

            network_of_url(self.url, self.addresses)  # a wrong URL shows now

    def open(self) -> ToolConnection:
        """Return the connection that a shell uses; nothing is reached before it is needed."""
        return McpConnection(self)

    def channel(self) -> HttpChannel | PipeChannel:
        """Return a new channel to the server."""
        if self.url:
            from keysh.adapters.tools.mcp_http import HttpChannel  # noqa: PLC0415 - brings in httpcore

            return HttpChannel(self.url, self.headers, self.addresses, self.max_bytes)
        from keysh.adapters.tools.mcp_pipe import PipeChannel  # noqa: PLC0415 - brings in processes

        return PipeChannel(self.argv, self.env, self.cwd, self.policy, self.max_bytes)


class McpConnection(ToolConnection):
    """A connection to a server of the protocol; if it has ended, the next call makes it again."""

    source: McpServer

    def __init__(self, source: McpServer) -> None:
        super().__init__(source, f"Tools of the server {source.name}.")
        self._channel: HttpChannel | PipeChannel | None = None
        self._connecting: Turn = {}
        self._numbers = count(1)

    def _is_stale(self) -> bool:
        return self._channel is not None and self._channel.has_changed_tools

    def _list(self, wait: CallWait) -> Iterable[RemoteTool]:
        channel = self._connected(wait)
        channel.note_tools()
        cursor: object = None
        for _ in range(MAX_PAGES):
            params = None if cursor is None else {"cursor": cursor}
            page = self._request(wait, "tools/list", params)
            listed = page.get("tools")
            for one in listed if isinstance(listed, list) else ():
                name = one.get("name") if isinstance(one, dict) else None
                if isinstance(name, str) and self.source.offers(name):
                    yield RemoteTool.of_schema(name, one.get("description"), one.get("inputSchema"))
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str):
                break

    def _call(self, wait: CallWait, tool: RemoteTool, arguments: dict[str, Any]) -> object:
        params = {"name": tool.name, "arguments": arguments}
        wait.check_size(len(json_of(arguments)))
        return value_of_result(self._request(wait, "tools/call", params))

    def _request(
        self, wait: CallWait, method: str, params: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Send a request, and return its result; once more if the server has forgotten us."""
        channel = self._connected(wait)
        number = next(self._numbers)
        record = request_record(number, method, params)
        try:
            answer = channel.exchange(wait, record, number)
        except SessionLost:
            self._forget(channel)
            answer = self._connected(wait).exchange(wait, record, number)
        return result_of(answer or {})

    def _connected(self, wait: CallWait) -> HttpChannel | PipeChannel:
        """Return the channel, made anew if the server has ended."""
        channel = self._channel
        if channel is not None and channel.is_usable:
            return channel
        return in_turn(self._connecting, wait.budget, lambda: self._connect(wait))

    def _connect(self, wait: CallWait) -> HttpChannel | PipeChannel:
        """Return a channel once it is this thread's turn to make one."""
        channel = self._channel
        if channel is not None and channel.is_usable:
            return channel
        self._end()
        channel = self.source.channel()
        try:
            number = next(self._numbers)
            answer = channel.exchange(wait, request_record(number, "initialize", CLIENT), number)
            result_of(answer or {})
            channel.exchange(wait, notification_record("notifications/initialized"), None)
        except BaseException:
            channel.close()
            raise
        self._channel = channel
        return channel

    def _forget(self, channel: HttpChannel | PipeChannel) -> None:
        """End a channel whose session is lost, unless another thread has made a new one."""
        if self._channel is channel:
            self._end()

    def _end(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()


def program_words(target: object) -> tuple[str, ...]:
    """Return the words of a server's program; raise TypeError or ValueError for what is none."""
    if isinstance(target, str):
        words = shlex.split(target)
    elif hasattr(target, "__iter__") and not isinstance(target, bytes):
        words = [os.fspath(word) for word in target]
    else:
        refuse("a server", "a URL, a command line or a list of words", target, "McpServer('npx …')")
    if not words or not all(isinstance(word, str) for word in words):
        raise ValueError("a server must have a program, as in McpServer('uvx mcp-server-git')")
    return tuple(words)


def name_of_program(words: Sequence[str]) -> str:
    """Return the name of a server's tools: of what an `npx` or `python` runs, or the program."""
    operands = [word for word in words[1:] if not word.startswith("-")]
    return server_word(operands[0] if operands else words[0])


def name_of_url(url: str) -> str:
    """Return the name of the tools at a URL: the first part of its host that says something."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - only for servers at a URL

    host = urlsplit(url).hostname or ""
    return (
        server_word(host)
        if host.replace(".", "").isdecimal()
        else server_word(
            host.removeprefix("api.").removeprefix("mcp.").removeprefix("www.").partition(".")[0]
        )
    )
